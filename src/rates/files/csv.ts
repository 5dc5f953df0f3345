import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Parser } from 'csv-parse'
import { decoderOf, textOf } from './file-text.ts'

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

/** The same for a file that is read piece by piece, as UTF-8. */
export async function* unixLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: ReturnType<typeof decoderOf> | undefined
  let held = ''
  for await (const piece of pieces) {
    decoder ??= decoderOf(piece)
    const text = held + decoder.decode(piece, { stream: true })
    // Its line feed may come with the next piece.
    held = text.endsWith('\r') ? '\r' : ''
    yield Buffer.from(withUnixLines(held === '' ? text : text.slice(0, -1)))
  }
  yield Buffer.from(held + (decoder?.decode() ?? ''))
}

export const linesOf = (handle: FileHandle) =>
  unixLines(handle.createReadStream({ start: 0, autoClose: false }))

/** Parses an open CSV file piece by piece; other work runs in between. Its records come with the lines that an editor shows. */
export async function parserOf(handle: FileHandle): Promise<Parser> {
  const { parse } = await import('csv-parse')
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
  const parser = parse(csvOptions(textOf(buffer.subarray(0, bytesRead))))
  const text = Readable.from(linesOf(handle), { objectMode: false })
  text.on('error', (error) => parser.destroy(error))
  text.pipe(parser)
  return parser
}
