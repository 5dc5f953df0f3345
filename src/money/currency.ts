import Big from 'big.js'
import { type Decimal, decimal } from './decimal.ts'
import { isoDigits } from './iso-4217.ts'

/** How many digits after the point a currency has by ISO 4217: eur 2, jpy 0, kwd 3. Upper or lower case. */
export function currencyDigits(currency: string): number {
  const known = isoDigits.get(currency)
  if (known !== undefined) return known
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency))
    throw new TypeError('A currency is a three-letter code such as "eur"')
  return isoDigits.get(currency.toUpperCase()) ?? 2
}

/**
 * Rounds half up (away from 0) to the currency's digits and writes all of them: `('6.045', 'eur')` is `6.05`,
 * `('5', 'eur')` is `5.00`.
 */
export function roundToCurrency(amount: Decimal | number | Big, currency: string): Decimal {
  const digits = currencyDigits(currency)
  const exact = amount instanceof Big ? amount : decimal(amount)
  // Rounded first, because toFixed alone writes -0.001 as -0.00.
  return exact.round(digits, Big.roundHalfUp).toFixed(digits)
}

/** The fault of a price that is less than the smallest unit of its currency and not 0, such as 0.001 eur or 0.4 jpy. */
export function unitFault(price: number, currency: string): string | undefined {
  // No currency has a larger one.
  if (price === 0 || Math.abs(price) >= 1) return undefined
  const unit = 1 / 10 ** currencyDigits(currency)
  return Math.abs(price) < unit ? `must be 0, or ${unit} ${currency} or more` : undefined
}

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
