import { createHash } from 'node:crypto'
import {
  type FieldFault,
  faultsOf,
  shipmentMethodWriter,
  type WireShipmentMethod,
} from '../contract/index.ts'
import { type Decimal, givenSide, meantFraction, type Price, price, unitFault } from '../money/index.ts'
import { counted } from '../printable.ts'

/** A shipping method as a rate adapter offers it (spec 2.5). Spread `price({...})` for the price fields and `currency`. */
export interface OfferedShipmentMethod {
  /** The id of the method: the same offer has the same one every time. Default: derived from adapter and title. */
  id?: string | number
  /** One text, or one per language: the shop's language is used, otherwise English, otherwise the first. */
  title: LocalText
  /** One text, or one per language. Default: none. */
  description?: LocalText
  /** Where the customer collects the package, in one line. Default: none. */
  address?: string
  /** With tax, in `currency`: a number, or decimal text such as `'4.95'`. */
  price_incl: Decimal | number
  /** Without tax, in `currency`. */
  price_excl: Decimal | number
  /** A fraction: `'0.21'` is 21 %. */
  tax_rate: Decimal | number
  /** The currency of the prices. Default: the shop's. A method in another currency is left out, unless the provider has a `convert`. */
  currency?: string
  /** The customer collects the package at the shop. Default false. */
  is_pickup?: boolean
  /** The customer collects the package at a service point. Default false. */
  is_servicepoint?: boolean
  /** The customer pays at the door. Default false. */
  is_cash_on_delivery?: boolean
  /** From then on it is no longer true, in milliseconds since 1970, such as at a cut-off. No cache answers with it. Default: true for ever. */
  goodUntil?: number
}

/** A method of an adapter that is not in the answer, and why. */
export interface LeftOut {
  /** The place of the method in the adapter's answer, counted from 1. */
  place: number
  id?: string | number
  reason: string
  /** The adapter that the answering one holds and whose method it is. `place` counts in that one's answer. */
  inside?: string
}

/** The most methods of one answer, and the most offered ones that are checked. */
export const maxMethods = 100
const maxLookedAt = 2 * maxMethods

/** Converts an amount from one currency to another. */
export type Convert = (money: { amount: Decimal; from: string; to: string }) => Decimal | number

/** The shop that the methods are written for. */
export interface Audience {
  language: string
  currency: string
  convert: Convert | undefined
  /** Of the adapter: its methods may be discounts. */
  allowNegative?: boolean | undefined
}

/** A method in its wire form, with its end in milliseconds since 1970 if it has one. */
type TimedMethod = WireShipmentMethod & { id: string; goodUntil?: number }

export type Checked = ReturnType<typeof checkShipmentMethods>

/** The earlier of two instants, where `undefined` is no limit. */
export const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one

/**
 * Checks an adapter's methods and turns them into their wire form. Leaves out those whose `goodUntil` had passed at `since`, when the adapter
 * was asked. Never throws. With `asOffered`, for an adapter that another one holds, sound methods stay as they are, in whatever currency.
 */
export function checkShipmentMethods(
  adapter: string,
  offered: readonly unknown[],
  to: Audience,
  since = Number.NEGATIVE_INFINITY,
  asOffered = false,
) {
  const methods: TimedMethod[] = []
  const leftOut: LeftOut[] = []
  const total = offered.length
  const end = Math.min(total, maxLookedAt)
  const audience = asOffered ? { ...to, convert: unconverted } : to
  /** The earliest of the methods. */
  let goodUntil: number | undefined
  for (let at = 0; at < end; at++) {
    if (methods.length === maxMethods)
      return { methods, leftOut: [...leftOut, tooMany(at, total)], goodUntil }
    const place = at + 1
    const checked = checkShipmentMethod(adapter, offered[at], audience)
    if ('faults' in checked) {
      leftOut.push({ place, reason: checked.faults.map(wordsOfFault).join(', ') })
      continue
    }
    const method = asOffered ? (offered[at] as TimedMethod) : checked.method
    const { id, goodUntil: until } = method
    if (until !== undefined && until <= since) {
      leftOut.push({ place, ...(id !== undefined && { id }), reason: passed(until, since) })
      continue
    }
    methods.push(method)
    goodUntil = earlier(goodUntil, until)
  }
  if (total > end) leftOut.push(tooMany(end, total))
  return { methods, leftOut, goodUntil }
}

const wordsOfFault = ({ path, message }: FieldFault): string => `${path === '$' ? 'it' : path} ${message}`

/** As milliseconds, seconds of this century are in the year 1970. */
const mostSeconds = 10_000_000_000

/** Why a method is left out whose `goodUntil` has passed. */
export const passed = (goodUntil: number, now: number): string =>
  goodUntil < mostSeconds && now > mostSeconds
    ? 'its goodUntil has passed: give milliseconds since 1970, not seconds'
    : 'its goodUntil has passed'

const tooMany = (place: number, total: number): LeftOut => ({
  place: place + 1,
  reason: `${counted(total - place, 'further one')} left out: an answer has at most ${maxMethods} methods`,
})

