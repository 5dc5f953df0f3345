import type { Socket } from 'node:net'
import { NodeRequest } from './node-http.ts'

/** A body may come in this many pieces of any size. */
const anyPieces = 4_096
/** The least average size of more pieces than that, in bytes. */
const leastPiece = 64

/**
 * A request that stops costing once its socket is destroyed. Node reads up to 64 KiB at a time, some 2,000 small requests, and parses all of
 * them even if the first ones had their socket destroyed. Only a request that wants another protocol ends that: each request of a destroyed
 * socket says that it does.
 *
 * A body in thousands of pieces of a few bytes ends the connection: each piece costs as much as a large one, and Node handles 2 MB of them
 * at a time.
 */
export class StoppableRequest extends NodeRequest {
  declare private wanted: boolean | null
  #pieces = 0
  #bytes = 0

  constructor(socket: Socket) {
    super(socket)
    // On the object itself: Express puts a prototype of its own in place of this one.
    const { push, _dump } = StoppableRequest.prototype
    Object.assign(this, { push, _dump })
  }

  get upgrade(): boolean | null {
    return this.wanted || this.socket?.destroyed
  }

  set upgrade(wanted: boolean | null) {
    this.wanted = wanted
  }

  /** Called for each piece of the body. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) return super.push(piece)
    this.#pieces++
    this.#bytes += piece.length
    if (this.#pieces > anyPieces && this.#bytes < this.#pieces * leastPiece)
      this.socket.destroy(Object.assign(new Error('A body came in tiny pieces'), { code: 'BODY_IN_PIECES' }))
    return this.socket.destroyed || super.push(piece)
  }

  /** Drops a body that nobody reads. Node's own way would no longer hand over its pieces. */
  _dump(): void {
    this.removeAllListeners('data')
    this.resume()
  }
}
