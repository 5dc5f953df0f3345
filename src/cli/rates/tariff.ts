import { statSync } from 'node:fs'
import { findingText, lintTable, mostFindings } from '../../adapters/table-rates/lint.ts'
import { readTariff, type Tariff } from '../../adapters/table-rates/read-table.ts'
import type { RowDefaults } from '../../adapters/table-rates/row.ts'
import type { RateTable } from '../../adapters/table-rates/table.ts'
import { hasCode, PurveyorError } from '../../errors.ts'
import { counted } from '../../printable.ts'
import { print } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import { unreadable } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'

// Prices of a tariff are compared as written, so the tax that its provider adds does not matter here.
export const untaxed = { taxRate: 0 }

/** Finds faults in a tariff, and gaps and overlaps that are rarely intended, also in time and of surcharges. */
export async function lint(file: string, json: boolean | undefined): Promise<void> {
  const table = await withProgress(`Reading ${file}`, () => tableOf(file))
  const findings = lintTable(table)
  const [rows, surcharges] = [table.rows.length, table.surcharges.length]
  const charged = surcharges === 0 ? '' : ` and ${counted(surcharges, 'surcharge')}`
  const first = findings.length < mostFindings ? '' : 'the first '
  const found = findings.length === 0 ? 'no findings' : first + counted(findings.length, 'finding')
  print(json, { file, rows, surcharges, findings }, () => [
    ...findings.map((one) => findingText(file, one)),
    `${counted(rows, 'line')}${charged}, ${found}.`,
  ])
  if (findings.length > 0) process.exitCode = 1
}

function expectTariff(file: string): void {
  const remedy = 'Name a tariff: a .csv or .json file.'
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw unreadable(file, { code: stats ? 'EISDIR' : 'ENOENT' }, remedy)
  if (!/\.(csv|json)$/.test(file)) throw new UsageError(`${file} is not a tariff. ${remedy}`)
}

export const tableOf = async (file: string): Promise<RateTable> => (await tariffOf(file, untaxed)).table

/** Reads a tariff. Faults end the command with exit code 1, and a missing file with 2. */
export async function tariffOf(file: string, defaults: RowDefaults): Promise<Tariff> {
  expectTariff(file)
  return readTariff(file, defaults).catch((error: unknown) => {
    if (!hasCode(error, 'RATE_TABLE_INVALID')) throw error
    const { message, faults } = error
    if (faults.length === 0) throw new UsageError(message)
    // Two tariffs of one command may have one name, in two folders.
    const named = new PurveyorError(error.code, message.replace('The tariff', `The tariff ${file}`), {
      faults,
    })
    throw Object.assign(named, { exitCode: 1 })
  })
}
