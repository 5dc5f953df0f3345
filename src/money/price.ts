import { currencyDigits, type Decimal, decimal, readDecimal, roundToCurrency } from './amount.ts'

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

/** The three price fields of a shipment or payment method (spec 2.5, 2.6), with the currency that they are in; `tax_rate` is a fraction. */
export interface Price {
  price_incl: Decimal
  price_excl: Decimal
  tax_rate: Decimal
  /** Lower case. A shipping method in another currency than the shop's is converted or left out, and never taken for one in the shop's. */
  currency: string
}

/** A price with or without tax, its tax rate and its currency. */
export type PriceInput = {
  /** A fraction: `'0.21'` is 21 %. */
  taxRate: Decimal | number
  /** Three letters. Prices are rounded to its digits (jpy 0, eur 2, kwd 3). */
  currency: string
} & (
  | {
      /** Without tax, in `currency`: a number, or decimal text such as `'4.95'`. */
      excl: Decimal | number
      /** Left out where `excl` is given: it is computed. */
      incl?: never
    }
  | {
      /** With tax, in `currency`: a number, or decimal text such as `'4.95'`. */
      incl: Decimal | number
      /** Left out where `incl` is given: it is computed. */
      excl?: never
    }
)

/**
 * Computes the three consistent price fields from one price. Rounds the given side first (half up) and computes the other from it, so that
 * the customer's figures add up.
 *
 * Throws a `TypeError` for anything that is not a finite number, and for a tax rate that is not from 0 to 1 or a result of over 15 digits. A
 * price below 0 is a discount: its method is left out unless the adapter has `allowNegative`. A price that would be rounded to 0 stays as it is: its method is left out with that reason, and never offered free.
 */
export function price(input: PriceInput): Price {
  if (typeof input !== 'object' || input === null)
    throw new TypeError("price() takes an object such as { excl: '5.00', taxRate: '0.21', currency: 'eur' }")
  const { taxRate, currency } = input
  const given: unknown = input.excl === undefined ? input.incl : input.excl
  if ((input.excl === undefined) === (input.incl === undefined)) {
    throw new TypeError('price() takes either excl or incl')
  }
  const rate = atLeastZero(taxRate, 'taxRate')
  if (decimal(rate).gt(1)) throw new TypeError(`price() takes taxRate as a fraction: ${meantFraction(rate)}`)
  const read = amountOf(given, input.excl === undefined ? 'incl' : 'excl')
  const rounded = roundToCurrency(given as Decimal | number, currency)
  const rest = { tax_rate: rate, currency: currency.toLowerCase() }
  if (Number(rounded) === 0 && Number(read) !== 0) return { price_incl: read, price_excl: read, ...rest }
  const factor = decimal(rate).plus(1)
  if (input.excl === undefined) {
    const excl = roundToCurrency(decimal(rounded).div(factor), currency)
    return { price_incl: rounded, price_excl: excl, ...rest }
  }
  const incl = roundToCurrency(decimal(rounded).times(factor), currency)
  if (readDecimal(incl) === undefined) throw new TypeError('price() came to more than 15 digits')
  return { price_incl: incl, price_excl: rounded, ...rest }
}

/**
 * The end of a sentence about a tax rate that is no fraction: `did you mean 0.21?` for `21`, and for `1.21`, by which a price without tax is
 * multiplied.
 */
export function meantFraction(given: unknown): string {
  const read = readDecimal(given)
  if (read === undefined || decimal(read).lt(1) || decimal(read).gte(100)) return "'0.21' is 21 %"
  if (decimal(read).gt(1) && decimal(read).lt(2)) return `did you mean ${decimal(read).minus(1).toFixed()}?`
  return `did you mean ${decimal(read).div(100).toFixed()}?`
}

function atLeastZero(value: unknown, name: string): Decimal {
  const read = amountOf(value, name, ' of 0 or more')
  if (read.startsWith('-')) throw wrongNumber(name, ' of 0 or more', 'below 0')
  return read
}

function amountOf(value: unknown, name: string, range = ''): Decimal {
  const read = readDecimal(value)
  if (read === undefined) throw wrongNumber(name, range, kindOf(value))
  return read
}

const wrongNumber = (name: string, range: string, what: string): TypeError =>
  new TypeError(
    `price() takes ${name} as a number${range}, or a decimal string such as "5.00": it is ${what}`,
  )

/** The kind of a value that is no price. The value itself may be what somebody typed. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'not set'
  if (value === null) return 'null'
  if (typeof value === 'string' && /^\s*\d+,\d+\s*$/.test(value))
    return 'a text with a comma: write a point, as in "5.00"'
  if (typeof value === 'string') return 'a text that is not such a number'
  return typeof value === 'number' ? 'not such a number' : `of type ${typeof value}`
}
