import { LRUCache } from 'lru-cache'

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
