import { expect } from 'vitest'

/** What a check of doctor found. */
export interface Result {
  name: string
  verdict: string
  says: string
  remedy?: string
}

/** A text that has these words in it. */
const withWords = (words: string | RegExp): unknown =>
  typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words)

/** A result with these words, and with these in its remedy. */
export const found = (verdict: string, says: string | RegExp, remedy?: string | RegExp) => ({
  verdict,
  says: withWords(says),
  ...(remedy && { remedy: withWords(remedy) }),
})
