export {
  currencyDigits,
  formatMoney,
  roundToCurrency,
  sameMoney,
} from './currency.ts'
export { type Big, type Decimal, decimal, readDecimal } from './decimal.ts'
export { type Price, type PriceInput, price } from './price.ts'
