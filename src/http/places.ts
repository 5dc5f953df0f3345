import type { IncomingMessage, ServerResponse } from 'node:http'
// Tests of others replace the timers of the global object.
import { setTimeout } from 'node:timers'
import { LRUCache } from 'lru-cache'
import { Problem } from '../contract/index.ts'
import type { RefusalCode } from '../errors/refusals.ts'
import { upTo, type World } from '../world.ts'
import { connectionLimits } from './limits.ts'

/** The most requests that have a place at a time: a process has ten connections to PostgreSQL. */
const atOnce = 4
/** For how long a place that was left stays taken, in milliseconds. */
const turn = 4
/** Where newcomers go first, so many wait in order. */
const inOrder = 32
/** Each waits on a connection of its own. A server that is not ours may have more of them. */
const waitingAtMost = connectionLimits.open
/** The longest wait for a place, in milliseconds. */
const patience = 2_000
/** The most requests that are refused in one turn. */
const refusedAtOnce = 8

/** One shared error, because a burst of cut connections is rejected at once and no caller reads it. */
const peerLeft = new Problem('TOO_MANY_REQUESTS', { retryAfter: 1 })

interface Waiting {
  resolve(): void
  reject(problem: Problem): void
  until: number
}

/**
 * A few places for requests that calls of shops must not wait for. At most `atOnce` are admitted in each 4 ms. All others wait without any work: a caller that waits for its answer sends nothing. So any number of them takes a small
 * part of the process.
 */
export class Places {
  readonly #world: World
  readonly #code: RefusalCode
  readonly #inside = new Set<IncomingMessage>()
  /** Ordered by waiting time, longest first. */
  readonly #waiting = new Map<IncomingMessage, Waiting>()
  /** Places in use, or left in this turn. */
  #taken = 0
  #left = 0
  #turn: NodeJS.Timeout | undefined
  #watched = false
  /** Those that newcomers go ahead of. */
  readonly #behind = new Map<IncomingMessage, Waiting>()
  readonly #newcomersFirst: boolean

  /**
   * `code` counts the requests that are refused. With `newcomersFirst` none is refused for its wait: a crowd that asks without end waits for
   * those that ask now and then.
   */
  constructor(world: World, code: RefusalCode, { newcomersFirst = false } = {}) {
    this.#world = world
    this.#code = code
    this.#newcomersFirst = newcomersFirst
  }

  /**
   * Resolves once the request has a place, which it keeps until `leave`, or until it is answered. Rejects with `TOO_MANY_REQUESTS` if none is
   * free in time.
   */
  enter(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // `close` was emitted and does not come again.
    if (res.destroyed) return Promise.reject(peerLeft)
    if (this.#waiting.size + this.#behind.size >= waitingAtMost) return Promise.reject(this.#tooMany())
    // `prefinish`: the answer is written. Its peer may take long to read it.
    for (const end of ['prefinish', 'close']) res.once(end, () => this.leave(req))
    if (this.#taken < atOnce && this.#waiting.size === 0) {
      this.#admit(req)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const until = this.#newcomersFirst ? Number.POSITIVE_INFINITY : this.#world.now() + patience
      this.#waiting.set(req, { resolve, reject, until })
      if (!this.#newcomersFirst) this.#watch(patience)
      else if (this.#waiting.size > inOrder) {
        const [longest] = this.#waiting
        this.#waiting.delete(longest![0])
        this.#behind.set(...longest!)
      }
    })
  }

  /** The place goes to the next. A request without a place stays as it is. */
  leave(req: IncomingMessage): void {
    const waited = this.#waiting.get(req) ?? this.#behind.get(req)
    if (waited) {
      this.#waiting.delete(req)
      this.#behind.delete(req)
      waited.reject(peerLeft)
    } else if (this.#inside.delete(req)) {
      this.#left++
      this.#schedule()
    }
  }

  #admit(req: IncomingMessage): void {
    this.#taken++
    this.#inside.add(req)
  }

  #schedule(): void {
    this.#turn ??= setTimeout(() => this.#next(), turn)
  }

  #next(): void {
    this.#turn = undefined
    this.#taken -= this.#left
    this.#left = 0
    const now = this.#world.now()
    let refused = 0
    for (const [req, { resolve, reject, until }] of this.#waiting.size > 0 ? this.#waiting : this.#behind) {
      // Free places come first, so that requests are not rejected because the process was blocked.
      if (this.#taken < atOnce) {
        this.#waiting.delete(req)
        this.#behind.delete(req)
        this.#admit(req)
        resolve()
      } else if (until <= now) {
        if (++refused > refusedAtOnce) {
          this.#schedule()
          break
        }
        this.#waiting.delete(req)
        reject(this.#tooMany())
      } else {
        if (!this.#newcomersFirst) this.#watch(until - now)
        break
      }
    }
  }

  /** Rejects requests that waited too long, even if no place becomes free. */
  #watch(ms: number): void {
    if (this.#watched) return
    this.#watched = true
    this.#world.after(ms, () => {
      this.#watched = false
      this.#schedule()
    })
  }

  #tooMany(): Problem {
    this.#world.observer.refused(this.#code)
    return new Problem('TOO_MANY_REQUESTS', { retryAfter: 1 })
  }
}

const rememberAtMost = 50_000
/** A start remembers so many tokens of each kind. */
export const mostAtStart = rememberAtMost / 2

/**
 * A narrow gate for requests without a token that was valid before, and one for visits of known pages. So callers who guess wait for each
 * other, visitors wait for visitors, and calls with a valid token wait for none of them. Tokens are known by their hash.
 */
export class Gate {
  /** A request without a known token keeps its place until its token is looked up or it is answered. */
  readonly strangers: Places
  readonly visitors: Places
  readonly #known = new LRUCache<string, true>(upTo(rememberAtMost))

  constructor(world: World) {
    this.strangers = new Places(world, 'TOO_MANY_STRANGERS')
    this.visitors = new Places(world, 'TOO_MANY_VISITS')
  }

  /** Whether this token was valid when it was last looked up, or given out. */
  knows(tokenHash: string): boolean {
    return this.#known.has(tokenHash)
  }

  remember(tokenHash: string): void {
    this.#known.set(tokenHash, true)
  }

  /** Looks a token up. A request that had a place gives it to the next. */
  async find<T>(
    req: IncomingMessage,
    tokenHash: string,
    look: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      const found = await look()
      if (found === undefined) this.#known.delete(tokenHash)
      else this.remember(tokenHash)
      return found
    } finally {
      this.strangers.leave(req)
      this.visitors.leave(req)
    }
  }
}
