import { type Decimal, decimal } from '../../money/index.ts'
import { type Band, fromMillionths } from '../files/cells.ts'
import { type Sides, sidesOf, type TariffSide } from './diff-sides.ts'
import { offerOf } from './offers.ts'
import type { Tariff } from './read-table.ts'
import { rowFor, type Sought } from './table.ts'
import { entry } from './zones.ts'

/** Every kind of change of a price. `currency`: old and new are in different currencies, so that neither is the lower one. */
export const changeKinds = ['dearer', 'cheaper', 'lost', 'new', 'currency'] as const
type ChangeKind = (typeof changeKinds)[number]
/** A price of a tariff, and the title of its method. The currency is empty for the shop's. */
type Priced = NonNullable<ReturnType<typeof priceOf>>
/** A change of one price at one instant. Bands are in millionths. */
type Change = ReturnType<typeof bandsOf>[number]
/** A stretch of weights or values. Without `to` it has no end. */
interface Stretch {
  from: number
  to?: number
}

/** A change of one price between two tariffs, in all places and at all times that have it. */
export interface TariffChange {
  kind: ChangeKind
  method: string
  title: string
  /** Such as `nl`, `nl 1000-1999`, or `*` for all countries that neither tariff names. */
  to: string[]
  /** The currency of the shop. Not set for any that no line names. */
  currency?: string
  /** Above `from`, up to `to`; in the unit of the tariff. */
  weight: Stretch
  /** From `from` on, below `to`. */
  value: Stretch
  /** With tax. Not set if there is none. */
  before?: string
  after?: string
  /** By how much the price changes, with one decimal. */
  percent?: number
  /** The first and the last instant of the change, in milliseconds since 1970. Not set if it holds at the start, or has no end. */
  since?: number
  until?: number
}

type Numbered = Change & { since: number; until: number }

/** Joins equal changes of bands, times and places that follow each other. `changes` has those of each period, `starts` when it begins. */
function joined(changes: readonly Change[][], starts: readonly number[]): TariffChange[] {
  const lasting = new Map<string, Numbered[]>()
  for (const [period, all] of changes.entries()) {
    // First the bands of weight of one band of value, then the bands of value.
    for (const change of joinAlong(joinAlong(all, 'weight'), 'value')) {
      const key = keyOf(change)
      const known = entry(lasting, key, () => [])
      const last = known.at(-1)
      if (last?.until === period) last.until++
      else known.push({ ...change, since: period, until: period + 1 })
    }
  }
  const byPlace = Map.groupBy([...lasting.values()].flat(), (one) =>
    JSON.stringify([keyOf({ ...one, to: '' }), one.since, one.until]),
  )
  return Array.from(byPlace.values(), (group) => shown(group, starts)).sort(
    (one, other) => changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind),
  )
}

const worth = (one: Priced | undefined) => one && [one.price, one.currency]
const ends = ({ from, to }: Band) => [from, String(to)]
const keyOf = ({ kind, method, to, shopCurrency, weight, value, before, after }: Change): string =>
  JSON.stringify([kind, method, to, shopCurrency, ends(weight), ends(value), worth(before), worth(after)])

function joinAlong(changes: readonly Change[], along: 'weight' | 'value'): Change[] {
  const rest = Map.groupBy(changes, (change) => keyOf({ ...change, [along]: { from: 0, to: 0 } }))
  return [...rest.values()].flatMap((group) => {
    const done: Change[] = []
    for (const change of group.toSorted((one, other) => one[along].from - other[along].from)) {
      const last = done.at(-1)
      if (last?.[along].to !== change[along].from) done.push(change)
      else done[done.length - 1] = { ...last, [along]: { from: last[along].from, to: change[along].to } }
    }
    return done
  })
}

function shown(group: readonly Numbered[], starts: readonly number[]): TariffChange {
  const { kind, method, title, shopCurrency, weight, value, before, after, since, until } = group[0]!
  const percent = kind === 'currency' ? undefined : percentOf(before, after)
  const end = starts[until]
  return {
    ...{ kind, method, title, to: group.map(({ to }) => to) },
    ...(shopCurrency && { currency: shopCurrency }),
    weight: stretchOf(weight),
    value: stretchOf(value),
    ...(before && { before: written(before, shopCurrency) }),
    ...(after && { after: written(after, shopCurrency) }),
    ...(percent !== undefined && { percent }),
    ...(since > 0 && { since: starts[since]! }),
    ...(end !== undefined && { until: end - 1 }),
  }
}

