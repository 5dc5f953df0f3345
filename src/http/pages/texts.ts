import { readdirSync, readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'
import type { IntlMessageFormat } from 'intl-messageformat'
import { packageFile } from '../../package-files.ts'
import type { PageContent } from '../../payments/page-form.ts'
import type { AnyPaymentAdapter } from '../../use-cases/workings.ts'
import { loadMessageFormat } from '../packages.ts'

/** The states of a payment on a page: each has a title, and the next step. */
type StateKey =
  | ('paid' | 'pending' | 'part' | 'expired' | 'cancelled')
  | ('handling' | 'replaced' | 'left' | 'unsure' | 'onward' | 'unfinished')
/** Why there is no page: a title, and what to do. */
export type MessageKey = 'notFound' | 'refused' | 'failed' | 'slow' | 'tooLarge' | 'unreadable'
type FieldKey = 'name' | 'email' | 'phone' | 'iban' | 'cardNumber' | 'cardExpiry' | 'cardCode' | 'cardName'

/** Every language file holds all of these; a test compares the files. */
export type TextKey =
  | 'title'
  | 'titleWithoutNumber'
  | `${'back' | StateKey | MessageKey}${'' | 'Hint'}`
  | `${'amount' | 'total' | 'received' | 'missing' | 'by' | 'order' | 'reference' | 'cancel' | 'lookAgain' | 'goOn' | 'startAgain' | 'openAgain' | 'unfinishedAtBank'}`
  | `${'support' | 'terms' | 'privacy'}`
  | FieldKey
  | `${'iban' | 'cardExpiry' | 'cardCode'}Hint`
  | `${'faulty' | 'formFaults' | 'optional' | 'required' | 'invalid' | 'hostedMissing' | 'paused' | 'noMoreForms'}`

const folder = new URL('./texts/', import.meta.url)

/** The languages of the pages, one file each: a file added here adds a language. */
export const pageLanguages: readonly string[] = packageFile(folder, (place) =>
  readdirSync(place).map((file) => file.slice(0, 2)),
)

/** The texts of one language. One with values is parsed once. */
class Texts {
  readonly #language: string
  readonly #texts: Readonly<Record<string, string>>
  readonly #parsed = new Map<string, IntlMessageFormat>()

  constructor(language: string) {
    this.#language = language
    this.#texts = JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))
  }

  find(key: string, values?: Record<string, string>): string | undefined {
    const text = Object.hasOwn(this.#texts, key) ? this.#texts[key] : undefined
    if (text === undefined || !values) return text
    let parsed = this.#parsed.get(key)
    if (!parsed) {
      parsed = new (loadMessageFormat().IntlMessageFormat)(text, this.#language)
      this.#parsed.set(key, parsed)
    }
    return String(parsed.format(values))
  }
}

const loaded = new Map<string, Texts>()

/** The text of a key in a language of the pages; `undefined` for a key that there is not. */
export function findText(language: string, key: string, values?: Record<string, string>): string | undefined {
  let texts = loaded.get(language)
  if (!texts) {
    texts = new Texts(language)
    loaded.set(language, texts)
  }
  return texts.find(key, values)
}

/** The adapter's own text of a key, in the language of the page or in English. `{name}` stands for a value. */
export function ownText(
  adapter: AnyPaymentAdapter | undefined,
  language: string,
  key: string,
  values: Record<string, string> = {},
): string | undefined {
  const texts = [language, 'en'].map((one) => adapter?.page?.texts?.[one])
  const text = texts.find((one) => one && Object.hasOwn(one, key))?.[key]
  return text?.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** Text of others, as HTML. No direction mark in it moves the words around it. */
export const isolated = (text: string): PageContent => html`<bdi>${text}</bdi>` as PageContent

/** A text of ours as HTML, with its values isolated. */
export function pageText(language: string, key: TextKey, values: Record<string, string> = {}): PageContent {
  const shown = Object.entries(values).map(([name, value]) => [name, String(isolated(value))])
  return raw(findText(language, key, Object.fromEntries(shown))!)
}

/** The longest Accept-Language that is read; those of browsers are much shorter. */
const longestAcceptLanguage = 256

/** From 0 to 1, as in `nl;q=0.8`. */
const weightOf = (part: string): number => Number(/;\s*q=([\d.]+)/i.exec(part)?.[1] ?? 1)

/** The first language that the pages speak: the order's, then those the browser asks for, then English. */
export function choosePageLanguage(
  orderLanguage: string | undefined,
  acceptLanguage: string | undefined,
): string {
  const asked = (acceptLanguage ?? '')
    .slice(0, longestAcceptLanguage)
    .split(',')
    .map((part) => ({ tag: part.trim().slice(0, 2).toLowerCase(), weight: weightOf(part) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
  return [orderLanguage, ...asked].find((one) => one !== undefined && pageLanguages.includes(one)) ?? 'en'
}
