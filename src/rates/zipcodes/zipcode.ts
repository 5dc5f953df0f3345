/**
 * How countries write zipcodes, behind their sign: `9` is a digit, `A` a letter, `a` a letter or none, `X` either. A blank ends a part that
 * may stand alone. Countries that are not here have no zipcodes, or we do not know their form.
 *
 * The table is our own: postcode-validator (3.10, regular expressions for whole zipcodes) knows no parts, and i18n-postal-address no forms.
 */
const forms: Record<string, string> = {
  '999': 'ad fo gn is ls mg om pg',
  '9999':
    'af ai al am at au az bd be bg cc ch cv cx cy dk et ge gl gw hm ht hu li lr lu lv md mk ms mz ne nf no nz ph py si sj sv tn vc ve vg za',
  '9 9999': 'ky',
  '99999':
    'ax ba bb bl bt cr cu de do dz ee eg es fi fr gf gp gt hn hr id iq it jo ke kh kr kw la lk lt ma mc me mf mm mn mq mu mv mx my nc ni np pe pf pk pm re rs sa sd sm sn th tr ua uy va vn wf xk yt zm',
  '99999 9999': 'us as fm gu mh mp pr pw vi',
  '99999 99': 'il',
  '99999 999': 'br',
  '999 99': 'cz gr se sk',
  '999 99 9': 'tw',
  '99 999': 'lc pl',
  '999999': 'by cn co ec in kg kz ng ro ru sg tj tm tt uz',
  '999 9999': 'cl jp',
  '9999 999': 'pt',
  '9999 9999': 'lb',
  '9999999999': 'ir',
  '9999 AA': 'nl',
  'A9A 9A9': 'ca',
  'A9X XXXX': 'ie',
  'AAA 9999': 'mt',
  AA9999: 'bn',
  'AA XX': 'bm',
  'AA 99999': 'so',
  A999: 'sz',
  A9999AAA: 'ar',
  'AAAA 9AA': 'fk gs io pn sh tc',
  // Area, number of the district, its letter, and the inward part.
  'Aa99a 9AA': 'gb gg gi im je',
}

/** Signs that stand in front of zipcodes beside the code of the country. */
const signs: Record<string, string> = Object.fromEntries(
  `ad:AND at:A ba:BIH be:B by:BY ca:CDN de:D ee:EST es:E fi:FIN|AX fr:F gb:UK gr:EL hu:H ie:IRL it:I jp:J li:FL lu:L me:MNE mk:NMK|MK mt:M
  no:N pt:P rs:SRB ru:RUS se:S si:SLO sm:RSM us:USA va:V xk:RKS`
    .split(/\s+/)
    .map((one) => one.split(':')),
)

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const alphabets: Record<string, string> = { 9: digits, A: letters, a: ` ${letters}`, X: digits + letters }

function formatOf(country: string, form: string) {
  const parts = form.split(' ')
  const places = Array.from(parts.join(''), (place) => alphabets[place]!)
  const sign = [country.toUpperCase(), signs[country]].filter(Boolean).join('|')
  return {
    places,
    /** The lengths at which a part ends, the first part first. */
    partEnds: parts.map((_, at) => parts.slice(0, at + 1).join('').length),
    /** Whether zipcodes have an area and the number of a district in front, of any length. */
    hasDistricts: form.startsWith('Aa'),
    /** The sign of the country, in front of what a zipcode begins with. Where that may be letters a sign is set apart. */
    sign: new RegExp(places[0] === digits ? `^(?:${sign})[\\s-]*(?=\\d)` : `^(?:${sign})[\\s-]+(?=[A-Z])`),
  }
}

export const zipcodeFormats = new Map(
  Object.entries(forms).flatMap(([form, countries]) =>
    countries.split(' ').map((country) => [country, formatOf(country, form)] as const),
  ),
)

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
