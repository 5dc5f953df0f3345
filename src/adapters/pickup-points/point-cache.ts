import { LRUCache } from 'lru-cache'
import type { PickupPoint } from './points.ts'

/** The points that an API answered, by destination. Equal questions at one time are one call; a failed call is not kept. */
export class PointCache {
  readonly #ttl: number
  readonly #answers = new LRUCache<string, { askedAt: number; points: Promise<readonly PickupPoint[]> }>({
    max: 5_000,
  })

  /** `ttl` in milliseconds from the call. */
  constructor(ttl: number) {
    this.#ttl = ttl
  }

  of(key: string, now: number, ask: () => Promise<readonly PickupPoint[]>): Promise<readonly PickupPoint[]> {
    const known = this.#answers.get(key)
    if (known && now >= known.askedAt && now < known.askedAt + this.#ttl) return known.points
    const points = ask()
    const entry = { askedAt: now, points }
    this.#answers.set(key, entry)
    points.catch(() => {
      if (this.#answers.peek(key) === entry) this.#answers.delete(key)
    })
    return points
  }
}
