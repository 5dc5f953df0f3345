import { z } from 'zod'
import { type Decimal, readDecimal } from '../money/amount.ts'
import { isIcon } from './icons.ts'
import { cutTo, fits, isShortData, lengths, longData, type TextKind } from './lengths.ts'
import { Fault, plainReadOf, plainReadOfShape, type QuickRead, readsPlainly } from './plain-read.ts'

// Two schemas for every value of the contract (spec 2.4):
// - `wire`: exactly what the spec allows to be sent, no transforms.
// - readers: everything we accept, turned into one clean shape. "No data" is '', null, false, [] or a missing key.

const nothing = z.union([z.null(), z.literal(false)])

/** More than any price, and few enough digits for JSON to carry the cents exactly. */
const MAX_AMOUNT = 999_999_999_999

const MAX_URL_LENGTH = 2048
/** The longest name in DNS. */
const MAX_HOST_LENGTH = 253
/** The longest date, timestamp or language. Longer texts are not walked. */
const MAX_WORD_LENGTH = 40

// Excludes control characters and lone surrogates, which stores change or refuse: two ids could become one.
const idText = /^[^\p{Cc}\p{Cs}]{1,128}$/u

/** One of each for every kind of text: each stands in many messages, and takes as long to make as a hundred of them to read. */
export const ofEachKind = <T>(make: (kind: TextKind) => T): Record<TextKind, T> =>
  Object.fromEntries(Object.keys(lengths).map((kind) => [kind, make(kind as TextKind)])) as Record<
    TextKind,
    T
  >

/** Text of one kind. It states its longest length in OpenAPI, counted as the reader counts it. */
const texts = ofEachKind((kind) => {
  const { most, cut } = lengths[kind]
  return z
    .string()
    .refine((value) => fits(value, most), `must be text of at most ${most} characters`)
    .meta(cut ? { maxLength: most, description: 'A longer text is cut.' } : { maxLength: most })
})
const maybeTexts = ofEachKind((kind) => z.union([texts[kind], nothing]).optional())

/** The wire's building blocks, free of transforms. */
export const wire = {
  id: z.int().nonnegative(),
  identifier: z.union([z.string().regex(idText), z.int().nonnegative()]),
  text: (kind: TextKind) => maybeTexts[kind],
  /** For fields that require data. */
  requiredText: (kind: TextKind) => texts[kind],
  /** House numbers come as text or as an integer. */
  textOrInteger: (kind: TextKind) => z.union([texts[kind], z.int(), nothing]).optional(),
  decimal: z.union([
    z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT),
    z.string().regex(/^-?\d{1,12}(\.\d{1,4})?$/),
  ]),
  decimalFromZero: z.union([
    z.number().nonnegative().max(MAX_AMOUNT),
    z.string().regex(/^\d{1,12}(\.\d{1,4})?$/),
  ]),
  integer: z.int(),
  flag: z.union([z.boolean(), z.literal(0), z.literal(1)]),
  language: z.string().regex(/^[a-z]{2}$/),
  currency: z.string().regex(/^[a-z]{3}$/),
  country: z.union([z.string().regex(/^[a-z]{2}$/), z.literal(''), nothing]).optional(),
  url: z
    .string()
    .max(MAX_URL_LENGTH)
    .regex(/^https?:\/\/[^\s\\/?#@\p{Cc}]+([/?#][^\s\\\p{Cc}]*)?$/u)
    .refine((value) => URL.canParse(value), 'must be an absolute http or https address'),
  timestamp: z.union([z.iso.datetime({ offset: true }), z.literal(''), nothing]).optional(),
}

/** Marks a field as one that may hold no data: '', null, false or missing. */
export const maybe = <T extends z.ZodType>(schema: T) => z.union([schema, z.literal(''), nothing]).optional()

interface Read<T> {
  (value: unknown): T | undefined | Fault
  /** Of values that are no `''`, `null` or `false`. */
  quick?: Pick<QuickRead, 'when' | 'as'>
}

/** Notes which values generated code reads as `as` says, without this function. */
const quickly = <T>(read: Read<T>, when: string, as = 'v'): Read<T> =>
  Object.assign(read, { quick: { when, as } })

const isNoData = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** One value of a message as a schema. */
const readBy = <T>(read: (value: unknown) => unknown, quick?: QuickRead) =>
  readsPlainly(
    z.transform((value: unknown, ctx): T => {
      const result = read(value)
      if (!(result instanceof Fault)) return result as T
      ctx.issues.push({ code: 'custom', message: result.message, input: value })
      return z.NEVER
    }),
    read,
    quick,
  )

/** A field that may hold no data, read as `undefined`. */
export const optional = <T>(read: Read<T>) =>
  readBy<T | undefined>((value) => (isNoData(value) ? undefined : read(value)), {
    none: 'undefined',
    ...read.quick,
  })

/** A field with a default for no data. */
export const withDefault = <T extends string | number>(read: Read<T>, whenNone: T) =>
  readBy<T>((value) => (isNoData(value) ? whenNone : (read(value) ?? whenNone)), {
    none: JSON.stringify(whenNone),
    ...read.quick,
  })

/** A field that the answer requires. */
export const required = <T>(read: Read<T>) =>
  readBy<T>((value) => (isNoData(value) ? missing : (read(value) ?? missing)), read.quick)

const missing = new Fault('is missing')

export const isSet = (value: unknown): boolean =>
  value === true || value === 1 || value === '1' || value === 'true'

/** True for true, 1, '1' and 'true'; false for no data, 0, '0' and 'false'. */
export const flag = () =>
  readBy<boolean>(
    (value) => {
      if (isSet(value)) return true
      if (value === 0 || value === '0' || value === 'false' || isNoData(value)) return false
      return new Fault('must be true or false')
    },
    { none: 'false', when: 'v === true' },
  )

/** Text of an adapter, of any length. */
export const anyText: Read<string> = quickly((value) => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return new Fault('must be text')
}, "typeof v === 'string' && v !== ''")

