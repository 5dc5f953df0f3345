import { type Decimal, readDecimal } from '../money/amount.ts'
import { Fault, isNoData, type Read, readBy } from './plain-read.ts'

/**
 * The longest text of every kind of field, in characters (code points, as JSON Schema counts `maxLength`). The spec states no lengths (spec
 * 2.4); these are far above what a shop sends and far below what blocks the event loop.
 *
 * No answer depends on a text that is `cut`: a longer one is shortened, so that it never costs the rates. Any other text that is too long
 * is refused, because a part of it could mean something else.
 */
export const lengths = {
  /** People, companies, cities, regions, telephone numbers. */
  name: { most: 256, cut: true },
  /** One line of an address, a house number, an extension. */
  line: { most: 256, cut: true },
  /** Of a product, a variant or a method. */
  title: { most: 512, cut: true },
  description: { most: 2_000, cut: true },
  zipcode: { most: 32, cut: false },
  /** Anything but a two-letter code reads as no data; a text longer than any country's name is refused. */
  country: { most: 64, cut: false },
  email: { most: 320, cut: false },
  /** Numbers of people and companies at an authority: `national_id`, `vatnumber`, `cocnumber`. */
  registration: { most: 128, cut: false },
  /** `article_code`, `ean`, `sku`: a part of one could be another product's. */
  code: { most: 256, cut: false },
  orderNumber: { most: 128, cut: false },
} as const satisfies Record<string, { most: number; cut: boolean }>

export type TextKind = keyof typeof lengths

/** The most characters of a chosen payment method's `data`, written as JSON (spec 2.4 payment_method). */
export const MAX_DATA_LENGTH = 65_536

/** Expects data that was read from JSON. */
export const isShortData = (data: unknown): boolean => JSON.stringify(data).length <= MAX_DATA_LENGTH
export const longData = `must be an object of at most ${MAX_DATA_LENGTH} characters as JSON`

/** The most lines of a cart, and the most taxes of its totals (spec 2.4 quote). */
export const MAX_PRODUCTS = 2_000
export const MAX_TAXES = 100

/** Whether a text has at most `most` characters. Does not walk a text that is far too long. */
export const fits =
  (most: number) =>
  (text: string): boolean =>
    text.length <= most || (text.length <= 2 * most && [...text].length <= most)

/** The first `most` characters; never splits a character. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('')

/** More than any price, and few enough digits for JSON to carry the cents exactly. */
export const MAX_AMOUNT = 999_999_999_999

export const MAX_URL_LENGTH = 2048
/** The longest name in DNS. */
const MAX_HOST_LENGTH = 253
/** The longest date, timestamp or language. Longer texts are not walked. */
const MAX_WORD_LENGTH = 40

// Excludes control characters and lone surrogates, which stores change or refuse: two ids could become one.
export const idText = /^[^\p{Cc}\p{Cs}]{1,128}$/u

export const isSet = (value: unknown): boolean =>
  value === true || value === 1 || value === '1' || value === 'true'

/** True for true, 1, '1' and 'true'; false for no data, 0, '0' and 'false'. */
export const flag = () =>
  readBy<boolean>((value) => {
    if (isSet(value)) return true
    if (value === 0 || value === '0' || value === 'false' || isNoData(value)) return false
    return new Fault('must be true or false')
  })

/** Text of an adapter, of any length. */
export const anyText: Read<string> = (value) => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return new Fault('must be text')
}

/** Text of one kind: a longer one is cut or refused, as `lengths` says. */
export const text = (kind: TextKind): Read<string> => {
  const { most, cut } = lengths[kind]
  const isShort = fits(most)
  const tooLong = new Fault(`must be text of at most ${most} characters`)
  return (value) => {
    const given = anyText(value)
    if (typeof given !== 'string' || given.length <= most) return given
    if (cut) return cutTo(given, most)
    return isShort(given) ? given : tooLong
  }
}

/** Whether a text, such as a header or a part of a path, can be an id. */
export const isId = (value: string): boolean => idText.test(value)

/** Ids are text inside, so that 7, "7" and "007" stay what they were and two of them never become one. */
export const id: Read<string> = (value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value)
  if (typeof value === 'string' && isId(value)) return value
  return new Fault('must be an id: a whole number, or text of at most 128 characters')
}

export const amount: Read<Decimal> = (value) =>
  readDecimal(value) ?? new Fault('must be a decimal number of at most 15 digits before the point')

export const amountFromZero: Read<Decimal> = (value) => {
  const read = readDecimal(value)
  return read === undefined || read.startsWith('-')
    ? new Fault('must be a decimal number of 0 or more')
    : read
}

