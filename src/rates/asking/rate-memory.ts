import { LRUCache } from 'lru-cache'
import { upTo, type World } from '../../world.ts'
import type { RateCaching } from '../adapter.ts'
import type { Outcome } from '../explanation.ts'
import { Questions } from './questions.ts'
import { answerKinds, Counts, cacheKinds, RateBreakers, SlowAdapters } from './rate-breakers.ts'

/** The most cached methods, of all adapters together. */
const mostMethods = 200_000

/** How long an answer is fresh, and how much longer it may be used, in milliseconds. */
export const lasting =
  ({ cache }: { cache?: Pick<RateCaching, 'ttl' | 'staleFor' | 'noneTtl'> | undefined }) =>
  ({ result, failed }: Outcome): [number, number] => {
    // A failure inside is none to keep: the next answer may have methods.
    if (result === 'none' && failed) return [0, 0]
    const { ttl, staleFor = 0, noneTtl = Math.min(ttl, 60_000) } = cache!
    if (result === 'methods') return [ttl, staleFor]
    return [result === 'none' ? noneTtl : 0, 0]
  }

export class RateMemory {
  readonly cache = new RateCache<Outcome>(mostMethods, ({ methods }) => 1 + methods.length)
  readonly caching = new Counts(cacheKinds)
  readonly answers = new Counts(answerKinds)
  readonly breakers: RateBreakers
  readonly slow = new SlowAdapters()
  /** For people who ask why a rate was missing. */
  readonly questions = new Questions()
  /** Adapter, shop and figure of carts that are not known in full, so that rules about them miss a part, which was logged. */
  readonly unmeasured = new LRUCache<string, true>(upTo(10_000))
  /** The adapters whose methods without an id were logged. In development only. */
  readonly unnamed = new Set<string>()
  /** The adapters whose prices looked like cents, which was logged. In development only. */
  readonly inCents = new Set<string>()
  /** The HMAC key of this process's cache keys. */
  readonly secret: string

  constructor(world: World) {
    this.breakers = new RateBreakers(world)
    this.secret = world.token(32)
  }
}

interface Kept {
  /** The instant from which the answer is not fresh. A stale one is used without what has passed. */
  goodUntil?: number
}

interface Entry<T> {
  answer: T
  askedAt: number
  freshUntil: number
  /** While the adapter fails, it may be used until then. */
  staleUntil: number
}

/** Answers by key, with one call at a time for each. Ages are counted from when the adapter was asked. */
export class RateCache<T extends Kept> {
  readonly #entries: LRUCache<string, Entry<T>>
  readonly #underWay = new Map<string, Promise<T>>()

  /** `most` is the sum of all sizes; what was used last stays. */
  constructor(most: number, sizeOf: (answer: T) => number) {
    this.#entries = new LRUCache({ maxSize: most, sizeCalculation: ({ answer }) => sizeOf(answer) })
  }

  fresh(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key)
    return entry && now < entry.freshUntil ? entry.answer : undefined
  }

  stale(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key)
    return entry && now < entry.staleUntil ? entry.answer : undefined
  }

  joined(key: string): Promise<T> | undefined {
    return this.#underWay.get(key)
  }

  /**
   * Calls, and caches the answer. `lasts` is how long it is fresh, and how much longer it may be used, in milliseconds. A call that has failed
   * may still `keep` an answer that came too late.
   */
  ask(
    key: string,
    now: number,
    lasts: (answer: T) => [number, number],
    call: (keep: (answer: T) => void) => Promise<T>,
  ): Promise<T> {
    const keep = (answer: T) => {
      const [fresh, stale] = lasts(answer)
      const end = answer.goodUntil ?? Number.POSITIVE_INFINITY
      const kept = {
        answer,
        askedAt: now,
        freshUntil: Math.min(now + fresh, end),
        staleUntil: now + fresh + stale,
      }
      const isNewest = (this.#entries.get(key)?.askedAt ?? now) <= now
      if (fresh > 0 && isNewest) this.#entries.set(key, kept)
    }
    const flight = call(keep)
      .then((answer) => {
        keep(answer)
        return answer
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, flight)
    return flight
  }
}
