import { isLanguage } from '../../rates/local-text.ts'
import { didYouMean } from '../../use-cases/nearest.ts'
import { english, PageLanguage } from './texts.ts'

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
