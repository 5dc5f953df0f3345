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
export function fits(text: string, most: number): boolean {
  if (text.length <= most) return true
  return text.length <= 2 * most && [...text].length <= most
}

/** The first `most` characters; never splits a character. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('')
