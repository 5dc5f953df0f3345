import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { World } from '../world.ts'
import { Places } from './places.ts'

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
  /** Grows as it is filled: with `max` all of its memory would be taken at the start. */
  readonly #known = new LRUCache<string, true>({ maxSize: rememberAtMost, sizeCalculation: () => 1 })

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
