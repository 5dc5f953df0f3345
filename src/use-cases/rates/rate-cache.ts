import { LRUCache } from 'lru-cache'

/** So many methods are kept in all, by every adapter together. */
const mostMethods = 200_000

/** What is kept of an answer. */
export interface Kept {
  methods: readonly unknown[]
}

interface Entry<T> {
  answer: T
  freshUntil: number
  /** While the adapter fails it may stand in until then. */
  staleUntil: number
}

export interface RateCacheCounts {
  /** Answered from the cache, without a call. */
  hits: number
  /** Answered with a call that was under way. */
  joined: number
  /** Answered with a call of their own. */
  misses: number
  /** Answered with an older answer, because the call failed. */
  stale: number
}

/** Answers by key, with one call at a time for each. Ages are counted from when the adapter was asked. */
export class RateCache<T extends Kept> {
  readonly #entries = new LRUCache<string, Entry<T>>({
    maxSize: mostMethods,
    sizeCalculation: ({ answer }) => 1 + answer.methods.length,
  })
  readonly #underWay = new Map<string, Promise<T>>()
  readonly #counts = new Map<string, RateCacheCounts>()

  counts(): Record<string, RateCacheCounts> {
    return Object.fromEntries(this.#counts)
  }

  /** Counts what became of one question to an adapter. */
  count(adapter: string, what: keyof RateCacheCounts): void {
    const counts = this.#counts.get(adapter) ?? { hits: 0, joined: 0, misses: 0, stale: 0 }
    counts[what]++
    this.#counts.set(adapter, counts)
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
   * Asks, and keeps the answer. `lasts` says for how many milliseconds it is fresh, and for how many more it may stand in.
   */
  ask(key: string, now: number, lasts: (answer: T) => [number, number], call: () => Promise<T>): Promise<T> {
    const flight = call()
      .then((answer) => {
        const [fresh, stale] = lasts(answer)
        const freshUntil = now + fresh
        if (fresh > 0) this.#entries.set(key, { answer, freshUntil, staleUntil: freshUntil + stale })
        return answer
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, flight)
    return flight
  }
}
