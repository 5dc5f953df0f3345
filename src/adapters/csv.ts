/** The delimiter that the header has most often. A comma in a number of a file with semicolons stays in its cell. */
export function delimiterOf(text: string): string {
  const [header = ''] = text.trimStart().split('\n', 1)
  const uses = (delimiter: string) => header.split(delimiter).length
  return [';', '\t'].reduce((best, one) => (uses(one) > uses(best) ? one : best), ',')
}

/** The parser counts a CRLF inside of quotes as two lines: with these line ends its numbers are those of an editor. */
export const withUnixLines = (text: string): string => text.replaceAll('\r\n', '\n')

/** The same for a file that is read piece by piece, whatever its bytes stand for. */
export async function* unixLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = ''
  for await (const piece of pieces) {
    const text = held + piece.toString('latin1')
    // Its line feed may come with the next piece.
    held = text.endsWith('\r') ? '\r' : ''
    yield Buffer.from(withUnixLines(held === '' ? text : text.slice(0, -1)), 'latin1')
  }
  if (held !== '') yield Buffer.from(held)
}