/** The faults of fallback methods, for any currency of the shop. */
export function fallbackFaults(methods: readonly unknown[], place: string): FieldFault[] {
  return methods.flatMap((method, index) =>
    methodFaults(method).map(({ path, message }) => ({ path: `${place}[${index}].${path}`, message })),
  )
}

const unconverted: Convert = ({ amount }) => amount

/** The faults of a method, for any currency of the shop. */
export function methodFaults(method: unknown): FieldFault[] {
  const checked = checkShipmentMethod('', method, { language: 'en', currency: 'eur', convert: unconverted })
  return 'faults' in checked ? checked.faults : []
}

export function checkShipmentMethod(
  adapter: string,
  offered: unknown,
  to: Audience,
): { method: TimedMethod } | { faults: FieldFault[] } {
  try {
    const written = forShop(offered, to)
    const goodUntil = (offered as { goodUntil?: unknown } | null)?.goodUntil
    if (goodUntil !== undefined && !(typeof goodUntil === 'number' && Number.isFinite(goodUntil)))
      return { faults: [{ path: 'goodUntil', message: 'must be milliseconds since 1970' }] }
    const result = shipmentMethodWriter.safeParse(written)
    if (!result.success) return { faults: faultsOf(result.error) }
    const method: WireShipmentMethod & { goodUntil?: number } = result.data
    const wrong = (path: string, message: string) => ({ faults: [{ path, message }] })
    if (Number(method.tax_rate) > 1)
      return wrong('tax_rate', `must be a fraction: ${meantFraction(method.tax_rate)}`)
    const negative = (['price_incl', 'price_excl'] as const).find((side) => Number(method[side]) < 0)
    if (negative && !to.allowNegative) return wrong(negative, discount)
    const below = unitFault(Number(method.price_incl), to.currency)
    if (below) return wrong('price_incl', below)
    method.id ??= derivedId(adapter, method, (offered as { title: unknown }).title)
    if (goodUntil !== undefined) method.goodUntil = goodUntil
    return { method: method as TimedMethod }
  } catch (error) {
    if (error instanceof OtherCurrency) return { faults: [{ path: 'currency', message: error.message }] }
    // A getter of the adapter may throw.
    return { faults: [{ path: '$', message: 'threw while it was read' }] }
  }
}

const discount = 'is below 0: set allowNegative of the adapter, if it is a discount'
class OtherCurrency extends Error {}

/** Applies the shop's language and currency. A method without changes is not copied. */
function forShop(offered: unknown, { language, currency, convert }: Audience): unknown {
  if (typeof offered !== 'object' || offered === null) return offered
  const given = offered as Record<string, unknown>
  const from = given.currency ?? currency
  const foreign = typeof from !== 'string' || from.toLowerCase() !== currency
  if (typeof given.title !== 'object' && typeof given.description !== 'object' && !foreign) return offered
  const written = {
    ...given,
    title: inLanguage(given.title, language),
    description: inLanguage(given.description, language),
  }
  if (!foreign) return written
  if (typeof from !== 'string' || !/^[a-z]{3}$/i.test(from))
    throw new OtherCurrency('must be a three-letter code')
  if (!convert) throw new OtherCurrency(`is ${from}, and the shop's is ${currency}: set rates.convert`)
  const prices = given as unknown as Price
  const { price_excl, price_incl, tax_rate: taxRate } = prices
  const converted = (amount: Decimal) => convert({ amount, from: from.toLowerCase(), to: currency })
  try {
    const side =
      givenSide(prices, from) === 'incl' ? { incl: converted(price_incl) } : { excl: converted(price_excl) }
    return { ...written, ...price({ ...side, taxRate, currency }) }
  } catch {
    throw new OtherCurrency(`could not be converted from ${from} to ${currency}`)
  }
}

/** The same offer has the same id at any price and in any language. */
function derivedId(adapter: string, method: WireShipmentMethod, title: unknown): string {
  const parts = [adapter, title, method.is_pickup, method.is_servicepoint, method.address ?? '']
  return `${adapter}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)}`
}

/** One text, or one per two-letter language. */
export type LocalText = string | { readonly [language: string]: string }

/** Whether a text is a language, in two lower-case letters, that dates and amounts can be written in. */
export const isLanguage = (text: string): boolean =>
  /^[a-z]{2}$/.test(text) && Intl.NumberFormat.supportedLocalesOf(text).length > 0

/** Two texts as one, in every language that either has. */
export function joinTexts(one: LocalText, other: LocalText | undefined, between: string): LocalText {
  if (other === undefined || other === '') return one
  if (typeof one === 'string' && typeof other === 'string') return `${one}${between}${other}`
  const languages = [one, other].flatMap((text) => (typeof text === 'string' ? [] : Object.keys(text)))
  const joined = (language: string) => `${inLanguage(one, language)}${between}${inLanguage(other, language)}`
  return Object.fromEntries(['en', ...languages].map((language) => [language, joined(language)]))
}

/** The text in the language, otherwise the English one, otherwise the first. Anything but text is returned unchanged. */
export function inLanguage(text: unknown, language: string): unknown {
  if (typeof text !== 'object' || text === null) return text
  const texts = text as Record<string, unknown>
  if (Object.hasOwn(texts, language)) return texts[language]
  return Object.hasOwn(texts, 'en') ? texts.en : Object.values(texts)[0]
}
