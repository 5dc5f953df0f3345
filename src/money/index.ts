export {
  currencyDigits,
  formatMoney,
  roundToCurrency,
  sameMoney,
  unitFault,
} from './currency.ts'
export { type Big, type Decimal, decimal, readDecimal } from './decimal.ts'
export { disagreement, givenSide, pricesDisagree } from './given-side.ts'
export { isCurrency } from './iso-4217.ts'
export { fromMinor, type MinorUnits, toMinor } from './minor-units.ts'
export { meantFraction, type Price, type PriceInput, price } from './price.ts'