const stretchOf = ({ from, to }: Band): Stretch => ({
  from: Number(fromMillionths(from)),
  ...(Number.isFinite(to) && { to: Number(fromMillionths(to)) }),
})

const written = ({ price, currency }: Priced, shopCurrency: string): string =>
  currency === shopCurrency ? price : `${price} ${currency || 'in the currency of the shop'}`

function percentOf(before: Priced | undefined, after: Priced | undefined): number | undefined {
  const old = decimal(before?.price ?? 0)
  if (!after || old.eq(0)) return undefined
  return Number(decimal(after.price).minus(old).times(100).div(old).toFixed(1))
}

/**
 * Compares the price, with tax, of one parcel in every zone, band of weight, band of value and currency, from an instant on. Takes the same
 * way through a tariff as a quote. With `later` lines that begin or end to be in use afterwards count too. `currency`, in lower case, is that of
 * the shops; default: each that a tariff names.
 */
export function diffTariffs(
  before: Tariff,
  after: Tariff,
  { at, later, currency }: { at: number; later: boolean; currency?: string | undefined },
): TariffChange[] {
  const dates = new Set([...before.table.changes, ...after.table.changes])
  const next = later ? [...dates].filter((date) => date > at).sort((one, other) => one - other) : []
  const periods = [at, ...next]
  const sides = [...sidesOf(before, after, currency)]
  const changes = periods.map((now) => sides.flatMap((both) => bandsOf(both, now)))
  return joined(changes, periods)
}

function bandsOf({ to, before, after }: Sides, now: number) {
  const rows = [before, after].flatMap(({ zoned }) => (zoned ? zoned.own.rows[zoned.zone]! : []))
  const weights = bandsBetween(rows.flatMap(({ weight }) => [weight.from, weight.to]))
  const values = bandsBetween(rows.flatMap(({ value, freeFrom }) => [value.from, value.to, freeFrom]))
  return values.flatMap((value) =>
    weights.flatMap((weight) => {
      const place = { weight: sampleIn(weight), value: value.from, now }
      const [old, young] = [priceOf(before, place), priceOf(after, place)]
      const kind = kindOf(old, young)
      if (kind === undefined) return []
      const { title } = (young ?? old)!
      const { method, shopCurrency } = before
      return { kind, method, title, to, shopCurrency, weight, value, before: old, after: young }
    }),
  )
}

function bandsBetween(ends: readonly number[]): Band[] {
  const inner = [...new Set(ends)].filter((end) => end > 0 && Number.isFinite(end))
  const starts = [0, ...inner.sort((one, other) => one - other)]
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? Number.POSITIVE_INFINITY }))
}

/** A weight belongs to the band that ends with it. */
const sampleIn = ({ from, to }: Band): number => (Number.isFinite(to) ? to : from + 1)

function priceOf(side: TariffSide, sought: Sought) {
  const { zoned, surcharges, shopCurrency, destination } = side
  const { value, now } = sought
  const row = zoned && rowFor(zoned.own, zoned.zone, sought)
  if (!row) return undefined
  const currency = row.currency ?? shopCurrency
  const wanted = { worth: value, currency: currency || 'eur', destination, now, surcharges }
  const offer = offerOf([{ row, count: 1 }], wanted)!
  const title = typeof row.title === 'string' ? row.title : (row.title.en ?? Object.values(row.title)[0]!)
  return { price: offer.price_incl as Decimal, currency, title }
}

function kindOf(old: Priced | undefined, young: Priced | undefined): ChangeKind | undefined {
  if (!old) return young && 'new'
  if (!young) return 'lost'
  if (old.currency !== young.currency) return 'currency'
  const more = decimal(young.price).cmp(old.price)
  return more === 0 ? undefined : more > 0 ? 'dearer' : 'cheaper'
}
