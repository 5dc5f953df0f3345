import { Readable } from 'node:stream'
import { jsonIn } from '../../contract/texts.ts'
import { type ErrorCode, type ErrorFault, PurveyorError } from '../../errors/errors.ts'
import { counted } from '../../printable.ts'

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
/** Reads the cell of a flag, in small letters; `undefined` for anything else. */
export const flagIn = (cell: string): boolean | undefined => flags.get(cell)
const [no, yes] = [
  ['', '0', 'false'],
  ['1', 'true'],
]
const flags = new Map([
  ...no.map((cell) => [cell, false] as const),
  ...yes.map((cell) => [cell, true] as const),
])
export const noFlag = 'is neither true nor false: write true, false, 1, 0 or nothing'

/** No charset such as Windows-1252 is guessed: its bytes are other letters in Windows-1250. */
export const lost =
  'has characters that are not UTF-8: save the file as UTF-8, which spreadsheets call CSV UTF-8, and correct them'

export function jsonOrText(text: string): unknown {
  const json = jsonIn(text)
  return json === undefined ? text : json
}

/** So many faults are named, and so many characters of the name of a column. */
const most = { faults: 20, named: 40 }

/** The error of a file that cannot be used, with its first faults. `what` begins the sentence. */
export function fileInvalid(
  code: ErrorCode,
  what: string,
  file: string,
  faults: readonly Required<ErrorFault>[],
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

/** How a file that begins with this text is parsed. Its delimiter is the one that the header has most often: a comma in a number stays in its cell. */
function csvOptions(text: string) {
  const [header = ''] = text.trimStart().split('\n', 1)
  const uses = (delimiter: string) => header.split(delimiter).length
  const delimiter = [';', '\t'].reduce((best, one) => (uses(one) > uses(best) ? one : best), ',')
  const skips = { skip_empty_lines: true, skip_records_with_empty_values: true }
  return { delimiter, info: true, relax_column_count: true, trim: true, ...skips } as const
}

const noCsv =
  'is not CSV: a quote opens in the middle of a cell. Put a cell with quotes into double quotes, and double every quote in it'
const unclosed =
  'is not CSV: a quote opens in this line and is never closed. Close it, or put the cell into double quotes and double every quote in it'
const atOnce = 65_536

/**
 * Reads an open CSV file without blocking the process for long. `begin` gets the header, and returns what takes each line with as many cells,
 * by the number that an editor shows; `fault` gets the others, and text that is not CSV.
 */
export async function readCsv(
  handle: { readFile(): Promise<Uint8Array> },
  begin: (header: string[], line: number) => (cells: string[], line: number) => void,
  fault: (line: number, message: string, code: 'CSV_UNREADABLE' | 'CELLS_MISCOUNTED') => void,
): Promise<void> {
  const { CsvError, parse } = await import('csv-parse')
  // The parser counts a CRLF inside of quotes as two lines: with these line ends its numbers are those of an editor.
  const text = textOf(await handle.readFile()).replaceAll('\r\n', '\n')
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.ceil(bytes.length / atOnce) }, (_, at) =>
    bytes.subarray(at * atOnce, (at + 1) * atOnce),
  )
  const parser = Readable.from(parts, { objectMode: false }).pipe(parse(csvOptions(text)))
  let width = 0
  let take: ReturnType<typeof begin> | undefined
  const readable = () => {
    for (let one = parser.read(); one !== null; one = parser.read()) {
      const { record, info } = one as { record: string[]; info: { lines: number } }
      width ||= record.length
      if (!take) take = begin(record, info.lines)
      else if (record.length === width) take(record, info.lines)
      else {
        const message = `has ${counted(record.length, 'cell')} and the header ${width}: put text with , or ; into double quotes`
        fault(info.lines, message, 'CELLS_MISCOUNTED')
      }
    }
  }
  await new Promise<void>((resolve, reject) => {
    parser.on('readable', readable)
    parser.on('error', (error: Error & { code?: string }) => {
      if (!(error instanceof CsvError)) return reject(error)
      // The parser names the last line of the file. Its bytes end where the row begins.
      const read = () => bytes.subarray(0, Number(error.bytes)).toString()
      if (error.code === 'CSV_QUOTE_NOT_CLOSED') fault(read().split('\n').length, unclosed, 'CSV_UNREADABLE')
      else fault(Number(error.lines), noCsv, 'CSV_UNREADABLE')
      resolve()
    })
    parser.on('end', resolve)
  })
}
