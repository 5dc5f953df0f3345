import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type ParsedUrlQuery, parse } from 'node:querystring'
import { cleanBody, Problem } from '../contract/index.ts'

/**
 * Throws `HOST_HEADER_INVALID` unless a request names one host (RFC 9112, 3.2): of two a proxy may use the first and Node the second. Throws
 * `MEDIA_TYPE_UNSUPPORTED` for a transfer coding but `chunked`: Node would hand over what is compressed as it came.
 */
export function checkHead({ rawHeaders, httpVersion }: IncomingMessage): void {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding')
      if (rawHeaders[at + 1]!.trim().toLowerCase() !== 'chunked') throw new Problem('MEDIA_TYPE_UNSUPPORTED')
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw new Problem('HOST_HEADER_INVALID')
}

/** The longest body of a push, in bytes. */
const maxPush = 256 * 1024
const maxForm = 32 * 1024
const maxFields = 1_000

/** Counts the bytes of a body, of which `counted` are counted already. It may throw a `Problem`. */
type Sized = (bytes: number, counted: number) => void

/** Reads a JSON body of at most `most` bytes without dangerous keys. `sized` gets its bytes, or the most there may be. Rejects with a `Problem`. */
export async function readJson(
  req: IncomingMessage,
  { most, warn, sized }: { most: number; warn: (message: string) => void; sized: Sized },
): Promise<unknown> {
  const { body: parsed } = req as { body?: unknown }
  if (parsed !== undefined) {
    warn('a body parser runs before provider.router: mount the router first, so that its own limits apply')
    sized(Number(req.headers['content-length'] ?? most), 0)
    cleanBody(parsed)
    return parsed
  }
  if (req.readableEnded) throw new Problem('BODY_ALREADY_READ')
  if (!isJson(req.headers['content-type'], req.headers['content-encoding']))
    throw new Problem('MEDIA_TYPE_UNSUPPORTED')
  const bytes = await readBytes(req, most, sized)
  // A tolerant decoder could turn two different ids into one.
  if (!isUtf8(bytes)) throw new Problem('BODY_UNREADABLE')
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Problem('BODY_UNREADABLE')
  }
  cleanBody(body)
  return body
}

/** A missing content type counts as JSON. */
function isJson(type: string | undefined, encoding: string | undefined): boolean {
  if (encoding !== undefined && encoding !== 'identity') return false
  if (type === undefined || type === '' || type === 'application/json') return true
  const [mediaType = '', ...parameters] = type.toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))
  return (
    /^\s*(application|text)\/([\w.-]+\+)?json\s*$/.test(mediaType) &&
    (!charset || /=\s*"?utf-?8"?\s*$/.test(charset))
  )
}

/** The fields of a posted form of at most 32 KiB, without dangerous names. A field that is sent twice is a list. Rejects with a `Problem`. */
export async function readForm(req: IncomingMessage): Promise<ParsedUrlQuery> {
  const { body: parsed } = req as { body?: ParsedUrlQuery }
  if (parsed !== undefined) {
    cleanBody(parsed)
    return parsed
  }
  if (req.readableEnded) throw new Problem('BODY_ALREADY_READ')
  if (!isForm(req.headers['content-type'], req.headers['content-encoding']))
    throw new Problem('MEDIA_TYPE_UNSUPPORTED')
  const text = (await readBytes(req, maxForm)).toString('utf8')
  if (text.split('&', maxFields + 1).length > maxFields) throw new Problem('BODY_TOO_LARGE')
  const form = parse(text)
  // A tolerant decoder has put it in place of what it could not read.
  if (
    /\uFFFD|%EF%BF%BD/i.test(text) ||
    Object.values(form)
      .flat()
      .some((value) => value?.includes('\uFFFD'))
  )
    throw new Problem('BODY_UNREADABLE')
  cleanBody(form)
  return form
}

const isForm = (type = '', encoding: string | undefined): boolean =>
  (encoding === undefined || encoding === 'identity') &&
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)

const { IncomingMessage: NodeRequest } = process.getBuiltinModule('node:http')

/** A body may come in this many pieces of any size. */
const anyPieces = 4_096
/** The least average size of more pieces than that, in bytes. */
const leastPiece = 64

/**
 * A request that stops costing once its socket is destroyed. Node reads up to 64 KiB at a time, some 2,000 small requests, and parses all of
 * them even if the first ones had their socket destroyed. Only a request that wants another protocol ends that: each request of a destroyed
 * socket says that it does.
 *
 * A body in thousands of pieces of a few bytes ends the connection. Each piece costs as much as a large one, and Node handles 2 MB of them at
 * a time.
 */
export class StoppableRequest extends NodeRequest {
  declare private wanted: boolean | null
  #pieces = 0
  #bytes = 0

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
    if (this.listenerCount('data') > 0) this.removeAllListeners('data')
    this.resume()
  }
}

const { push, _dump: dump } = StoppableRequest.prototype

/** The raw body, at most 256 KiB. */
export function readBytes(req: IncomingMessage, most = maxPush, sized: Sized = () => {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stated = Number(req.headers['content-length'] ?? 0)
    if (stated > most) throw new Problem('BODY_TOO_LARGE')
    // Before it comes, so that bodies beyond the limits are not kept.
    sized(stated, 0)
    // Copied into one buffer: of a body in pieces of one byte, each piece would cost a kilobyte until the last has come.
    let bytes: Buffer = Buffer.alloc(0)
    let size = 0
    req.on('data', (piece: Buffer) => {
      // The rest is read by nobody.
      if (size > most) return
      const before = size
      size += piece.length
      try {
        if (size > most) throw new Problem('BODY_TOO_LARGE')
        if (size > stated) sized(size, Math.max(before, stated))
      } catch (error) {
        ;[bytes, size] = [Buffer.alloc(0), Number.POSITIVE_INFINITY]
        return reject(error)
      }
      if (before === 0) bytes = piece
      else {
        if (size > bytes.length) bytes = grown(bytes, size, most)
        piece.copy(bytes, before)
      }
    })
    req.on('end', () => resolve(bytes.subarray(0, size)))
    req.on('error', () => reject(new Problem('BODY_UNREADABLE')))
  })
}

/** A copy with room for at least `size` bytes, and for twice as many as before, up to `most`. */
function grown(bytes: Buffer, size: number, most: number): Buffer {
  const larger = Buffer.alloc(Math.max(size, Math.min(2 * bytes.length, most)))
  bytes.copy(larger)
  return larger
}
