import { type Decimal, decimal } from '../../money/index.ts'
import { type Change, joined, type TariffChange } from './changes.ts'
import { sidesOf, type TariffSide } from './diff-sides.ts'
import { offerOf } from './offers.ts'
import type { Tariff } from './read-table.ts'
import { rowFor, rowsOf, type Sought } from './table.ts'

/** A price of a tariff. */
interface Found {
  price: Decimal
  /** Empty for the shop's. */
  currency: string
  title: string
}

/** The part of two tariffs that is compared. */
export interface DiffQuestion {
  /** The instant, in milliseconds since 1970. */
  at: number
  /** Whether lines that begin or end to be in use after it count too. */
  later: boolean
  /** Only shops with this currency, in lower case. Default: each that a tariff names. */
  currency?: string | undefined
}

/**
 * Compares the price, with tax, of one parcel in every zone, band of weight, band of value and currency, from an instant on. Takes the same
 * way through a tariff as a quote.
 */
export function diffTariffs(before: Tariff, after: Tariff, question: DiffQuestion): TariffChange[] {
  const { at, later } = question
  const dates = new Set([...before.table.changes, ...after.table.changes])
  const next = later ? [...dates].filter((date) => date > at).sort((one, other) => one - other) : []
  const periods = [at, ...next]
  return joined(
    periods.map((now) => changesAt(before, after, { ...question, at: now })),
    periods,
  )
}

function changesAt(before: Tariff, after: Tariff, question: DiffQuestion): Change[] {
  return [...sidesOf(before, after, question.currency)].flatMap(({ to, ...sides }) =>
    bandsOf(sides.before, sides.after, question.at).map((change) => ({ ...change, to })),
  )
}

/** The differences of one method in one zone, by bands of weight and value. */
function bandsOf(before: TariffSide, after: TariffSide, now: number): Omit<Change, 'to'>[] {
  const rows = [before, after].flatMap(({ zoned }) => (zoned ? rowsOf(zoned.own, zoned.zone) : []))
  const weights = bandsBetween(rows.flatMap(({ weight }) => [weight.from, weight.to]))
  const values = bandsBetween(rows.flatMap(({ value, freeFrom }) => [value.from, value.to, freeFrom]))
  return values.flatMap((value) =>
    weights.flatMap((weight) => {
      const place = { weight: sampleIn(weight), value: value.from, now }
      const [old, young] = [priceOf(before, place), priceOf(after, place)]
      const kind = kindOf(old, young)
      if (kind === undefined) return []
      const title = (young ?? old)!.title
      const { method, shopCurrency } = before
      return { kind, method, title, shopCurrency, weight, value, before: old, after: young }
    }),
  )
}

function bandsBetween(ends: readonly number[]): Change['weight'][] {
  const inner = [...new Set(ends)].filter((end) => end > 0 && Number.isFinite(end))
  const starts = [0, ...inner.sort((one, other) => one - other)]
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? Number.POSITIVE_INFINITY }))
}

/** A weight belongs to the band that ends with it. */
const sampleIn = ({ from, to }: Change['weight']): number => (Number.isFinite(to) ? to : from + 1)

function priceOf(side: TariffSide, sought: Sought): Found | undefined {
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

function kindOf(old: Found | undefined, young: Found | undefined): Change['kind'] | undefined {
  if (!old) return young && 'new'
  if (!young) return 'lost'
  if (old.currency !== young.currency) return 'currency'
  const more = decimal(young.price).cmp(old.price)
  return more === 0 ? undefined : more > 0 ? 'dearer' : 'cheaper'
}
