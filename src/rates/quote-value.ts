import { currencyDigits, type Decimal, decimal, roundToCurrency } from '../money/index.ts'

/**
 * The value of a quote as every threshold compares it: in money, because the contract sends four decimals and no customer pays 59.9999
 * (spec 2.4 quote). One below 0 counts as 0.
 */
export function quoteValue(amount: Decimal, currency: string): Decimal {
  if (amount.startsWith('-')) return '0'
  const point = amount.indexOf('.')
  const isMoney = point < 0 || amount.length - point - 1 <= currencyDigits(currency)
  return isMoney ? amount : roundToCurrency(amount, currency)
}

/** Whether a quote has reached a value, with tax and in the currency of its shop. */
export const hasReached = (
  { quote, shop }: { quote: { price_incl: Decimal }; shop: { currency: string } },
  value: Decimal | number,
): boolean => decimal(quoteValue(quote.price_incl, shop.currency)).gte(value)
