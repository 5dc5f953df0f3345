import Big from 'big.js'

/**
 * An exact decimal number as text, without exponent: at most 15 digits before the point and 10 after it. `readDecimal`
 * gives its one canonical form; amounts rounded to a currency keep that currency's zeros (`5.00`).
 */
export type Decimal = string

const written = /^([+-]?)0*(\d{1,15})(?:\.(\d*?)0*)?$/

// PHP writes 29.34 as 29.339999999999996 in some versions, and 30 / 1.21 as "24.793388429752": ten digits after the
// point are more than any price has, the rest is rounded away.
const MAX_FRACTION_DIGITS = 10
const MAX_WHOLE_DIGITS = 15

/**
 * Reads a number or a decimal string of at most 40 characters; `undefined` when it is neither, not finite or too large
 * to be exact. The result has no leading or trailing zeros and `-0` is `0`: equal numbers are equal strings.
 */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value === 'number') {
    if (!(Math.abs(value) < 1e15)) return undefined
    const text = String(value)
    return text.length > 12 || text.includes('e')
      ? canonical(new Big(value).toFixed(MAX_FRACTION_DIGITS))
      : text
  }
  if (typeof value !== 'string' || value.length > 40) return undefined
  return plain(value) ?? canonical(value.trim())
}

const [zero, nine, point] = [48, 57, 46]

/**
 * Reads digits with at most one point, without a leading zero: nearly every figure is written so, and a pattern takes several times as
 * long. `undefined` for any other text.
 */
function plain(text: string): Decimal | undefined {
  const { length } = text
  let whole = length
  /** Without the zeros at the end of a fraction. */
  let end = 0
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === point && whole === length) whole = at
    else if (code < zero || code > nine) return undefined
    else if (whole === length || code !== zero) end = at + 1
  }
  const isRead =
    whole > 0 &&
    whole <= MAX_WHOLE_DIGITS &&
    (whole === 1 || text.charCodeAt(0) !== zero) &&
    length - whole - 1 <= MAX_FRACTION_DIGITS
  if (!isRead) return undefined
  return end === length ? text : text.slice(0, end)
}

function canonical(text: string): Decimal | undefined {
  const parts = written.exec(text)
  if (!parts) return undefined
  const [, sign, whole, fraction = ''] = parts
  if (fraction.length > MAX_FRACTION_DIGITS) {
    return canonical(new Big(`${sign === '-' ? '-' : ''}${whole}.${fraction}`).toFixed(MAX_FRACTION_DIGITS))
  }
  const digits = fraction === '' ? whole! : `${whole}.${fraction}`
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}

/** Opens a decimal for exact arithmetic (`.plus`, `.times`, `.gt`, ...). Throws a `TypeError` for anything that is not a decimal. */
export function decimal(value: Decimal | number): Big {
  const read = readDecimal(value)
  if (read === undefined)
    throw new TypeError('decimal() takes a finite number or a decimal string such as "12.50"')
  return new Big(read)
}

export type { Big }

// ISO 4217, list one of its maintenance agency (SIX), as amended up to 2026, and the currencies that left it since 2015: services report
// refunds of old payments in them. Codes without minor units (metals, funds of banks, tests) are no currencies of an order.

const codes = {
  0: 'BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU
    CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS
    KHR KPW KYD KZT LAK LBP LKR LRD LSL LTL MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STD STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD
    TZS UAH USD USN UYU UZS VED VEF VES WST XCD XCG YER ZAR ZMW ZWG ZWL`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** The digits after the point, by code in upper and in lower case. */
const isoDigits: ReadonlyMap<string, number> = new Map(
  Object.entries(codes).flatMap(([digits, list]) =>
    `${list} ${list.toLowerCase()}`.split(/\s+/).map((code) => [code, Number(digits)] as const),
  ),
)

/** Whether a currency of this code exists or existed. Upper or lower case. */
export const isCurrency = (code: unknown): code is string =>
  typeof code === 'string' && isoDigits.has(code.toUpperCase())

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

/** The price fields of a method as an adapter offers them, rounded or not. */
export type OfferedPrice = Record<'price_incl' | 'price_excl' | 'tax_rate', Decimal | number>

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
