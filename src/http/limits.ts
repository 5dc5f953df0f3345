import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { upTo } from '../caches.ts'
import { Problem } from '../contract/index.ts'
import type { World } from '../world.ts'
import { Places } from './places.ts'

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

const rememberAtMost = 50_000
/** A start remembers so many tokens of each kind. */
export const mostAtStart = rememberAtMost / 2

/**
 * A narrow lane for requests without a token that was valid before, and one for visits of known pages. So callers who guess wait for each
 * other, visitors wait for visitors, and calls with a valid token wait for none of them. Tokens are known by their hash.
 */
export class StrangersLane {
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
