import { currencyDigits, roundToCurrency } from './currency.ts'
import { type Decimal, decimal, readDecimal } from './decimal.ts'

/** The price fields of a method as an adapter offers them, rounded or not. */
type OfferedPrice = Record<'price_incl' | 'price_excl' | 'tax_rate', Decimal | number>

/**
 * The side on which a price was given. A change of the price starts there: 10.00 with 21 % of tax is 8.26 without, and 8.26 with that tax
 * is 9.99. `excl` where both are possible; `undefined` where the two prices do not agree with the tax rate, or a field is missing.
 */
export function givenSide(
  { price_incl, price_excl, tax_rate }: OfferedPrice,
  currency: string,
): 'excl' | 'incl' | undefined {
  if ([price_incl, price_excl, tax_rate].some((one) => readDecimal(one) === undefined)) return undefined
  const factor = decimal(tax_rate).plus(1)
  const incl = decimal(price_incl)
  const computed = decimal(price_excl).times(factor)
  if (incl.eq(roundToCurrency(computed, currency))) return 'excl'
  // The price without tax is at most half a unit off.
  const most = decimal('0.5')
    .div(10 ** currencyDigits(currency))
    .times(factor)
  return computed.minus(incl).abs().lte(most) ? 'incl' : undefined
}

/** The fault of such prices. */
export const disagreement = 'price_incl is not price_excl with tax_rate: compute the three with price()'

/**
 * Whether `price_incl` is not `price_excl` with tax, such as two prices that are swapped, or equal beside a tax rate. Each of the two may be
 * rounded to a unit of the currency, and a tax rate to four digits.
 */
export function pricesDisagree(
  { price_incl, price_excl, tax_rate }: Partial<Record<keyof OfferedPrice, unknown>>,
  currency: string,
): boolean {
  const [excl, factor] = [Number(price_excl), 1 + Number(tax_rate)]
  const most = 1.1 / 10 ** currencyDigits(currency) + Math.abs(excl) * 0.00005
  return Math.abs(excl * factor - Number(price_incl)) > most
}
