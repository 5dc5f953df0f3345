/** One text, or one per two-letter language. */
export type LocalText = string | { readonly [language: string]: string }

/** Whether a text is a language, in two lower-case letters, that dates and amounts can be written in. */
export const isLanguage = (text: string): boolean =>
  /^[a-z]{2}$/.test(text) && Intl.NumberFormat.supportedLocalesOf(text).length > 0

/** Two texts as one, in every language that either has. */
export function joinTexts(one: LocalText, other: LocalText | undefined, between: string): LocalText {
  if (other === undefined || other === '') return one
  if (typeof one === 'string' && typeof other === 'string') return `${one}${between}${other}`
  const languages = [one, other].flatMap((text) => (typeof text === 'string' ? [] : Object.keys(text)))
  return Object.fromEntries(
    [...new Set(['en', ...languages])].map((language) => [
      language,
      `${inLanguage(one, language)}${between}${inLanguage(other, language)}`,
    ]),
  )
}

/** The text in the language, otherwise the English one, otherwise the first. Anything but text is returned unchanged. */
export function inLanguage(text: unknown, language: string): unknown {
  if (typeof text !== 'object' || text === null) return text
  const texts = text as Record<string, unknown>
  if (Object.hasOwn(texts, language)) return texts[language]
  return Object.hasOwn(texts, 'en') ? texts.en : Object.values(texts)[0]
}