/** Text of one kind: a longer one is cut or refused, as `lengths` says. */
export const text = (kind: TextKind): Read<string> => {
  const { most, cut } = lengths[kind]
  const tooLong = new Fault(`must be text of at most ${most} characters`)
  const read: Read<string> = (value) => {
    const given = anyText(value)
    if (typeof given !== 'string' || given.length <= most) return given
    if (cut) return cutTo(given, most)
    return fits(given, most) ? given : tooLong
  }
  return quickly(read, `typeof v === 'string' && v !== '' && v.length <= ${most}`)
}

/** Whether a text, such as a header or a part of a path, can be an id. */
export const isId = (value: string): boolean => idText.test(value)

/** Ids are text inside, so that 7, "7" and "007" stay what they were and two of them never become one. */
export const id: Read<string> = quickly(
  (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value)
    if (typeof value === 'string' && isId(value)) return value
    return new Fault('must be an id: a whole number, or text of at most 128 characters')
  },
  'Number.isSafeInteger(v) && v >= 0',
  'String(v)',
)

export const amount: Read<Decimal> = quickly(
  (value) =>
    readDecimal(value) ?? new Fault('must be a decimal number of at most 15 digits before the point'),
  "typeof v === 'number' && (v | 0) === v",
  'String(v)',
)

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
export const amountOnWire: Read<number> = quickly(
  amountFrom(0),
  // A number that has at most four digits after the point is read as itself.
  "typeof v === 'number' && v >= 0 && v < 1e7 && Math.round(v * 1e4) / 1e4 === v",
  'v + 0', // -0 is 0
)

/** The same, and below 0 a discount. */
export const amountOrDiscount: Read<number> = Object.assign(amountFrom(-MAX_AMOUNT), {
  quick: amountOnWire.quick!,
})

/** An icon that cannot be used is no data: it must not cost the customer the method. */
export const icon: Read<string> = (value) => (typeof value === 'string' && isIcon(value) ? value : undefined)

/** Weights, volumes and counts. Their units are the shop's (spec 2.4 names none). */
export const quantity: Read<number> = quickly(
  (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0 // -0 is 0
    const read = readDecimal(value)
    return read === undefined ? new Fault('must be a number') : Number(read)
  },
  'Number.isSafeInteger(v)',
  'v + 0',
)

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

/** Anything but a two-letter code reads as no data, because it must not cost the customer the rates. */
export const countryCode: Read<string> = (value) => {
  if (typeof value !== 'string') return undefined
  if (!fits(value, lengths.country.most)) return new Fault('must be a two-letter country code')
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

/** Nearly every instant is written this way, and a date that is parsed costs six times as much. */
const usualInstant =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

export const instant: Read<string> = (value) => {
  if (!isWord(value)) return undefined
  if (usualInstant.test(value)) return value
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

/** An object; no data is an empty one. PHP writes an empty object as `[]`. */
export const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const object = (value: unknown) => (isNoData(value) ? {} : value)
  const read = plainReadOfShape(shape)
  return readsPlainly(z.preprocess(object, z.object(shape)), (value) => read(object(value)))
}

/** The personal fields of a message to read; all of a part that is not named. */
export interface PersonalFields {
  customer?: readonly string[]
  billing_address?: readonly string[]
  shipping_address?: readonly string[]
}

/** The named fields. The type keeps all of them: callers know the ones they named. */
export const only = <Shape extends object>(shape: Shape, names: readonly string[] | undefined): Shape =>
  names
    ? (Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name))) as Shape)
    : shape

/** A list of at most `most`. No data is an empty list, and PHP writes a list with gaps as an object keyed by number. */
export const listOf = <T extends z.ZodType>(schema: T, most: number) => {
  const tooMany = new Fault(`must be a list of at most ${most}`)
  const list = (value: unknown): unknown => {
    if (isNoData(value)) return []
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
    return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : value
  }
  // Checked before the items are read, so that faults in a hundred thousand of them are never collected.
  const counted = (value: unknown, ctx: z.core.$RefinementCtx): unknown => {
    const given = list(value)
    if (!Array.isArray(given) || given.length <= most) return given
    ctx.issues.push({ code: 'custom', message: tooMany.message, input: value })
    return z.NEVER
  }
  const read = plainReadOf(schema)
  return readsPlainly(z.preprocess(counted, z.array(schema)), (value) => {
    const given = list(value)
    if (!Array.isArray(given)) return new Fault('must be a list')
    if (given.length > most) return tooMany
    const items: unknown[] = []
    for (const one of given) {
      const item = read(one)
      if (item instanceof Fault) return item
      items.push(item)
    }
    return items
  })
}

/** Free data to be written to JSON. */
export const jsonData = () =>
  z
    .preprocess((value) => (isNoData(value) ? {} : value), z.record(z.string(), z.unknown()))
    .refine(isWritable, 'cannot be written to JSON')

function isWritable(data: unknown): boolean {
  try {
    JSON.stringify(data)
    return true
  } catch {
    return false
  }
}

/** Values that belong to the method and pass through as they are, up to 65,536 characters as JSON. */
export const freeData = () =>
  readBy<Record<string, unknown>>((value) => {
    if (isNoData(value)) return {}
    const isObject = typeof value === 'object' && !Array.isArray(value)
    return isObject && isShortData(value) ? value : new Fault(longData)
  })
