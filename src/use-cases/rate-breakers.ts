import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  isBrokenCircuitError,
} from 'cockatiel'
import { LRUCache } from 'lru-cache'

/** So many failures in a row, and an adapter is left alone for a shop for so many milliseconds. */
const failuresInARow = 5
const pause = 10_000

/** Thrown instead of asking an adapter that has failed again and again. */
export class LeftAlone extends Error {
  override readonly name = 'LeftAlone'
  constructor() {
    super(`left alone for ${pause / 1000} s after ${failuresInARow} failures in a row`)
  }
}

/** One breaker for each adapter and shop, and only while something fails: who is well pays nothing. */
export class RateBreakers {
  readonly #breakers = new LRUCache<string, CircuitBreakerPolicy>({ max: 10_000 })

  /** Whether the adapter failed for this shop when it was asked last. */
  isWatched(adapter: string, shopId: string): boolean {
    return this.#breakers.has(`${adapter} ${shopId}`)
  }

  /** Asks, and counts. Rejects with `LeftAlone` instead while the adapter is given its pause. */
  async ask<T>(adapter: string, shopId: string, call: () => Promise<T>): Promise<T> {
    const key = `${adapter} ${shopId}`
    const breaker = this.#breakers.get(key)
    // One call tries whether it works again; nobody else waits for what it finds.
    if (breaker?.state === CircuitState.HalfOpen) throw new LeftAlone()
    try {
      if (!breaker) return await call()
      const answer = await breaker.execute(call)
      this.#breakers.delete(key)
      return answer
    } catch (error) {
      if (isBrokenCircuitError(error)) throw new LeftAlone()
      if (!breaker) this.failed(adapter, shopId, error)
      throw error
    }
  }

  /** Counts a failure. */
  failed(adapter: string, shopId: string, error: unknown): void {
    const key = `${adapter} ${shopId}`
    const breaker = this.#breakers.get(key) ?? newBreaker()
    this.#breakers.set(key, breaker)
    breaker.execute(() => Promise.reject(error)).catch(() => {})
  }
}

const newBreaker = () =>
  circuitBreaker(handleAll, { halfOpenAfter: pause, breaker: new ConsecutiveBreaker(failuresInARow) })
