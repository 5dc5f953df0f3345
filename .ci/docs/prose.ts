import type { Token } from 'markdown-it'
import { asWords, retiredWord } from '../../test/glossary.ts'
import { markdown } from './page.ts'

/** Something in a text for its writer to look at. A person's judgement decides. */
export interface Finding {
  line: number
  what: 'long' | 'retired' | 'opening'
  /** How many words, or the word itself. */
  detail: string
  sentence: string
}

export const longest = 30

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

interface Sentence {
  line: number
  /** As it is read: code is in backquotes. */
  text: string
}

/** The sentences of a page. Headings and blocks of code are none; a cell of a table is one. */
export function sentencesOf(text: string): Sentence[] {
  const tokens = markdown.parse(text, {})
  // The cells of a table have the line of their row.
  let line = 0
  return tokens.flatMap((token, place) => {
    if (token.map) line = token.map[0] + 1
    if (token.type !== 'inline' || tokens[place - 1]?.type === 'heading_open') return []
    const at = line
    return split(readable(token)).map((sentence) => ({ line: at, text: sentence }))
  })
}

const readable = ({ children }: Token): string =>
  (children ?? [])
    .map(({ type, content }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' '
      if (type === 'image') return ''
      return type === 'code_inline' ? `\`${content}\`` : content
    })
    .join('')

/** Code within a sentence ends none. */
export function split(text: string): string[] {
  const codes: string[] = []
  const masked = text.replace(/`[^`]*`/g, (code) => `CODE${codes.push(code) - 1}X`)
  return [...sentences.segment(masked)]
    .map(({ segment }) => segment.trim().replace(/CODE(\d+)X/g, (_, at) => codes[Number(at)]!))
    .filter(Boolean)
}

/** A piece of code counts as one word. */
export const wordsIn = (sentence: string): number =>
  sentence
    .replace(/`[^`]*`/g, 'code')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length

export function findingsIn(found: readonly Sentence[]): Finding[] {
  return found.flatMap(({ line, text: sentence }) => {
    const words = wordsIn(sentence)
    // In code it is a name, and test/words.test.ts reads those.
    const retired = retiredWord.exec(asWords(sentence.replace(/`[^`]*`/g, 'code')))?.[0]
    const [opening] = /^(?:Who|What|Whoever|Whatever|Nobody)\b/.exec(sentence) ?? []
    // A title is no sentence, and a question may ask.
    const isSentence = /[.:;!)]$/.test(sentence)
    return [
      words > longest ? [{ line, what: 'long' as const, detail: `${words} words`, sentence }] : [],
      retired ? [{ line, what: 'retired' as const, detail: retired, sentence }] : [],
      opening && isSentence ? [{ line, what: 'opening' as const, detail: opening, sentence }] : [],
    ].flat()
  })
}
