import Big from 'big.js'
import {
  currencyDigits,
  type Decimal,
  decimal,
  isCurrency,
  type OfferedPrice,
  readDecimal,
  roundToCurrency,
} from './amount.ts'

// Money in other forms: as it was given, as a customer reads it, and in minor units.

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
  return computed.minus(incl).abs().lte(halfUnit(currency).times(factor)) ? 'incl' : undefined
}

/** Half of the smallest unit of a currency: the most that rounding changes. */
export const halfUnit = (currency: string): Big => decimal('0.5').div(10 ** currencyDigits(currency))

/** Whether two amounts of money are equal, such as `5` and `5.00`. Ignores the case of the currency. */
export function sameMoney(
  one: { amount: Decimal; currency: string },
  other: { amount: Decimal; currency: string },
): boolean {
  return (
    one.currency.toLowerCase() === other.currency.toLowerCase() &&
    decimal(one.amount).eq(decimal(other.amount))
  )
}

const formats = new Map<string, Intl.NumberFormat>()
const mostFormats = 500

/** Made once for a language and a currency: that takes longer than all else of a page. */
function formatOf(currency: string, language: string): Intl.NumberFormat {
  const key = `${language} ${currency}`
  const known = formats.get(key)
  if (known) return known
  const digits = currencyDigits(currency)
  // The digits of Intl are those of cash: it shows no fils of an iqd.
  const made = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(key, made)
  return made
}

/** The amount as a customer reads it in the given language: `('29.34', 'eur', 'nl')` is `€ 29,34`. */
export const formatMoney = (amount: Decimal, currency: string, language: string): string =>
  // Its type asks for a narrower string than ours.
  formatOf(currency, language).format(decimal(amount).toFixed() as `${number}`)

/** Where a payment service counts a currency in another way than ISO 4217. */
export interface MinorUnits {
  /**
   * The digits of currencies for which a payment service differs from ISO 4217, by code in lower or upper case: Stripe takes
   * `{ isk: 2, ugx: 2, mga: 0 }`, Adyen `{ isk: 2, clp: 2, cve: 0, idr: 0 }`, PayPal `{ huf: 0, twd: 0 }`.
   */
  digits?: Readonly<Record<string, number>>
  /** Amounts have to be multiples of so many minor units: `{ kwd: 10 }` where the service takes no third digit. */
  multiples?: Readonly<Record<string, number>>
}

/**
 * An amount in the smallest unit of its currency, as most payment services count: `('12.50', 'eur')` is `1250`, `('500', 'jpy')`
 * is `500`. Money is never rounded on its way. Throws a `TypeError` for an unknown currency, and for an amount that is negative, not exact
 * as a number, or not a whole number of minor units.
 */
export function toMinor(amount: Decimal | number, currency: string, units: MinorUnits = {}): number {
  const digits = minorDigits(currency, units)
  const minor = decimal(amount).times(new Big(10).pow(digits))
  const number = Number(minor.toFixed())
  if (minor.lt(0) || !minor.eq(minor.round()) || !Number.isSafeInteger(number)) {
    throw new TypeError(
      `toMinor() takes an amount of 0 or more with at most ${digits} digits for ${currency}`,
    )
  }
  const multiple = lookUp(units.multiples, currency) ?? 1
  if (number % multiple !== 0)
    throw new TypeError(`toMinor() takes amounts in multiples of ${multiple} minor units for ${currency}`)
  return number
}

/**
 * The amount that so many minor units are: `(1250, 'eur')` is `12.50`. Digits of a payment service beyond those of the currency have to
 * be zeros. Throws a `TypeError` for what is no whole number of 0 or more, and for an unknown currency.
 */
export function fromMinor(
  minor: number | bigint | string,
  currency: string,
  units: MinorUnits = {},
): Decimal {
  const digits = minorDigits(currency, units)
  const read = readDecimal(typeof minor === 'bigint' ? String(minor) : minor)
  const whole = typeof minor === 'number' ? Number.isSafeInteger(minor) : read !== undefined
  if (read === undefined || !whole || !/^\d+$/.test(read))
    throw new TypeError('fromMinor() takes a whole number of 0 or more, such as 1250')
  const exact = decimal(read).div(new Big(10).pow(digits))
  const written = exact.toFixed(currencyDigits(currency))
  if (!exact.eq(written)) {
    throw new TypeError(`fromMinor() takes whole ${currency} with ${currencyDigits(currency)} digits at most`)
  }
  return written
}

function minorDigits(currency: string, { digits }: MinorUnits): number {
  const own = lookUp(digits, currency)
  if (own !== undefined) {
    if (Number.isInteger(own) && own >= 0 && own <= 6) return own
    throw new TypeError('`digits` holds whole numbers from 0 to 6')
  }
  if (!isCurrency(currency)) throw new TypeError('This currency is unknown: give its digits with `digits`')
  return currencyDigits(currency)
}

const lookUp = (by: Readonly<Record<string, number>> | undefined, currency: string): number | undefined =>
  by === undefined
    ? undefined
    : Object.entries(by).find(([code]) => code.toLowerCase() === String(currency).toLowerCase())?.[1]
