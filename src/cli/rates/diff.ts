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
import type { Compared } from './rates.ts'
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
  const counts = countsOf(changes)
  const dated = changes.map(({ since, until, ...change }) => ({
    ...change,
    ...(since !== undefined && { since: time.dayAt(since) }),
    ...(until !== undefined && { until: time.dayAt(until) }),
  }))
  print(json, { before, after, counts, changes: dated }, () => {
    const lines = inOneLine(dated)
    return lines.length === 0 ? ['No price changes.'] : [...listed(lines), '', `${summary(countsOf(lines))}.`]
  })
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

const countsOf = (changes: readonly { kind: ChangeKind }[]): Record<string, number> =>
  Object.fromEntries(changeKinds.map((kind) => [kind, changes.filter((one) => one.kind === kind).length]))

const summary = (counts: Record<string, number>): string =>
  changeKinds.flatMap((kind) => (counts[kind]! > 0 ? `${counts[kind]} ${words[kind]}` : [])).join(', ')

/** Bands of weight that follow each other and are all lost or all new, as one with the prices of all. */
function inOneLine(changes: readonly Dated[]): Dated[] {
  const rest = Map.groupBy(changes, ({ weight, before, after, ...one }) =>
    one.kind === 'lost' || one.kind === 'new'
      ? JSON.stringify(one)
      : JSON.stringify([weight, before, after, one]),
  )
  return [...rest.values()].flatMap((group) => {
    const lines: Dated[] = []
    for (const change of group.toSorted((one, other) => one.weight.from - other.weight.from)) {
      const last = lines.at(-1)
      if (last === undefined || last.weight.to !== change.weight.from) lines.push(change)
      else
        lines[lines.length - 1] = {
          ...last,
          weight: { ...change.weight, from: last.weight.from },
          ...both(last, change),
        }
    }
    return lines
  })
}

function both(one: Dated, other: Dated): Pick<Dated, 'before' | 'after'> {
  const prices = (first = '', last = '') => `${first.split(' to ')[0]} to ${last}`
  return one.kind === 'lost'
    ? { before: prices(one.before, other.before) }
    : { after: prices(one.after, other.after) }
}

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
