import { LRUCache } from 'lru-cache'
import { Problem } from '../contract/index.ts'
import type { World } from '../world.ts'

/** Look-ups of unknown tokens that run at a time: few of the ten connections that a process has to PostgreSQL. */
const places = 3
const waitingAtMost = 256
/** In milliseconds. */
const patience = 2_000
const rememberAtMost = 50_000

interface Waiting {
  begin(): void
  fail(error: unknown): void
}

/**
 * Looks up the tokens of addresses. A token that was valid before is looked up at once; all others share a few places, so that callers
 * who guess wait for each other and hold up nobody who has a token. It knows tokens by their hash, and only valid ones.
 */
export class StrangersLane {
  readonly #world: World
  readonly #known = new LRUCache<string, true>({ max: rememberAtMost })
  readonly #waiting = new Set<Waiting>()
  #underWay = 0

  constructor(world: World) {
    this.#world = world
  }

  /** This token is valid: its next look-up does not wait. */
  remember(tokenHash: string): void {
    this.#known.set(tokenHash, true)
  }

  /** Rejects with `TOO_MANY_REQUESTS` where no place is free in time. A valid token gets the same answer there as any other. */
  async find<T>(tokenHash: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = this.#known.has(tokenHash) ? await look() : await this.#inTurn(look)
    if (found === undefined) this.#known.delete(tokenHash)
    else this.remember(tokenHash)
    return found
  }

  async #inTurn<T>(look: () => Promise<T>): Promise<T> {
    if (this.#underWay >= places) await this.#turn()
    else this.#underWay++
    try {
      return await look()
    } catch (error) {
      // A store that fails one would keep all of them waiting.
      for (const one of this.#waiting) one.fail(error)
      throw error
    } finally {
      const [next] = this.#waiting
      if (next) next.begin()
      else this.#underWay--
    }
  }

  /** Resolves once the place of another look-up is handed on. */
  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size >= waitingAtMost) return reject(this.#tooMany())
      const leave = () => {
        this.#waiting.delete(one)
        stopWaiting()
      }
      const one: Waiting = {
        begin() {
          leave()
          resolve()
        },
        fail(error) {
          leave()
          reject(error)
        },
      }
      const stopWaiting = this.#world.after(patience, () => one.fail(this.#tooMany()))
      this.#waiting.add(one)
    })
  }

  #tooMany(): Problem {
    this.#world.observer.refused('TOO_MANY_UNKNOWN_TOKENS')
    return new Problem('TOO_MANY_REQUESTS', { retryAfter: 1 })
  }
}
