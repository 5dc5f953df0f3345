import { type Big, type Decimal, decimal } from '../../money/index.ts'
import { rateOf } from './derived-rate.ts'

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
