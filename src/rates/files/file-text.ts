import { jsonIn } from '../../contract/texts.ts'

/** By the first two bytes: a mark, or the zero that half of every ASCII character is in UTF-16. */
function charsetOf([first, second]: Uint8Array): string {
  if (first === 0 || (first === 0xfe && second === 0xff)) return 'utf-16be'
  return second === 0 || (first === 0xff && second === 0xfe) ? 'utf-16le' : 'utf-8'
}

/**
 * The decoder of a file that a person wrote, by its first bytes: UTF-8 or UTF-16, without the mark that spreadsheets write before it. Bytes
 * that are neither become characters that `isLost` finds; with `fatal` they throw a `TypeError`.
 */
export const decoderOf = (bytes: Uint8Array, fatal = false) => new TextDecoder(charsetOf(bytes), { fatal })

export const textOf = (bytes: Uint8Array, fatal = false): string => decoderOf(bytes, fatal).decode(bytes)

/** Whether a text has characters that were lost: in another charset, or before the file was saved. */
export const isLost = (text: string): boolean => text.includes('\uFFFD')

/** No charset such as Windows-1252 is guessed: its bytes are other letters in Windows-1250. */
export const lost =
  'has characters that are not UTF-8: save the file as UTF-8, which spreadsheets call CSV UTF-8, and correct them'

/** The value of a text in JSON, or any other text as it is. */
export function jsonOrText(text: string): unknown {
  const json = jsonIn(text)
  return json === undefined ? text : json
}
