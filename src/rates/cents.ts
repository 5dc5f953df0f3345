import type { WireShipmentMethod } from '../contract/index.ts'
import { currencyDigits } from '../money/index.ts'

/** A price below this may be meant as it is. */
const least = 100
/** So many times the value of the cart is more than anybody pays for its delivery. */
const times = 5

/**
 * The first method of an answer whose prices look like cents, by its index, with the price that was meant. `undefined` unless all prices but
 * free ones are whole numbers from 100 that are above five times the value of the cart, in a currency with cents.
 */
export function looksLikeCents(
  methods: readonly Pick<WireShipmentMethod, 'price_incl' | 'price_excl'>[],
  cart: { price_incl: unknown },
  currency: string,
): { at: number; written: number; meant: string } | undefined {
  const value = Number(cart.price_incl)
  if (!(value > 0) || currencyDigits(currency) !== 2) return undefined
  const isOdd = (price: number) => Number.isInteger(price) && price >= least && price > times * value
  const sides = methods.map(({ price_incl, price_excl }) => [Number(price_excl), Number(price_incl)])
  const prices = sides.map((both) => both.find(isOdd))
  const isOfAll = sides.every(([, incl], at) => incl === 0 || prices[at] !== undefined)
  const at = prices.findIndex((price) => price !== undefined)
  const written = prices[at]
  return isOfAll && written !== undefined ? { at, written, meant: (written / 100).toFixed(2) } : undefined
}
