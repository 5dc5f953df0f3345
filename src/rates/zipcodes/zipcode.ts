import { zipcodeFormats } from './formats.ts'

// A zipcode as a key: capitals and digits, the same for every way to write it. Keys sort as zipcodes do, and what begins with a key lies in it.
// A British key has an area of two places, two digits and a letter, so that districts sort by number: `PO3 5LX` is `PO03 5LX`.

/** So many characters of a zipcode count: no country has longer ones. */
const longest = 10

/** Capitals and ASCII digits, with one kind of dash, without the sign of the country. */
export function plainZipcode(country: string, text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
        .replace(/[‐-―−]/g, '-')
  const upper = plain.toUpperCase().trim()
  const sign = zipcodeFormats.get(country)?.sign
  return sign ? upper.replace(sign, '') : upper
}

/** The key of a zipcode, of its first part, or of the beginning of one. `country` is two lower-case letters, or empty for any. */
export function zipcodeKey(country: string, text: string): string {
  // Most calls have such a one: it is its own key.
  if (/^\d[\dA-Z]{0,9}$/.test(text)) return text
  const plain = plainZipcode(country, text)
  const squeezed = squeeze(plain)
  const key = zipcodeFormats.get(country)?.hasDistricts ? districtKey(plain, squeezed) : undefined
  return key ?? squeezed.slice(0, longest)
}

/** Whether it can be a zipcode of a country, or a part of one that may stand alone. Always true where the form is not known. */
export function canBeZipcode(country: string, text: string): boolean {
  const { places, partEnds } = zipcodeFormats.get(country) ?? {}
  // A district without a letter ends where its letter would be.
  const key = Array.from(zipcodeKey(country, text).padEnd(partEnds?.[0] ?? 0))
  return !partEnds || (partEnds.includes(key.length) && key.every((one, at) => places![at]!.includes(one)))
}

export const squeeze = (plain: string): string => plain.replace(/[^A-Z0-9]+/g, '')

const outward = /^([A-Z]{1,2})(?:(\d{1,2})|(\d)([A-Z]))?$/
const withInward = /^([A-Z]{1,2})(?:(\d{1,2})|(\d)([A-Z]))(\d[A-Z]{1,2})$/
const sector = /^(.*\d[A-Z]?)[\s-]+(\d)$/

/** The key of a zipcode with a district, or of its outward part; `undefined` for other texts. */
function districtKey(plain: string, squeezed: string): string | undefined {
  const [, head = squeezed, tail = ''] = withInward.test(squeezed) ? [] : (sector.exec(plain) ?? [])
  const found = withInward.exec(squeezed) ?? outward.exec(squeeze(head))
  if (!found) return undefined
  const [, area = '', number = found[3], , letter = ' ', inward = tail] = found
  const inArea = number === undefined ? '' : number.padStart(2, '0') + (inward || found[4] ? letter : '')
  return area.padEnd(2) + inArea + inward
}

/** A key as people write the zipcode. */
export function zipcodeText(country: string, key: string): string {
  const [, area, number, letter = '', inward = ''] = zipcodeFormats.get(country)?.hasDistricts
    ? (/^([A-Z][ A-Z])(?:(\d\d)(?:([ A-Z])(\d[A-Z]*)?)?)?$/.exec(key) ?? [])
    : []
  if (area === undefined) return key
  const district = area.trim() + (number === undefined ? '' : Number(number)) + letter.trim()
  return inward === '' ? district : `${district} ${inward}`
}

/** A zipcode in one way to write it. It stays as it is in a country without a known form. */
export const oneZipcode = (country: string, text: string): string =>
  zipcodeFormats.has(country) ? zipcodeText(country, zipcodeKey(country, text)) : text

/** Of a blank, a digit and a letter, in order. */
const placeOf = (code: number): number => (code === 32 ? 0 : code < 58 ? code - 47 : code - 54)

/** A key as a number that sorts as keys do: the lowest that begins with it. */
export function numberOf(key: string, rest = 0): number {
  let number = 0
  for (let at = 0; at < longest; at++)
    number = number * 37 + (at < key.length ? placeOf(key.charCodeAt(at)) : rest)
  return number
}

/** The highest number of a key that begins with this one. */
export const highestOf = (key: string): number => numberOf(key, 36)

/**
 * How many whole zipcodes of a country sort before a key and all that begins with it; with `through`, those that begin with it count too. No
 * zipcode begins with a longer key.
 * For a country whose form is not known it is a number that sorts as they do.
 */
export function rankOf(country: string, key: string, through: boolean): number {
  const places = zipcodeFormats.get(country)?.places
  if (!places) {
    const last = /^\d+$/.test(key) ? '9' : 'Z'
    return numberOf(key.padEnd(longest, through ? last : '0')) + (through ? 1 : 0)
  }
  let rank = 0
  let each = places.reduce((product, { length }) => product * length, 1)
  for (const [at, place] of places.entries()) {
    const letter = key[at]
    if (letter === undefined) break
    each /= place.length
    const before = Array.from(place).filter((one) => one < letter).length
    rank += before * each
    if (!place.includes(letter)) return rank
  }
  if (key.length > places.length) return rank + 1
  return rank + (through ? each : 0)
}
