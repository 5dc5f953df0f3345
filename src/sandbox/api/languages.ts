import { languages } from '../../messages/live.ts'

const knownCountries = `at aut Austria, au aus Australia, be bel Belgium, bg bgr Bulgaria, br bra Brazil, ca can Canada,
  ch che Switzerland, cn chn China, cy cyp Cyprus, cz cze Czechia, de deu Germany, dk dnk Denmark,
  ee est Estonia, es esp Spain, fi fin Finland, fr fra France, gb gbr United Kingdom, gr grc Greece,
  hr hrv Croatia, hu hun Hungary, ie irl Ireland, is isl Iceland, it ita Italy, jp jpn Japan,
  kr kor South Korea, li lie Liechtenstein, lt ltu Lithuania, lu lux Luxembourg, lv lva Latvia,
  mt mlt Malta, mx mex Mexico, nl nld Netherlands, no nor Norway, nz nzl New Zealand, pl pol Poland,
  pt prt Portugal, ro rou Romania, se swe Sweden, sg sgp Singapore, si svn Slovenia, sk svk Slovakia,
  tr tur Türkiye, ua ukr Ukraine, us usa United States, za zaf South Africa`

/** Countries as live platforms show them. */
export const allCountries = knownCountries.split(/,\s+/).map((country, index) => {
  const [code = '', code3 = '', ...title] = country.split(' ')
  return { id: index + 1, code, code3, title: title.join(' ') }
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

/** The language with this code, in any case. */
export const languageOf = (given: unknown) =>
  apiLanguages.find(({ code }) => code === String(given).toLowerCase())
