/** One text, or one per two-letter language. */
export type LocalText = string | { readonly [language: string]: string }

/** The text in the language, otherwise the English one, otherwise the first. Anything but text is returned unchanged. */
export function inLanguage(text: unknown, language: string): unknown {
  if (typeof text !== 'object' || text === null) return text
  const texts = text as Record<string, unknown>
  if (Object.hasOwn(texts, language)) return texts[language]
  return Object.hasOwn(texts, 'en') ? texts.en : Object.values(texts)[0]
}
