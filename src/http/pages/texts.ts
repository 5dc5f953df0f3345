import { readdirSync, readFileSync } from 'node:fs'
import { html } from 'hono/html'
import type { IntlMessageFormat } from 'intl-messageformat'
import { isLanguage } from '../../adapters/offered-methods.ts'
import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import { didYouMean } from '../../checked-options.ts'
import type { Workings } from '../../parts.ts'
import type { PageContent } from '../../payments/pages/page-form.ts'
import { packageFile } from '../../version.ts'
import { loadMessageFormat } from '../access-log.ts'
import type englishTexts from './texts/en.json'

/** Why there is no page: a title, and what to do. */
export type MessageKey = 'notFound' | 'refused' | 'failed' | 'slow' | 'tooLarge' | 'unreadable'

/** Every language file holds all of these; a test compares the files. */
export type TextKey = keyof typeof englishTexts

type PageTexts = Readonly<Record<string, string>>

const folder = new URL('./texts/', import.meta.url)

/** The languages of our own texts, one file each: a file added here adds a language. */
export const pageLanguages: readonly string[] = packageFile(folder, (place) =>
  readdirSync(place).map((file) => file.slice(0, 2)),
)

const readTexts = (language: string): PageTexts =>
  JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))

export const english = readTexts('en')

/** A language of the pages, with all its texts. One with values is parsed once. */
export class PageLanguage {
  /** Two lower-case letters. */
  readonly tag: string
  readonly #texts: PageTexts
  readonly #parsed = new Map<string, IntlMessageFormat>()

  constructor(tag: string, texts: PageTexts) {
    this.tag = tag
    this.#texts = texts
  }

  /** The parts of a text: what it says, and the values in it; `undefined` for a key that there is not. */
  find(key: string, values?: Record<string, PageContent>): readonly PageContent[] | undefined {
    if (!Object.hasOwn(this.#texts, key)) return undefined
    const text = this.#texts[key]!
    if (!values) return [text]
    let parsed = this.#parsed.get(key)
    if (!parsed) {
      parsed = new (loadMessageFormat().IntlMessageFormat)(text, this.tag, undefined, { ignoreTag: true })
      this.#parsed.set(key, parsed)
    }
    return [parsed.format<PageContent>(values)].flat()
  }
}

export type PageLanguages = ReadonlyMap<string, PageLanguage>

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
export const isolated = (text: string) => html`<bdi>${text}</bdi>`

/** A text of ours as HTML, with its values isolated. */
export function pageText(language: PageLanguage, key: TextKey, values: Record<string, string> = {}) {
  const shown = Object.entries(values).map(([name, value]) => [name, isolated(value)])
  return html`${language.find(key, Object.fromEntries(shown)) as never}`
}

/** The longest Accept-Language that is read; those of browsers are much shorter. */
const longestAcceptLanguage = 256

/** From 0 to 1, as in `nl;q=0.8`. */
const weightOf = (part: string): number => Number(/;\s*q=([\d.]+)/i.exec(part)?.[1] ?? 1)

/** English in a text of another direction: its full stop stays at its end. */
const apart: PageTexts = Object.fromEntries(
  Object.entries(english).map(([key, text]) => [key, `\u2066${text}\u2069`]),
)

/** The languages of a provider's pages: ours and its own, whose texts go before ours. */
export const languagesOf = (own: Workings['texts']): PageLanguages =>
  new Map(
    [...pageLanguages, ...Object.keys(own)].map((tag) => {
      const ours = pageLanguages.includes(tag) ? readTexts(tag) : apart
      return [tag, new PageLanguage(tag, { ...ours, ...own[tag] })]
    }),
  )

/** The first language that the pages speak: the order's, then those the browser asks for, then English. */
export function choosePageLanguage(
  languages: PageLanguages,
  orderLanguage: string | undefined,
  acceptLanguage = '',
): PageLanguage {
  const asked = acceptLanguage
    .slice(0, longestAcceptLanguage)
    .split(',')
    .map((part) => ({ tag: /[a-z]+/i.exec(part)?.[0].toLowerCase(), weight: weightOf(part) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
  return [orderLanguage, ...asked, 'en'].flatMap((tag) => languages.get(tag ?? '') ?? [])[0]!
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why `texts` of pages cannot be shown, each with its path. `ours` are those that stand for our own, and others are an adapter's. */
export function* textFaults(
  texts: unknown,
  { ours = false } = {},
): Generator<{ path: string; message: string }> {
  if (texts === undefined) return
  if (!isObject(texts)) {
    yield { path: '', message: "must be an object of languages, such as { en: { pay: 'Pay' } }" }
    return
  }
  for (const [language, keys] of Object.entries(texts)) {
    if (!isLanguage(language)) yield { path: `.${language}`, message: 'must be a language such as pl' }
    else if (!isObject(keys))
      yield { path: `.${language}`, message: 'must be an object of texts by their keys' }
    else
      for (const [key, text] of Object.entries(keys)) {
        const message = typeof text !== 'string' ? 'must be text' : ours && ourFault(language, key, text)
        if (message) yield { path: `.${language}.${key}`, message }
      }
  }
}

/** A key that we do not have, or placeholders that we do not fill in. */
function ourFault(language: string, key: string, text: string): string | undefined {
  if (!Object.hasOwn(english, key)) return `is not ours: ${didYouMean(key, Object.keys(english))}`
  const values = Object.create(null)
  for (const [, name] of english[key]!.matchAll(/\{(\w+)\}/g)) values[name!] = 'x'
  try {
    const filled = new PageLanguage(language, { [key]: text }).find(key, values)!.join('')
    if (!filled.includes('{')) return undefined
  } catch {}
  return `cannot be filled in: write its placeholders as in "${english[key]}", and an apostrophe before one twice`
}
