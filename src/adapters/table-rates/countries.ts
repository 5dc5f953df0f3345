/** Made for the first code: it takes longer than all else at the start of a process. */
let names: Intl.DisplayNames | undefined

/** Codes that have a name and are no country to send a parcel to, or no longer one. */
const noCountries = new Set([
  'uk',
  'eu',
  'ez',
  'un',
  'zz',
  'xa',
  'xb',
  'qo',
  'an',
  'cs',
  'su',
  'yu',
  'dd',
  'fx',
  'tp',
  'zr',
  'bu',
])

/** Whether two letters are a country's code (ISO 3166). */
export function isCountry(code: string): boolean {
  if (!/^[a-z]{2}$/.test(code) || noCountries.has(code)) return false
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return names.of(code.toUpperCase()) !== undefined
}
