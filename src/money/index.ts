export {
  currencyDigits,
  formatMoney,
  fromMinor,
  isCurrency,
  type MinorUnits,
  roundToCurrency,
  sameMoney,
  toMinor,
  unitFault,
} from './currency.ts'
export { type Big, type Decimal, decimal, readDecimal } from './decimal.ts'
export {
  disagreement,
  givenSide,
  meantFraction,
  type Price,
  type PriceInput,
  price,
  pricesDisagree,
} from './price.ts'
