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
