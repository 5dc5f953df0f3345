import { pageLanguages } from './texts.ts'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why the `texts` of an adapter's pages cannot be shown, each with its path. Pages are shown in our languages only. */
export function* textFaults(texts: unknown): Generator<{ path: string; message: string }> {
  if (texts === undefined) return
  if (!isObject(texts)) {
    yield { path: '', message: "must be an object of languages, such as { en: { pay: 'Pay' } }" }
    return
  }
  for (const [language, keys] of Object.entries(texts)) {
    if (!pageLanguages.includes(language))
      yield {
        path: `.${language}`,
        message: `is never shown: pages are in ${[...pageLanguages].sort().join(', ')}`,
      }
    else if (!isObject(keys))
      yield { path: `.${language}`, message: 'must be an object of texts by their keys' }
    else
      for (const [key, text] of Object.entries(keys))
        if (typeof text !== 'string') yield { path: `.${language}.${key}`, message: 'must be text' }
  }
}
