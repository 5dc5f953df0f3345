import { LRUCache } from 'lru-cache'
import { type Log, upTo, type World } from '../../world.ts'
import type { RateCaching } from '../adapter.ts'
import type { AdapterExplanation } from '../explanation.ts'
import type { Parcels } from '../parcels/parcels.ts'
import { RateBreakers } from './rate-breakers.ts'
import { RateCache } from './rate-cache.ts'
import { SlowAdapters } from './slow-adapters.ts'

/** How one question to an adapter ended. `fallback`: it failed, and its fallback answered. */
export const answerKinds = ['methods', 'none', 'failed', 'skipped', 'fallback'] as const
type AnswerKind = (typeof answerKinds)[number]

/** Counts the answers of each rate adapter of this process. */
class AnswerCounts {
  readonly #counts = new Map<string, Record<AnswerKind, number>>()

  count(adapter: string, kind: AnswerKind): void {
    const counts = this.#counts.get(adapter) ?? this.#begin(adapter)
    counts[kind]++
  }

  #begin(adapter: string): Record<AnswerKind, number> {
    const counts = { methods: 0, none: 0, failed: 0, skipped: 0, fallback: 0 }
    this.#counts.set(adapter, counts)
    return counts
  }

  counts(): Record<string, Record<AnswerKind, number>> {
    return Object.fromEntries(this.#counts)
  }
}

/** An adapter's checked answer. The cache keeps it unchanged. */
export type Outcome = Omit<AdapterExplanation, 'ms' | 'cache'>

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
  readonly cache = new RateCache<Outcome>()
  readonly answers = new AnswerCounts()
  readonly breakers: RateBreakers
  readonly slow = new SlowAdapters()
  readonly unmeasured = new Unmeasured()
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

/** Logs once for each adapter and shop which figures of its carts are not known in full, so that rules about them miss a part. */
class Unmeasured {
  readonly #logged = new LRUCache<string, true>(upTo(10_000))

  note(adapter: string, shop: string, { unknown }: Parcels, log: Log): void {
    for (const figure of unknown) {
      const key = `${adapter} ${shop} ${figure}`
      if (this.#logged.has(key)) continue
      this.#logged.set(key, true)
      log.warn({ adapter, shop }, `${figure} of a cart not known in full: only the known part counts`)
    }
  }
}
