import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../contract/index.ts'
import type { RefusalCode } from '../errors/refusals.ts'

/** The limits for calls of one shop. Refusing its calls does not affect other shops. */
export interface CallLimits {
  /** Calls per second, over time. Each further 4 KiB of a body counts as a call. Default 200. */
  perSecond: number
  /** Calls in a burst. Default 1,000. */
  burst: number
  /** Open calls at a time. Default 200. */
  concurrent: number
}

/** For visits of one payment page: far more than a customer and the programs around it need. */
export const pageLimits: CallLimits = { perSecond: 20, burst: 60, concurrent: 60 }

export const defaultLimits: CallLimits = { perSecond: 200, burst: 1_000, concurrent: 200 }

/** The largest body of a call, in bytes: the default of `http.maxBody`, and its range. */
export const bodySizes = { usual: 1024 * 1024, least: 64 * 1024, most: 16 * 1024 * 1024 }

interface Bucket {
  left: number
  at: number
  open: number
}

/** So many bytes of a body count as one more call: what a call costs grows with them. */
const bytesOfCall = 4_096

/** So many may be remembered before those that called long ago are forgotten. */
const forgetFrom = 10_000

/** A token bucket for each shop, or for each page. */
export class KeyedLimits {
  readonly #limits: CallLimits
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  #forgetAt = forgetFrom

