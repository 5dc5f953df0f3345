import { statSync } from 'node:fs'
import { hasCode, PurveyorError } from '../../errors/errors.ts'
import type { Decimal } from '../../money/index.ts'
import { counted } from '../../printable.ts'
import { changeKinds, diffTariffs, type TariffChange } from '../../rates/tariffs/changes.ts'
import { findingText, lintTable, mostFindings } from '../../rates/tariffs/lint.ts'
import { readTariff, type Tariff } from '../../rates/tariffs/read-table.ts'
import type { RowDefaults } from '../../rates/tariffs/row.ts'
import type { RateTable } from '../../rates/tariffs/table.ts'
import { ZonedTime } from '../../rates/zoned-time.ts'
import { inColumns, print } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import { unreadable } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'
import type { Compared } from './options.ts'

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

export const tableOf = async (file: string): Promise<RateTable> => (await tariffOf(file, untaxed)).table

/** Reads a tariff. Faults end the command with exit code 1, and a missing file with 2. */
export async function tariffOf(file: string, defaults: RowDefaults): Promise<Tariff> {
  const remedy = 'Name a tariff: a .csv or .json file.'
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw unreadable(file, stats ? 'EISDIR' : 'ENOENT', remedy)
  if (!/\.(csv|json)$/.test(file)) throw new UsageError(`${file} is not a tariff. ${remedy}`)
  return readTariff(file, defaults).catch((error: unknown) => {
    if (!hasCode(error, 'RATE_TABLE_INVALID')) throw error
    const { message, faults } = error
    if (faults.length === 0) throw new UsageError(message)
    // Two tariffs of one command may have one name, in two folders.
    const named = message.replace('The tariff', `The tariff ${file}`)
    throw Object.assign(new PurveyorError(error.code, named, { faults }), { exitCode: 1 })
  })
}

export async function diff({ old: before, new: after, ...options }: Compared): Promise<void> {
  const { at, timeZone, taxRate, currency, failOn, json } = options
  const time = new ZonedTime(timeZone)
  const defaults = { taxRate: taxRate as Decimal, timeZone }
  const from = at === undefined ? Date.now() : time.instantOf(at, 0)
  const question = { at: from, later: at === undefined, currency }
  const changes = await withProgress('Comparing the tariffs', async () =>
    diffTariffs(await tariffOf(before, defaults), await tariffOf(after, defaults), question),
  )
  const count = (kind: string) => changes.filter((one) => one.kind === kind).length
  const counts = Object.fromEntries(changeKinds.map((kind) => [kind, count(kind)]))
  const summary = changeKinds.flatMap((kind) => (count(kind) > 0 ? `${count(kind)} ${wordsOf(kind)}` : []))
  const dayOf = (at: number | undefined) => (at === undefined ? undefined : time.dayAt(at))
  const dated = changes.map(({ since, until, ...change }) => {
    return { ...change, since: dayOf(since), until: dayOf(until) }
  })
  print(json, { before, after, counts, changes: dated }, () =>
    changes.length === 0 ? 'No price changes.' : [...listed(dated), '', `${summary.join(', ')}.`],
  )
  if (failOn.some((kind) => count(kind) > 0)) process.exitCode = 1
}

/** With days in place of instants. */
type Dated = Omit<TariffChange, 'since' | 'until'> & Record<'since' | 'until', string | undefined>

const wordsOf = (kind: string): string => (kind === 'currency' ? 'in another currency' : kind)

/** One line for each change. A column that says the same in every line, because the tariffs have no such thing, is left out. */
function listed(changes: readonly Dated[]): string[] {
  const columns: [title: string, cell: (one: Dated) => string][] = [
    ['', ({ kind }) => wordsOf(kind)],
    ['method', ({ method }) => method],
    ['weight', ({ weight }) => stretchText(weight)],
    ['value', ({ value }) => stretchText(value)],
    ['shop', ({ currency = '' }) => currency],
    ['from', ({ since = '' }) => since],
    ['until', ({ until = '' }) => until],
    ['old', ({ before = '-' }) => before],
    ['new', ({ after = '-' }) => after],
    ['', ({ percent }) => (percent === undefined ? '' : `${percent > 0 ? '+' : ''}${percent} %`)],
    ['to', ({ to }) => to.join(', ')],
  ]
  const optional = new Set(['weight', 'value', 'shop', 'from', 'until'])
  const used = columns.filter(
    ([title, cell]) => !optional.has(title) || changes.some((one) => cell(one) !== ''),
  )
  const titles = used.map(([title]) => title)
  const rows = changes.map((one) => used.map(([, cell]) => cell(one)))
  return inColumns(titles, rows)
}

function stretchText({ from, to }: TariffChange['weight']): string {
  if (to !== undefined) return `${from}-${to}`
  return from === 0 ? '' : `above ${from}`
}