const hasComma = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*\d{1,12},\d{1,4}\s*$/.test(value)

const amountFrom =
  (least: number): Read<number> =>
  (value) => {
    const written = Number(readDecimal(value))
    if (written >= least && written <= MAX_AMOUNT) return written
    return new Fault(
      hasComma(value)
        ? 'has a comma: write a point, as in 5.00'
        : `must be a decimal number from 0 to ${MAX_AMOUNT}`,
    )
  }

/** A decimal of 0 or more as the number that is written to JSON: the only place where money becomes a binary float. */
export const amountOnWire = amountFrom(0)

/** The same, and below 0 a discount. */
export const amountOrDiscount = amountFrom(-MAX_AMOUNT)

/** Weights, volumes and counts. Their units are the shop's (spec 2.4 names none). */
export const quantity: Read<number> = (value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0 // -0 is 0
  const read = readDecimal(value)
  return read === undefined ? new Fault('must be a number') : Number(read)
}

export const currencyCode: Read<string> = (value) =>
  typeof value === 'string' && /^[a-z]{3}$/i.test(value)
    ? value.toLowerCase()
    : new Fault('must be a three-letter currency code')

/** Codes that some write for another one. */
const otherCodes: Record<string, string> = { uk: 'gb', el: 'gr' }

/** A country's code in small letters, without blanks around it. `uk` is `gb`, and `el` is `gr`. */
export function countryIn(text: string): string {
  const code = text.trim().toLowerCase()
  return otherCodes[code] ?? code
}

const isShortCountry = fits(lengths.country.most)

/** Anything but a two-letter code reads as no data, because it must not cost the customer the rates. */
export const countryCode: Read<string> = (value) => {
  if (typeof value !== 'string') return undefined
  if (!isShortCountry(value)) return new Fault('must be a two-letter country code')
  const code = countryIn(value)
  return /^[a-z]{2}$/.test(code) ? code : undefined
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_WORD_LENGTH

/** `nl`, `NL` and `nl_NL` are all `nl`. */
export const languageCode: Read<string> = (value) =>
  isWord(value) && /^[a-z]{2}([-_]|$)/i.test(value) ? value.slice(0, 2).toLowerCase() : undefined

/** One of the known words. Anything else reads as no data. */
export const oneOf =
  <const T extends string>(...words: T[]): Read<T> =>
  (value) =>
    words.find((word) => word === value)

export const instant: Read<string> = (value) => {
  if (!isWord(value)) return undefined
  return /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}

/**
 * An address to send a customer or a call to, kept byte for byte. Whether its scheme and host are allowed is decided where the shop is
 * known; addresses that no shop could mean are refused here.
 */
export const address: Read<string> = (value) => {
  const fault = new Fault(
    'must be an absolute http or https address without user name, spaces, backslashes or control characters',
  )
  if (typeof value !== 'string' || /[\s\\\p{Cc}]/u.test(value) || !/^https?:\/\//i.test(value)) return fault
  if (value.length > MAX_URL_LENGTH) return new Fault(`must have at most ${MAX_URL_LENGTH} characters`)
  const url = URL.parse(value)
  if (url?.username !== '' || url.password !== '' || url.hostname === '') return fault
  return url.hostname.length <= MAX_HOST_LENGTH ? value : fault
}

const dayLong = 86_400_000

/**
 * `Y-m-d`, or the moment of its midnight in the shop's own time zone, in seconds since 1970 or with a time zone, as a plain `YYYY-MM-DD`. It is
 * rounded to the nearest midnight in UTC: read as it stands it would be the day before for every shop east of Greenwich.
 */
export const plainDate: Read<string> = (value) => {
  if (isWord(value) && /^\d{4}-\d{2}-\d{2}/.test(value)) {
    const date = value.slice(0, 10)
    if (Number.isNaN(Date.parse(date))) return undefined
    // 30 February parses as 1 March: such a day is invalid.
    if (date.slice(8) > '28' && new Date(date).getUTCDate() !== Number(date.slice(8))) return undefined
    const at = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value.slice(10)) ? Date.parse(value) : Number.NaN
    return Number.isNaN(at) ? date : nearestDay(at)
  }
  const seconds = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof seconds !== 'number' || !(Math.abs(seconds) < 1e10)) return undefined
  return nearestDay(seconds * 1000)
}

const nearestDay = (at: number): string =>
  new Date(Math.round(at / dayLong) * dayLong).toISOString().slice(0, 10)
