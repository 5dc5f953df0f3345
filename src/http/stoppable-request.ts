import type { Socket } from 'node:net'

/** The used parts of `node:http`. An `import` of it reads every export, which loads fetch and WebSocket: 60 ms of CPU. */
export const { createServer, request: httpRequest } = process.getBuiltinModule('node:http')
const { IncomingMessage: NodeRequest } = process.getBuiltinModule('node:http')

/** A body may come in this many pieces of any size. */
const anyPieces = 4_096
/** The least average size of more pieces than that, in bytes. */
const leastPiece = 64

/** Gets each piece of a body, and `null` at its end. */
export type BodyReader = (piece: Buffer | null) => void

/**
 * A request that stops costing once its socket is destroyed. Node reads up to 64 KiB at a time, some 2,000 small requests, and parses all of
 * them even if the first ones had their socket destroyed. Only a request that wants another protocol ends that: each request of a destroyed
 * socket says that it does.
 *
 * A body in thousands of pieces of a few bytes ends the connection. Each piece costs as much as a large one, and Node handles 2 MB of them at
 * a time.
 *
 * A body can be read past the stream, whose buffers, ticks and events cost more than those of a small message are worth.
 */
export class StoppableRequest extends NodeRequest {
  declare private wanted: boolean | null
  #pieces = 0
  #bytes = 0
  #reader: BodyReader | undefined

  constructor(socket: Socket) {
    super(socket)
    // On the object itself: Express puts a prototype of its own in place of this one.
    this.push = push
    this._dump = dump
  }

  get upgrade(): boolean | null {
    return this.wanted || this.socket?.destroyed
  }

  set upgrade(wanted: boolean | null) {
    this.wanted = wanted
  }

  /** Hands the body to `reader` and not to the stream. Returns whether it does: a body that has begun to arrive is in the stream. */
  readBy(reader: BodyReader): boolean {
    if (this.#pieces > 0 || this.complete) return false
    this.#reader = reader
    return true
  }

  /** Called for each piece of the body. */
  override push(piece: Buffer | null): boolean {
    const reader = this.#reader
    if (piece === null) {
      // So that the empty stream ends: Node waits for that.
      if (reader) this.resume()
      const ended = super.push(piece)
      reader?.(piece)
      return ended
    }
    this.#pieces++
    this.#bytes += piece.length
    if (this.#pieces > anyPieces && this.#bytes < this.#pieces * leastPiece)
      this.socket.destroy(Object.assign(new Error('A body came in tiny pieces'), { code: 'BODY_IN_PIECES' }))
    if (this.socket.destroyed) return true
    if (!reader) return super.push(piece)
    reader(piece)
    return true
  }

  /** Drops a body that nobody reads. Node's own way would no longer hand over its pieces. */
  _dump(): void {
    if (this.listenerCount('data') > 0) this.removeAllListeners('data')
    this.resume()
  }
}

const { push, _dump: dump } = StoppableRequest.prototype