  constructor(limits: CallLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Admits one call, or throws `TOO_MANY_REQUESTS`. An admitted call must be released. */
  enter(key: string): void {
    const { perSecond, burst, concurrent } = this.#limits
    const now = this.#now()
    const bucket = this.#bucket(key, now)
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    if (bucket.left < 1 || bucket.open >= concurrent) throw this.#tooMany(bucket)
    bucket.left--
    bucket.open++
  }

  /**
   * Counts a large body as several calls, of which the first `counted` bytes are counted already. Throws `TOO_MANY_REQUESTS` where other
   * calls have overdrawn the bucket.
   */
  spend(key: string, bytes: number, counted = 0): void {
    const bucket = this.#buckets.get(key)
    if (!bucket) return
    const own = Math.floor(counted / bytesOfCall)
    if (bucket.left + own < 0) throw this.#tooMany(bucket)
    bucket.left -= Math.floor(bytes / bytesOfCall) - own
  }

  leave(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.open--
  }

  #tooMany({ left }: Bucket): Problem {
    const seconds = Math.ceil((1 - left) / this.#limits.perSecond)
    return new Problem('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, seconds) })
  }

  #bucket(key: string, now: number): Bucket {
    const known = this.#buckets.get(key)
    if (known) return known
    if (this.#buckets.size >= this.#forgetAt) this.#forget(now)
    const bucket = { left: this.#limits.burst, at: now, open: 0 }
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** Forgets those whose bucket is full again: a new one is the same. Those that are left pay for the next search with their number. */
  #forget(now: number): void {
    const { perSecond, burst } = this.#limits
    for (const [id, { left, at, open }] of this.#buckets)
      if (open === 0 && left + ((now - at) / 1000) * perSecond >= burst) this.#buckets.delete(id)
    this.#forgetAt = Math.max(forgetFrom, 2 * this.#buckets.size)
  }
}

export interface ConnectionLimits {
  /** The most connections at a time. One more ends the connection that has waited longest for its peer. */
  open: number
  /** The most requests of one connection that wait for the answer before theirs. */
  pipelined: number
  /** How long a peer may take to read an answer, in milliseconds. */
  unread: number
  /** The most requests per connection. The last answer says that the connection closes. */
  requests: number
}

export const connectionLimits: ConnectionLimits = {
  open: 10_000,
  pipelined: 4,
  unread: 10_000,
  requests: 10_000,
}

export type Listener = (req: IncomingMessage, res: ServerResponse) => void

interface Connection {
  readonly socket: Socket
  /** The current answer. A finished answer is dropped within a second. */
  answer: ServerResponse | undefined
  /** Requests sent before the answer to the first. */
  readonly waiting: (() => void)[]
  /** How many have been handed to the listener. */
  requests: number
  /** When the answer began to wait for its peer to read. */
  unreadSince: number | undefined
  /** How many bytes its peer had taken by then. */
  taken: number
}

const lookEvery = 1_000

/**
 * The connections of one server. Each has one request answered at a time, so that a peer that pipelines and reads nothing costs one
 * answer. A connection is cut once too many of its requests wait, or once its peer leaves an answer unread.
 */
export class Connections {
  /** Ordered by last request, oldest first. */
  readonly #open = new Map<Socket, Connection>()
  readonly #limits: ConnectionLimits
  readonly #refused: (code: RefusalCode) => void

  constructor(limits: ConnectionLimits, refused: (code: RefusalCode) => void) {
    this.#limits = limits
    this.#refused = refused
  }

  /** Hands the requests of a server to `listener`, each in its turn. */
  serve(server: Server, listener: Listener): void {
    const arrived = (req: IncomingMessage, res: ServerResponse) => this.#arrived(req, res, listener)
    server.on('connection', (socket: Socket) => this.#opened(socket))
    server.on('request', arrived)
    // Node would answer these by itself without counting them.
    server.on('checkExpectation', arrived)
    const look = setInterval(() => this.#look(performance.now()), lookEvery).unref()
    server.once('close', () => clearInterval(look))
  }

  #opened(socket: Socket): void {
    if (this.#open.size >= this.#limits.open && !this.#makeRoom()) {
      this.#refused('CONNECTIONS_FULL')
      socket.destroy()
      return
    }
    this.#open.set(socket, {
      socket,
      answer: undefined,
      waiting: [],
      requests: 0,
      unreadSince: undefined,
      taken: 0,
    })
    socket.once('close', () => this.#open.delete(socket))
  }

  #makeRoom(): boolean {
    for (const connection of this.#open.values()) {
      if (!waitsForPeer(connection)) continue
      this.#cut(connection, 'CONNECTIONS_FULL')
      return true
    }
    return false
  }

  #arrived(req: IncomingMessage, res: ServerResponse, listener: Listener): void {
    const connection = this.#open.get(req.socket)
    // The connection was cut; this request was read together with the last one.
    if (!connection) return
    const { answer, waiting } = connection
    if (waiting.length === 0 && (answer === undefined || answer.writableFinished)) {
      this.#begin(connection, req, res, listener)
    } else if (waiting.length >= this.#limits.pipelined) {
      this.#cut(connection, 'TOO_MANY_PIPELINED')
    } else {
      // In a scope of its own: the trace of the previous request must not continue in this one.
      const scope = new AsyncResource('HTTPREQUEST')
      waiting.push(() => scope.runInAsyncScope(() => this.#begin(connection, req, res, listener)))
      if (waiting.length === 1) answer?.once('close', () => this.#next(connection))
    }
  }

  #begin(connection: Connection, req: IncomingMessage, res: ServerResponse, listener: Listener): void {
    connection.answer = res
    if (++connection.requests >= this.#limits.requests) res.setHeader('Connection', 'close')
    connection.unreadSince = undefined
    this.#open.delete(connection.socket)
    this.#open.set(connection.socket, connection)
    listener(req, res)
  }

  #next(connection: Connection): void {
    if (connection.socket.destroyed) return
    connection.waiting.shift()?.()
    if (connection.waiting.length > 0) connection.answer?.once('close', () => this.#next(connection))
  }

  /** Cuts peers that left an answer unread for too long: all of a complete one, or the next part of a stream. */
  #look(now: number): void {
    for (const connection of this.#open.values()) {
      const { answer, socket } = connection
      if (answer?.writableFinished) {
        if (connection.waiting.length === 0) connection.answer = undefined
        continue
      }
      if (!answer || !isUnread(answer)) continue
      const taken = answer.writableEnded ? connection.taken : socket.bytesWritten - socket.writableLength
      if (taken !== connection.taken) connection.unreadSince = now
      connection.taken = taken
      connection.unreadSince ??= now
      if (now - connection.unreadSince >= this.#limits.unread) this.#cut(connection, 'SOCKET_NOT_READING')
    }
  }

  #cut({ socket }: Connection, code: RefusalCode): void {
    this.#open.delete(socket)
    this.#refused(code)
    socket.destroy()
  }
}

/** Whether the connection waits for its peer: no request came, its body is not complete, or the answer is not read. */
const waitsForPeer = ({ answer }: Connection): boolean => !answer || isUnread(answer) || !answer.req.complete

/** Whether the answer is complete, or a stream whose next part waits until its peer reads. */
const isUnread = (answer: ServerResponse): boolean => answer.writableEnded || answer.writableNeedDrain
