import {
  type ChangeKind,
  changeKinds,
  diffTariffs,
  type Stretch,
  type TariffChange,
} from '../../adapters/table-rates/changes.ts'
import type { Decimal } from '../../money/index.ts'
import { ZonedTime } from '../../rates/zoned-time.ts'
import { inColumns, print } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import type { Compared } from './options.ts'
import { tariffOf } from './tariff.ts'

export async function diff({ old: before, new: after, ...options }: Compared): Promise<void> {
  const { at, timeZone, taxRate, currency, failOn, json } = options
  const time = new ZonedTime(timeZone)
  const defaults = { taxRate: taxRate as Decimal, timeZone }
  const question = {
    at: at === undefined ? Date.now() : time.instantOf(at, 0),
    later: at === undefined,
    currency,
  }
  const changes = await withProgress('Comparing the tariffs', async () =>
    diffTariffs(await tariffOf(before, defaults), await tariffOf(after, defaults), question),
  )
  const counts = Object.fromEntries(
    changeKinds.map((kind) => [kind, changes.filter((one) => one.kind === kind).length]),
  )
  const dated = changes.map(({ since, until, ...change }) => ({
    ...change,
    ...(since !== undefined && { since: time.dayAt(since) }),
    ...(until !== undefined && { until: time.dayAt(until) }),
  }))
  const isSame = changes.length === 0
  print(json, { before, after, counts, changes: dated }, () =>
    isSame ? 'No price changes.' : [...listed(dated), '', `${summary(counts)}.`],
  )
  if (failOn.some((kind) => counts[kind]! > 0)) process.exitCode = 1
}

/** With days in place of instants. */
type Dated = Omit<TariffChange, 'since' | 'until'> & { since?: string; until?: string }

const words: Record<ChangeKind, string> = {
  dearer: 'dearer',
  cheaper: 'cheaper',
  lost: 'lost',
  new: 'new',
  currency: 'in another currency',
}

const summary = (counts: Record<string, number>): string =>
  changeKinds.flatMap((kind) => (counts[kind]! > 0 ? `${counts[kind]} ${words[kind]}` : [])).join(', ')

/** One line for each change. A column that says the same in every line, because the tariffs have no such thing, is left out. */
function listed(changes: readonly Dated[]): string[] {
  const columns: [title: string, cell: (one: Dated) => string][] = [
    ['', ({ kind }) => words[kind]],
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
  return inColumns(
    used.map(([title]) => title),
    changes.map((one) => used.map(([, cell]) => cell(one))),
  )
}

function stretchText({ from, to }: Stretch): string {
  if (to !== undefined) return `${from}-${to}`
  return from === 0 ? '' : `above ${from}`
}
