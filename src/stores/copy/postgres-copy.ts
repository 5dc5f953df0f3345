import type { Client, Connection, Submittable } from 'pg'

/** The messages of PostgreSQL's COPY that the driver has functions for and its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** PostgreSQL's COPY in its text form: many rows in one statement. The driver calls the members named `handle...` with the messages of the server. */
class Copying implements Submittable {
  readonly ended = Promise.withResolvers<true>()
  readonly #text: string
  readonly #lines: readonly string[]
  readonly #got: (line: string) => void
  #error: unknown

  constructor(text: string, lines: readonly string[], got: (line: string) => void = () => {}) {
    this.#text = text
    this.#lines = lines
    this.#got = got
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(`${this.#lines.join('\n')}\n`))
    connection.endCopyFrom()
  }

  /** Each message is one row. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#got(chunk.toString('utf8', 0, chunk.length - 1))
  }

  handleError(error: unknown): void {
    this.#error = error
    // The connection is gone, so no `handleReadyForQuery` follows; after an error of the server this rejects early and harms nothing.
    this.ended.reject(error)
  }

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.ended.resolve(true)
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

/** Sends rows, and resolves once the server has them all. */
export async function copyFrom(client: Client, text: string, lines: readonly string[]): Promise<void> {
  await client.query(new Copying(text, lines)).ended.promise
}

/** The rows of a table, about so many at a time: the server waits while they are used. */
export async function* copyTo(client: Client, text: string, atOnce: number): AsyncGenerator<string[]> {
  const { stream } = (client as unknown as { connection: Connection }).connection
  let some: string[] = []
  let filled = Promise.withResolvers<false>()
  const copying = new Copying(text, [], (line) => {
    if (some.push(line) < atOnce) return
    stream.pause()
    filled.resolve(false)
  })
  const { promise: ended } = client.query(copying).ended
  for (let isLast = false; !isLast; ) {
    isLast = await Promise.race([filled.promise, ended])
    const lines = some
    some = []
    filled = Promise.withResolvers()
    stream.resume()
    yield lines
  }
}
