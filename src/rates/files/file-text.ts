import { jsonIn } from '../../contract/texts.ts'
import { type ErrorCode, PurveyorError } from '../../errors/errors.ts'

/** By the first two bytes: a mark, or the zero that half of every ASCII character is in UTF-16. */
function charsetOf([first, second]: Uint8Array): string {
  if (first === 0 || (first === 0xfe && second === 0xff)) return 'utf-16be'
  return second === 0 || (first === 0xff && second === 0xfe) ? 'utf-16le' : 'utf-8'
}

/**
 * The text of a file that a person wrote, by its first bytes: UTF-8 or UTF-16, without the mark that spreadsheets write before it. Bytes
 * that are neither become characters that `isLost` finds; with `fatal` they throw a `TypeError`.
 */
export const textOf = (bytes: Uint8Array, fatal = false): string =>
  new TextDecoder(charsetOf(bytes), { fatal }).decode(bytes)

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

/** So many faults are named, and so many characters of the name of a column. */
const most = { faults: 20, named: 40 }

/** A fault of a file at a line and a column, such as `tariff.csv:3 price_excl`. */
interface PlacedFault {
  path: string
  message: string
}

/** The error of a file that cannot be used, which names the first faults. `what` begins the sentence. */
export function fileInvalid(
  code: ErrorCode,
  what: string,
  file: string,
  faults: readonly PlacedFault[],
): PurveyorError {
  const lines = faults.slice(0, most.faults).map(({ path, message }) => `  ${path}: ${message}`)
  if (faults.length > most.faults) lines.push(`  and ${faults.length - most.faults} more`)
  return new PurveyorError(code, `${what} cannot be used:\n${lines.join('\n')}`, { place: file, faults })
}

/** The columns of a header, in small letters, that stand there twice or that `unknown` has words against. */
export function columnFaults(
  header: readonly string[],
  unknown: (name: string) => string | undefined,
): { name: string; message: string }[] {
  return header.flatMap((name, at) => {
    const message = header.indexOf(name) < at ? 'appears twice: remove one' : unknown(name)
    return message === undefined ? [] : { name: name.slice(0, most.named) || `column ${at + 1}`, message }
  })
}
