import { type Decimal, decimal } from '../../money/index.ts'
import { type Band, fromMillionths } from './cells.ts'
import { type ChangeKind, changeKinds } from './change-kinds.ts'
import { entry } from './zones.ts'

interface Priced {
  price: Decimal
  currency: string
}

/** A change of one price at one instant. Bands are in millionths. */
export interface Change {
  kind: ChangeKind
  method: string
  title: string
  to: string
  /** The currency of the shop; empty: any that no line names. */
  shopCurrency: string
  weight: Band
  value: Band
  before: Priced | undefined
  after: Priced | undefined
}

/** A stretch of weights or values. Without `to` it has no end. */
export interface Stretch {
  from: number
  to?: number
}

/** A change of one price between two tariffs, in all places and at all times that have it. */
export interface TariffChange {
  kind: ChangeKind
  /** The id of the shipping method, and its title. */
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
export function joined(changes: readonly Change[][], starts: readonly number[]): TariffChange[] {
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

const keyOf = ({ kind, method, to, shopCurrency, weight, value, before, after }: Change): string =>
  JSON.stringify([kind, method, to, shopCurrency, ends(weight), ends(value), worth(before), worth(after)])

const ends = ({ from, to }: Band) => [from, String(to)]

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
    kind,
    method,
    title,
    to: group.map(({ to }) => to),
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
