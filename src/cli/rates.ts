import { lintTable } from '../adapters/table-rates/lint.ts'
import { readTable } from '../adapters/table-rates/read-table.ts'
import type { RateTable } from '../adapters/table-rates/table.ts'
import { Problem } from '../contract/index.ts'
import { hasCode } from '../errors.ts'
import { counted } from '../printable.ts'
import type { AdapterExplanation, RatesExplanation } from '../rates/explanation.ts'
import type { Parcels } from '../rates/parcels.ts'
import { print } from './print.ts'
import { readJsonFile } from './read-input.ts'
import { UsageError } from './usage.ts'
import { providerOf } from './with-provider.ts'

// Prices of a tariff are compared as written, so the tax that its provider adds does not matter here.
export const untaxed = { taxRate: 0 }

/** Asks a provider's rate adapters with a body as the platform sends it, and says why each method is in or out. */
export async function explain(
  named: string | undefined,
  { file, shop, json }: { file: string; shop?: string; json?: boolean },
): Promise<void> {
  const body = readJsonFile(file, 'the body of a POST shipment_methods')
  const provider = await providerOf(named)
  const explained = provider.rates.explain(body, { shop }).finally(() => provider.stop())
  const explanation = await explained.catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    const faults = (error.errors ?? []).map(({ path, message }) => `\n  ${path} ${message}`)
    throw new UsageError(
      `${file} is not a valid body of POST shipment_methods: ${error.message}${faults.join('')}`,
    )
  })
  print(json, explanation, () => explainedText(explanation))
  if (explanation.adapters.some(({ result }) => result === 'failed')) process.exitCode = 1
}

function explainedText({ asked, ms, methods, adapters, fallback }: RatesExplanation): string[] {
  const count = counted(methods.length, 'method')
  return [
    `${asked}: ${count} in ${ms} ms${fallback ? ', the fallback rates' : ''}`,
    ...adapters.flatMap(explainedAdapter),
  ]
}

function explainedAdapter(one: AdapterExplanation): string[] {
  const { adapter, ms, cache, result, reason, methods, leftOut, notes, parcels } = one
  return [
    '',
    `${adapter}: ${result}${reason ? `, ${reason}` : ''} (${ms} ms${cache === 'off' ? '' : `, cache ${cache}`})`,
    ...parcels.map((counted) => `  weighs  ${weighed(counted)}`),
    ...methods.map(({ id, title, price_incl }) => `  in      ${id}  ${title}  ${price_incl}`),
    ...leftOut.map(({ place, id, reason: why }) => `  out     ${id ?? `method ${place}`}  ${why}`),
    ...notes.map((note) => `  note    ${note}`),
  ]
}

/** Why prices may be missing: adapters that failed, and methods that were left out. */
export const faultsIn = ({ adapters }: RatesExplanation): string[] =>
  adapters.flatMap(({ adapter, result, reason, leftOut }) => [
    ...(result === 'failed' ? [`${adapter}: failed, ${reason}`] : []),
    ...leftOut.map(
      ({ place, id, reason: why }) => `${adapter}: ${id ?? `method ${place}`} is left out, ${why}`,
    ),
  ])

export function weighed({ unit, actual, volumetric, count, each }: Parcels): string {
  const volume = volumetric === undefined ? '' : `, by volume ${volumetric} ${unit}`
  return `${actual} ${unit}${volume}: ${counted(count, 'parcel')} of ${each} ${unit}`
}

/** Finds faults in a tariff, and gaps and overlaps that are rarely intended. */
export async function lint(file: string, { json }: { json?: boolean }): Promise<void> {
  const read = await tableOf(file)
  const findings = lintTable(read)
  print(json, { file, rows: read.rows.length, findings }, () => [
    ...findings.map(
      ({ line, method, zone, message }) => `${file}:${line} ${method}, zone ${zone}: ${message}`,
    ),
    `${read.rows.length} lines, ${findings.length === 0 ? 'no findings' : counted(findings.length, 'finding')}.`,
  ])
  if (findings.length > 0) process.exitCode = 1
}

/** Reads a tariff. Faults end the command with exit code 1. */
export async function tableOf(file: string): Promise<RateTable> {
  return readTable(file, untaxed).catch((error: unknown) => {
    if (hasCode(error, 'RATE_TABLE_INVALID')) throw Object.assign(error, { exitCode: 1 })
    throw error
  })
}
