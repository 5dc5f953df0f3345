import type { Client, Connection, Submittable } from 'pg'
import type { Cell } from './side.ts'

/** The length of text that is sent at once, in characters. */
const chunkLength = 256 * 1024

/** The messages of PostgreSQL's COPY that the driver has functions for and its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/**
 * PostgreSQL's `copy ... from stdin` in its text form: one statement adds many rows, without planning each. Its rows are made by `rowsText`.
 * The driver calls the members named `handle...` with the messages of the server.
 */
class CopyIn implements Submittable {
  readonly done: Promise<void>
  readonly #text: string
  readonly #chunks: Iterable<string>
  #resolve: () => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #error: unknown

  constructor(text: string, chunks: Iterable<string>) {
    this.#text = text
    this.#chunks = chunks
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.#chunks) connection.sendCopyFromChunk(Buffer.from(chunk))
    connection.endCopyFrom()
  }

  handleError(error: unknown): void {
    this.#error = error
    // The connection is gone, so no `handleReadyForQuery` follows; after an error of the server this rejects early and harms nothing.
    this.#reject(error)
  }

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.#resolve()
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

/** Sends rows, and resolves once the server has them all. */
export function copyIn(client: Client, text: string, rows: readonly (readonly Cell[])[]): Promise<void> {
  return client.query(new CopyIn(text, rowsText(rows))).done
}

/** Rows in the text form of COPY, in pieces. */
function* rowsText(rows: readonly (readonly Cell[])[]): Generator<string> {
  let text = ''
  for (const row of rows) {
    for (let index = 0; index < row.length; index++) {
      const cell = row[index]!
      if (index > 0) text += '\t'
      text += cell === null ? '\\N' : typeof cell === 'number' ? cell : escaped(cell)
    }
    text += '\n'
    if (text.length < chunkLength) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

const special = /[\\\t\n\r\b\f\v]/
const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}
const escaped = (text: string): string =>
  special.test(text) ? text.replaceAll(/[\\\t\n\r\b\f\v]/g, (one) => escapes[one]!) : text
