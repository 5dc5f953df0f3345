import { type Big, currencyDigits, type Decimal, decimal, readDecimal } from '../../money/index.ts'

/** Whole percents, halves and tenths of one: there is hardly another tax rate. */
const steps = [100, 200, 1000]

/** Half of the smallest unit of a currency: the most that rounding changes. */
export const halfUnit = (currency: string): Big => decimal('0.5').div(10 ** currencyDigits(currency))

/** A tax rate as one text, with four digits after the point at most. `undefined` for one that is negative or not below 1. */
export function rateOf(rate: Big): Decimal | undefined {
  const rounded = rate.round(4)
  return rounded.lt(0) || rounded.gte(1) ? undefined : readDecimal(rounded.toFixed())
}

/**
 * Whether figures such as 21 are percentages, and no fractions. Of those below 1 the price shows it: to which of both its tax is nearer, and
 * whether it can be so little, rounded once for each.
 */
export function arePercent(
  figures: readonly Big[],
  { excl, tax }: Record<'excl' | 'tax', Big>,
  currency: string,
): boolean {
  const sorted = figures.filter((one) => one.gt(0)).toSorted((one, other) => one.cmp(other))
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (!least || !most) return false
  if (most.gte(1)) return true
  const asPercent = excl.times(most).div(100)
  const missing = tax.minus(asPercent)
  if (tax.lte(0) || missing.gt(halfUnit(currency).times(figures.length))) return false
  return missing.abs().lt(excl.times(least).minus(tax).abs())
}

/**
 * The tax rate of a price that is known with and without tax. Both may be rounded, by at most `off`: 3.31 and 4.01 are 21 %. It is a known
 * rate where one explains both prices, otherwise the simplest that does.
 */
export function derivedRate(
  { excl, incl }: Record<'excl' | 'incl', Big>,
  off: Big,
  known: Iterable<Decimal>,
): Decimal | undefined {
  if (excl.eq(0) || excl.gt(0) !== incl.gt(0)) return undefined
  const [without, withTax] = [excl.abs(), incl.abs()]
  // Prices of which the one with tax is lower show none.
  if (without.minus(withTax).gt(off)) return undefined
  const center = withTax.gt(without) ? withTax.div(without).minus(1) : decimal('0')
  const isNear = (one: Big, other: Big) => one.minus(other).abs().lte(off)
  const explains = (rate: Big) =>
    isNear(without.times(rate.plus(1)), withTax) || isNear(withTax.div(rate.plus(1)), without)
  const distance = (rate: Big) => center.minus(rate).abs()
  const fitting = [...known].map((one) => decimal(one)).filter(explains)
  const [first, ...others] = fitting
  if (first)
    return rateOf(others.reduce((best, one) => (distance(one).lt(distance(best)) ? one : best), first))
  const simple = steps.map((step) => center.times(step).round().div(step)).find(explains)
  return rateOf(simple ?? center)
}

/** The worth of goods without tax, by tax rate. */
export type Shares = ReadonlyMap<Decimal, Big>

/** Adds worths by rate. A sum below 0, such as a discount at a rate of its own, has no share. */
export function sharesOf(parts: readonly { rate: Decimal; worth: Big }[]): Shares {
  const shares = new Map<Decimal, Big>()
  for (const { rate, worth } of parts) shares.set(rate, worth.plus(shares.get(rate) ?? 0))
  for (const [rate, worth] of shares) if (worth.lte(0)) shares.delete(rate)
  return shares
}

/** The rates in proportion. `undefined` where nothing has a worth. */
export function blended(shares: Shares): Decimal | undefined {
  const [first] = shares.keys()
  if (shares.size < 2) return first
  const tax = sum([...shares].map(([rate, worth]) => worth.times(rate)))
  return rateOf(tax.div(sum([...shares.values()])))
}

export const sum = (amounts: readonly Big[]): Big =>
  amounts.reduce((one, other) => one.plus(other), decimal('0'))
