import { languages } from '../../messages/live.ts'

const knownCountries = `at aut, au aus, be bel, bg bgr, br bra, ca can, ch che, cn chn, cy cyp, cz cze, de deu, dk dnk, ee est, es esp, fi fin,
  fr fra, gb gbr, gr grc, hr hrv, hu hun, ie irl, is isl, it ita, jp jpn, kr kor, li lie, lt ltu, lu lux, lv lva, mt mlt, mx mex, nl nld,
  no nor, nz nzl, pl pol, pt prt, ro rou, se swe, sg sgp, si svn, sk svk, tr tur, ua ukr, us usa, za zaf, hk hkg`
const titlesOfCountries = new Intl.DisplayNames('en', { type: 'region' })

export const allCountries = knownCountries.split(/,\s+/).map((country, index) => {
  const [code = '', code3 = ''] = country.split(' ')
  return { id: index + 1, code, code3, title: titlesOfCountries.of(code.toUpperCase())! }
})

/** The country with this code, of two or three letters in any case, or with this id. */
export function countryOf(given: unknown) {
  const text = String(given).toLowerCase()
  return allCountries.find(({ id, code, code3 }) => text === code || text === code3 || text === String(id))
}

const titles: Record<string, string> = {
  ...{ en: 'English', us: 'English (US)', nl: 'Nederlands', de: 'Deutsch', fr: 'Français', es: 'Español' },
}

/** The languages of the API: those of the shop, and `us` as live platforms call American English. */
export const apiLanguages = [...languages, 'us'].map((code, index) => {
  const locale = { en: 'en_GB', us: 'en_US' }[code] ?? `${code}_${code.toUpperCase()}`
  return { id: index + 1, code, locale, title: titles[code] ?? code }
})

export const languageOf = (given: unknown) =>
  apiLanguages.find(({ code }) => code === String(given).toLowerCase())
