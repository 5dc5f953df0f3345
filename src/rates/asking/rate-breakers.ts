import { LRUCache } from 'lru-cache'
import { upTo, type World } from '../../world.ts'

/** The number of failures in a row that open a breaker. */
const failuresInARow = 5
/** How long an open breaker lets no call through, in milliseconds. */
const pause = 10_000
/** The most failures in a row that count for one shop, so that they come from three shops at least. */
const mostOfOneShop = 2
const rememberAtMost = 10_000

/** The start and the reason of an open breaker. Times are in milliseconds since 1970. */
interface Opened {
  since: number
  nextTry: number
  lastFailure: string
  /** The carrier named the time of the next try: `Retry-After`. */
  asked?: boolean
}

export class LeftAlone extends Error {
  override readonly name = 'LeftAlone'
}

const afterFailures = `paused for ${pause / 1000} s after ${failuresInARow} failures in a row`
/** The longest wait that a carrier may ask for, in milliseconds. */
const longestWait = 300_000

/** An adapter that is skipped after failures, or because its carrier asked to wait, for one shop or for all. Times are in milliseconds since 1970. */
export interface OpenBreaker {
  adapter: string
  /** Not set if it is skipped for all shops. */
  shop: string | undefined
  since: number
  /** The earliest time of the next call: `now` or later. */
  nextTry: number
  /** The reason of the last failure, without words of a carrier or a customer. */
  lastFailure: string
}

interface OfShop {
  adapter: string
  shop: string
  inARow: number
  opened?: Opened
}

/** A breaker for each adapter and shop, and for each adapter, of this process. It exists only after a failure; its clock is the world's. */
export class RateBreakers {
  readonly #world: World
  readonly #kind: 'rate' | 'payment'
  readonly #ofShops = new LRUCache<string, OfShop>(upTo(10_000))
  readonly #ofAll = new Map<string, SharedBreaker>()

  constructor(world: World, kind: 'rate' | 'payment' = 'rate') {
    this.#world = world
    this.#kind = kind
  }

