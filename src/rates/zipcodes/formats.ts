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

/** How a country writes zipcodes. */
export interface ZipcodeFormat {
  /** The characters of each place of a zipcode, in order. */
  places: readonly string[]
  /** The lengths at which a part ends, the first part first. */
  partEnds: readonly number[]
  /** Whether zipcodes have an area and the number of a district in front, of any length. */
  hasDistricts: boolean
  /** The sign of the country, in front of what a zipcode begins with. */
  sign: RegExp
}

function formatOf(country: string, form: string): ZipcodeFormat {
  const parts = form.split(' ')
  const places = Array.from(parts.join(''), (place) => alphabets[place]!)
  const sign = [country.toUpperCase(), signs[country]].filter(Boolean).join('|')
  return {
    places,
    partEnds: parts.map((_, at) => parts.slice(0, at + 1).join('').length),
    hasDistricts: form.startsWith('Aa'),
    // Letters may begin a zipcode too: there a sign is set apart.
    sign: new RegExp(places[0] === digits ? `^(?:${sign})[\\s-]*(?=\\d)` : `^(?:${sign})[\\s-]+(?=[A-Z])`),
  }
}

/** By country, in two lower-case letters. */
export const zipcodeFormats: ReadonlyMap<string, ZipcodeFormat> = new Map(
  Object.entries(forms).flatMap(([form, countries]) =>
    countries.split(' ').map((country): [string, ZipcodeFormat] => [country, formatOf(country, form)]),
  ),
)
