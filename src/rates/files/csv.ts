import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { counted } from '../../printable.ts'
import { textOf } from './file-text.ts'

/** How a file that begins with this text is parsed. Its delimiter is the one that the header has most often: a comma in a number stays in its cell. */
export function csvOptions(text: string) {
  const [header = ''] = text.trimStart().split('\n', 1)
  const uses = (delimiter: string) => header.split(delimiter).length
  return {
    delimiter: [';', '\t'].reduce((best, one) => (uses(one) > uses(best) ? one : best), ','),
    ...{ info: true, relax_column_count: true, trim: true },
    ...{ skip_empty_lines: true, skip_records_with_empty_values: true },
  } as const
}

/** The parser counts a CRLF inside of quotes as two lines: with these line ends its numbers are those of an editor. */
export const withUnixLines = (text: string): string => text.replaceAll('\r\n', '\n')

const noCsv =
  'is not CSV: a quote opens in the middle of a cell. Put a cell with quotes into double quotes, and double every quote in it'
const unclosed =
  'is not CSV: a quote opens in this line and is never closed. Close it, or put the cell into double quotes and double every quote in it'
/** So many characters are parsed before other work runs. */
const atOnce = 65_536

/**
 * Reads an open CSV file without blocking the process for long. `take` gets the header and each line with as many cells, by the number that an
 * editor shows; `fault` gets the others, and text that is not CSV.
 */
export async function readCsv(
  handle: FileHandle,
  take: (cells: string[], line: number) => void,
  fault: (line: number, message: string) => void,
): Promise<void> {
  const { CsvError, parse } = await import('csv-parse')
  const text = withUnixLines(textOf(await handle.readFile()))
  const parts = Array.from({ length: Math.ceil(text.length / atOnce) }, (_, at) =>
    text.slice(at * atOnce, (at + 1) * atOnce),
  )
  const parser = Readable.from(parts, { objectMode: false }).pipe(parse(csvOptions(text)))
  let width = 0
  const readable = () => {
    for (let one = parser.read(); one !== null; one = parser.read()) {
      const { record, info } = one as { record: string[]; info: { lines: number } }
      width ||= record.length
      if (record.length === width) take(record, info.lines)
      else {
        const message = `has ${counted(record.length, 'cell')} and the header ${width}: put text with , or ; into double quotes`
        fault(info.lines, message)
      }
    }
  }
  await new Promise<void>((resolve, reject) => {
    parser.on('readable', readable)
    parser.on('error', (error: Error & { code?: string }) => {
      if (!(error instanceof CsvError)) return reject(error)
      // The parser names the last line of the file. Its bytes end where the row begins.
      const read = () => Buffer.from(text).subarray(0, Number(error.bytes)).toString()
      if (error.code === 'CSV_QUOTE_NOT_CLOSED') fault(read().split('\n').length, unclosed)
      else fault(Number(error.lines), noCsv)
      resolve()
    })
    parser.on('end', resolve)
  })
}
