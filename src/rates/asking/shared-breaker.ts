import { LRUCache } from 'lru-cache'
import { upTo } from '../../world.ts'

/** The number of failures in a row that open a breaker. */
export const failuresInARow = 5
/** How long an open breaker lets no call through, in milliseconds. */
export const pause = 10_000
/** The most failures in a row that count for one shop, so that they come from three shops at least. */
const mostOfOneShop = 2
const rememberAtMost = 10_000

/** The start and the reason of an open breaker. Times are in milliseconds since 1970. */
export interface Opened {
  since: number
  nextTry: number
  lastFailure: string
  /** The carrier named the time of the next try: `Retry-After`. */
  asked?: boolean
}

/**
 * The breaker of one adapter for all shops: a carrier that is down costs a few calls, however many shops ask. It opens after five failures
 * in a row of three shops or more, and lets one call through after each pause.
 *
 * The fault of one shop, such as an expired key, does not open it. A shop that failed while others were answered no longer counts, and
 * others try before it, until it is answered itself.
 */
export class SharedBreaker {
  opened: Opened | undefined
  /** The shop of the trial call, and when a trial became possible. */
  #trying: { shopId: string; from: number } | undefined
  /** The failures in a row that count for each shop. */
  readonly #inARow = new Map<string, number>()
  /** The shops whose failures may be their own fault. */
  readonly #suspects = new LRUCache<string, true>(upTo(rememberAtMost))

  /** Whether this shop may call. */
  lets(shopId: string, now: number): boolean {
    if (!this.opened) return true
    const { nextTry } = this.opened
    if (now < (this.#suspects.has(shopId) ? nextTry + pause : nextTry)) return false
    this.#trying = { shopId, from: nextTry }
    this.opened.nextTry = now + pause
    return true
  }

  /** The adapter offered methods to this shop. Returns whether that closed the breaker. */
  offered(shopId: string): boolean {
    this.#suspects.delete(shopId)
    this.#inARow.delete(shopId)
    this.#suspectAll()
    return this.close()
  }

  /** The adapter refused this shop, perhaps without a call to its carrier: another call may try at once. */
  refused(shopId: string): void {
    if (this.opened && this.#trying?.shopId === shopId) this.opened.nextTry = this.#trying.from
  }

  /** Counts a failure that may be the carrier's. Returns whether it opened the breaker. */
  failed(shopId: string, lastFailure: string, now: number): boolean {
    if (this.opened) {
      if (this.#trying?.shopId === shopId) this.#suspects.set(shopId, true)
      this.opened.lastFailure = lastFailure
      return false
    }
    if (this.#suspects.has(shopId)) return false
    this.#inARow.set(shopId, Math.min((this.#inARow.get(shopId) ?? 0) + 1, mostOfOneShop))
    const failures = [...this.#inARow.values()].reduce((sum, count) => sum + count, 0)
    if (failures < failuresInARow) return false
    this.#suspectAll()
    this.opened = { since: now, nextTry: now + pause, lastFailure }
    return true
  }

  /** Lets every call through again. Returns whether it was open. */
  close(): boolean {
    const wasOpen = this.opened !== undefined
    this.opened = undefined
    this.#trying = undefined
    return wasOpen
  }

  #suspectAll(): void {
    for (const shopId of this.#inARow.keys()) this.#suspects.set(shopId, true)
    this.#inARow.clear()
  }
}
