export {
  type Big,
  currencyDigits,
  type Decimal,
  decimal,
  formatMoney,
  fromMinor,
  isCurrency,
  type MinorUnits,
  readDecimal,
  roundToCurrency,
  sameMoney,
  toMinor,
  unitFault,
} from './amount.ts'
export {
  disagreement,
  givenSide,
  meantFraction,
  type Price,
  type PriceInput,
  price,
  pricesDisagree,
} from './price.ts'