  /** Returns the reason to skip the adapter for this shop now. `undefined` lets the call through, which ends in one of the next two. */
  leavesAlone(adapter: string, shopId: string): LeftAlone | undefined {
    if (this.#ofShops.size + this.#ofAll.size === 0) return undefined
    const opened = this.#ofShops.get(keyOf(adapter, shopId))?.opened
    const all = this.#ofAll.get(adapter)
    if (!opened && !all?.opened) return undefined
    const now = this.#world.now()
    if (opened && now < opened.nextTry) return new LeftAlone(opened.asked ? waiting(opened) : afterFailures)
    if (all && !all.lets(shopId, now)) return new LeftAlone(`${afterFailures}, of several shops`)
    // After a wait all calls go through at once.
    if (opened?.asked) this.#ofShops.delete(keyOf(adapter, shopId))
    // The trial call has ended without an outcome.
    else if (opened) opened.nextTry = now + pause
    return undefined
  }

  /** The adapter answered. `offered` is false where it has no method for this address. */
  answered(adapter: string, shopId: string, offered: boolean): void {
    const key = keyOf(adapter, shopId)
    // A call that began before it asked to wait ends no wait.
    if (this.#ofShops.size > 0 && !this.#waits(this.#ofShops.get(key)?.opened)) this.#ofShops.delete(key)
    const all = this.#ofAll.get(adapter)
    if (!all) return
    if (!offered) all.refused(shopId)
    else if (all.offered(shopId)) this.#world.log.info({ adapter }, `${this.#kind} adapter answers again`)
  }

  /** `ofCarrier`: it may be the carrier's fault, not the shop's. `retryAt`: when the carrier wants to be asked again, in ms since 1970. */
  failed(
    adapter: string,
    shopId: string,
    { reason, ofCarrier, retryAt = 0 }: { reason: string; ofCarrier: boolean; retryAt?: number | undefined },
  ): void {
    const now = this.#world.now()
    const key = keyOf(adapter, shopId)
    const one = this.#ofShops.get(key) ?? { adapter, shop: shopId, inARow: 0 }
    this.#ofShops.set(key, one)
    if (retryAt > now) {
      // The carrier says when: the failures before no longer count.
      one.inARow = 0
      const nextTry = Math.min(retryAt, now + longestWait)
      const lastFailure = `${reason}, and asked to wait`
      one.opened = { since: one.opened?.since ?? now, nextTry, lastFailure, asked: true }
    } else {
      one.inARow++
      if (one.opened) one.opened.lastFailure = reason
      else if (one.inARow >= failuresInARow)
        one.opened = { since: now, nextTry: now + pause, lastFailure: reason }
    }
    const known = this.#ofAll.get(adapter)
    if (!ofCarrier) {
      // A carrier that says so is up: another shop may try at once.
      known?.refused(shopId)
      return
    }
    const all = known ?? new SharedBreaker()
    this.#ofAll.set(adapter, all)
    if (!all.failed(shopId, reason, now)) return
    this.#world.log.warn(
      { ...(this.#kind === 'rate' && { code: 'CARRIER_DOWN' }), adapter, reason },
      `${this.#kind} adapter fails for several shops: it is skipped for all`,
    )
  }

  /** The open breakers, those for all shops first, then the oldest. */
  open(): OpenBreaker[] {
    const now = this.#world.now()
    const shown = (adapter: string, shop: string | undefined, opened: Opened | undefined) => {
      if (!opened || (opened.asked && !this.#waits(opened))) return []
      const { since, nextTry, lastFailure } = opened
      return [{ adapter, shop, since, nextTry: Math.max(now, nextTry), lastFailure }]
    }
    const ofAll = [...this.#ofAll].flatMap(([adapter, { opened }]) => shown(adapter, undefined, opened))
    const ofShops = [...this.#ofShops.values()].flatMap((one) => shown(one.adapter, one.shop, one.opened))
    return [...ofAll, ...ofShops.sort((one, other) => one.since - other.since)]
  }

  /** Those to show elsewhere: of an adapter that is left alone for all shops this alone, and so many of single shops at most. */
  toNote(most: number): OpenBreaker[] {
    const open = this.open()
    const ofAll = open.filter(({ shop }) => shop === undefined)
    const down = new Set(ofAll.map(({ adapter }) => adapter))
    const ofShops = open.filter(({ adapter, shop }) => shop !== undefined && !down.has(adapter))
    return [...ofAll, ...ofShops.slice(0, most)]
  }

  #waits(opened: Opened | undefined): boolean {
    return opened?.asked === true && this.#world.now() < opened.nextTry
  }

  /** Lets calls to an adapter through at once, also before the end of a wait: for one shop, or without `shopId` for all. Returns the number of closed breakers. */
  release(adapter: string, shopId?: string): number {
    let closed = shopId === undefined && this.#ofAll.get(adapter)?.close() ? 1 : 0
    for (const [key, one] of [...this.#ofShops]) {
      if (one.adapter !== adapter || (shopId !== undefined && one.shop !== shopId)) continue
      this.#ofShops.delete(key)
      if (one.opened) closed++
    }
    return closed
  }
}

const waiting = ({ nextTry }: Opened): string =>
  `the carrier asked to wait until ${new Date(nextTry).toISOString().slice(11, 19)} UTC`

const keyOf = (adapter: string, shopId: string): string => `${adapter} ${shopId}`

/**
 * The breaker of one adapter for all shops: a carrier that is down costs a few calls, however many shops ask. It opens after five failures
 * in a row of three shops or more, and lets one call through after each pause.
 *
 * The fault of one shop, such as an expired key, does not open it. A shop that failed while others were answered no longer counts, and
 * others try before it, until it is answered itself.
 */
class SharedBreaker {
  opened: Opened | undefined
  /** The shop of the trial call, and when a trial became possible. */
  #trying: { shopId: string; from: number } | undefined
  readonly #inARow = new Map<string, number>()
  /** The shops whose failures may be their own fault. */
  readonly #suspects = new LRUCache<string, true>(upTo(rememberAtMost))

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
