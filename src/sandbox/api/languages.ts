import { languages } from '../../messages/live.ts'

/** A language as live platforms show it. */
export interface ApiLanguage {
  id: number
  code: string
  locale: string
  title: string
}

const known: Record<string, [locale: string, title: string]> = {
  en: ['en_GB', 'English'],
  us: ['en_US', 'English (US)'],
  nl: ['nl_NL', 'Nederlands'],
  de: ['de_DE', 'Deutsch'],
  fr: ['fr_FR', 'Français'],
  es: ['es_ES', 'Español'],
}

/** The languages of the API: those of the shop, and `us` as live platforms call American English. */
export const apiLanguages: readonly ApiLanguage[] = [...languages, 'us'].map((code, place) => {
  const [locale, title] = known[code] ?? [code, code]
  return { id: place + 1, code, locale, title }
})

/** The language with this code, in any case. */
export const languageOf = (given: unknown): ApiLanguage | undefined =>
  apiLanguages.find(({ code }) => code === String(given).toLowerCase())
