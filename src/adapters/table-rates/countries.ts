import { countryIn } from '../../contract/values.ts'

/** Created for the first code, because it would slow down every start of a process. */
let names: Intl.DisplayNames | undefined

/** Codes with a name that are not a country to send a parcel to. */
const noCountries = new Set('eu ez un zz xa xb qo'.split(' '))

/** The code in use for another one, such as that of a country with a new name. */
const inUse = (code: string): string | undefined => new Intl.Locale(`und-${code}`).region?.toLowerCase()

/** Whether two letters are a country's code (ISO 3166) that is in use. */
export function isCountry(code: string): boolean {
  if (!/^[a-z]{2}$/.test(code) || noCountries.has(code) || inUse(code) !== code) return false
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return names.of(code.toUpperCase()) !== undefined
}

/** The sentence about a code that is no country's. */
export function noCountry(code: string): string {
  return `${code} ${countryFault(code)}`
}

/** The same, to stand behind the place of the code. */
export function countryFault(code: string): string {
  const small = countryIn(code)
  const current = /^[a-z]{2}$/.test(small) ? inUse(small) : codeOf(small)
  const meant = current !== undefined && isCountry(current) ? current : 'two letters such as nl'
  return `is not a country: write ${meant}`
}

let codes: Map<string, string> | undefined

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** The codes of all countries. */
export const countryCodes = (): string[] =>
  letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry)

/** The code of a country by its English name in small letters. */
function codeOf(name: string): string | undefined {
  codes ??= new Map(countryCodes().map((code) => [String(names?.of(code.toUpperCase())).toLowerCase(), code]))
  return codes.get(name)
}
