/** Created for the first code, because it would slow down every start of a process. */
let names: Intl.DisplayNames | undefined

/** Codes with a name that are not, or no longer, a country to send a parcel to. */
const noCountries = new Set('uk eu ez un zz xa xb qo an cs su yu dd fx tp zr bu'.split(' '))

/** Whether two letters are a country's code (ISO 3166). */
export function isCountry(code: string): boolean {
  if (!/^[a-z]{2}$/.test(code) || noCountries.has(code)) return false
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return names.of(code.toUpperCase()) !== undefined
}

/** The sentence about a code that is no country's. */
export function noCountry(code: string): string {
  const small = code.toLowerCase()
  const meant = isCountry(small) ? small : `two letters such as nl${small === 'uk' ? ' (gb)' : ''}`
  return `${code} is not a country: write ${meant}`
}
