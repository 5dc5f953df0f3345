import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { Problem } from '../contract/index.ts'
import type { World } from '../world.ts'

/** The most requests of strangers at a time: a process has ten connections to PostgreSQL. */
const places = 4
const waitingAtMost = 2_048
/** The longest wait for a place, in milliseconds. */
const patience = 2_000
const rememberAtMost = 50_000
/** A start remembers so many tokens of each kind. */
export const mostAtStart = rememberAtMost / 2
/** The most requests that are refused in one turn of the event loop. */
const refusedAtOnce = 64

/** One shared error, because a burst of cut connections is rejected at once and no caller reads it. */
const peerLeft = new Problem('TOO_MANY_REQUESTS', { retryAfter: 1 })

interface Waiting {
  resolve(): void
  reject(problem: Problem): void
  until: number
}

/**
 * A narrow lane for requests without a token that was valid before. A few are handled at a time, and no more than those in one turn of the
 * event loop. So callers who guess wait for each other, and callers with a valid token do not wait for them. Tokens are known by their
 * hash.
 */
export class StrangersLane {
  readonly #world: World
  /** Grows as it is filled: with `max` all of its memory would be taken at the start. */
  readonly #known = new LRUCache<string, true>({ maxSize: rememberAtMost, sizeCalculation: () => 1 })
  readonly #inside = new Set<IncomingMessage>()
  /** Ordered by waiting time, longest first. */
  readonly #waiting = new Map<IncomingMessage, Waiting>()
  /** Places in use, or freed in this turn of the event loop. */
  #taken = 0
  #turn: NodeJS.Immediate | undefined
  #watched = false

  constructor(world: World) {
    this.#world = world
  }

  /** Whether this token was valid when it was last looked up, or given out. */
  knows(tokenHash: string): boolean {
    return this.#known.has(tokenHash)
  }

  remember(tokenHash: string): void {
    this.#known.set(tokenHash, true)
  }

  /**
   * Resolves once the request has a place, which it keeps until its token is looked up or it is answered. Rejects with `TOO_MANY_REQUESTS`
   * if none is free in time, whether or not the token is valid.
   */
  enter(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (this.#waiting.size >= waitingAtMost) return Promise.reject(this.#tooMany())
    // `prefinish`: the answer is written. Its peer may take long to read it.
    for (const end of ['prefinish', 'close']) res.once(end, () => this.#leave(req))
    if (this.#taken < places && this.#waiting.size === 0) {
      this.#admit(req)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      this.#waiting.set(req, { resolve, reject, until: this.#world.now() + patience })
      this.#watch(patience)
    })
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
      this.#leave(req)
    }
  }

  #admit(req: IncomingMessage): void {
    this.#taken++
    this.#inside.add(req)
  }

  #leave(req: IncomingMessage): void {
    const waited = this.#waiting.get(req)
    if (waited) {
      this.#waiting.delete(req)
      waited.reject(peerLeft)
    } else if (this.#inside.delete(req)) {
      setImmediate(() => {
        this.#taken--
        this.#schedule()
      })
    }
  }

  #schedule(): void {
    if (this.#waiting.size > 0) this.#turn ??= setImmediate(() => this.#next())
  }

  #next(): void {
    this.#turn = undefined
    const now = this.#world.now()
    let refused = 0
    for (const [req, { resolve, reject, until }] of this.#waiting) {
      // Free places come first, so that requests are not rejected because the process was blocked.
      if (this.#taken < places) {
        this.#waiting.delete(req)
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
        this.#watch(until - now)
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
    this.#world.observer.refused('TOO_MANY_STRANGERS')
    return new Problem('TOO_MANY_REQUESTS', { retryAfter: 1 })
  }
}
