import { readdirSync, readFileSync } from 'node:fs'
import { loadMessageFormat } from '../packages.ts'

/** Every language file holds all of these; a test compares the files. */
export type TextKey =
  | `${'title' | 'titleWithoutNumber' | 'amount' | 'back' | 'backHint'}`
  | `${'paid' | 'pending' | 'expired' | 'cancelled'}`
  | `${'notFound' | 'refused' | 'failed' | 'slow'}${'' | 'Hint'}`

const folder = new URL('./texts/', import.meta.url)

/** The languages of the pages, one file each: a file added here adds a language. */
const pageLanguages: readonly string[] = readdirSync(folder).map((file) => file.slice(0, 2))

const loaded = new Map<string, Record<TextKey, string>>()

export function pageText(language: string, key: TextKey, values?: Record<string, string>): string {
  let texts = loaded.get(language)
  if (!texts) {
    texts = JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Record<TextKey, string>
    loaded.set(language, texts)
  }
  if (!values) return texts[key]
  const { IntlMessageFormat } = loadMessageFormat()
  return String(new IntlMessageFormat(texts[key], language).format(values))
}

/** The longest Accept-Language that is read; those of browsers are much shorter. */
const longestAcceptLanguage = 256

/** The first language that the pages speak: the order's, then those the browser asks for, then English. */
export function choosePageLanguage(
  orderLanguage: string | undefined,
  acceptLanguage: string | undefined,
): string {
  const asked = (acceptLanguage ?? '')
    .slice(0, longestAcceptLanguage)
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase())
  return [orderLanguage, ...asked].find((one) => one !== undefined && pageLanguages.includes(one)) ?? 'en'
}
