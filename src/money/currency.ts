import Big from 'big.js'
import { type Decimal, decimal } from './decimal.ts'

const digitsByCurrency = new Map<string, number>()

/** How many digits after the point a currency has: eur 2, jpy 0, kwd 3. Upper or lower case. */
export function currencyDigits(currency: string): number {
  const known = digitsByCurrency.get(currency)
  if (known !== undefined) return known
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency))
    throw new TypeError('A currency is a three-letter code such as "eur"')
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  digitsByCurrency.set(currency, maximumFractionDigits)
  return maximumFractionDigits
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

/** The amount as a customer reads it in the given language: `('29.34', 'eur', 'nl')` is `€ 29,34`. */
export function formatMoney(amount: Decimal, currency: string, language: string): string {
  currencyDigits(currency)
  // Intl formats decimal strings exactly; its type asks for a narrower string than ours.
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
  }).format(decimal(amount).toFixed() as `${number}`)
}
