import { LRUCache } from 'lru-cache'
import { upTo, type World } from '../../world.ts'
import { failuresInARow, type Opened, pause, SharedBreaker } from './shared-breaker.ts'

/** The reason to skip an adapter after repeated failures. */
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

  /**
   * `ofCarrier`: whether it may be the carrier's fault, and not a missing setting of the shop, nor a key that the carrier refuses. `retryAt`: when
   * the carrier wants to be asked again, in milliseconds since 1970.
   */
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

/** How one question to an adapter ended. `fallback`: it failed, and its fallback answered. */
export const answerKinds = ['methods', 'none', 'failed', 'skipped', 'fallback'] as const

/** How one question to an adapter with a cache was answered. `joined`: by a call that was already running. */
export const cacheKinds = ['hits', 'joined', 'misses', 'stale'] as const

/** Counts what happened to each rate adapter of this process. */
export class Counts<Kind extends string> {
  readonly #kinds: readonly Kind[]
  readonly #counts = new Map<string, Record<Kind, number>>()

  constructor(kinds: readonly Kind[]) {
    this.#kinds = kinds
  }

  count(adapter: string, kind: Kind): void {
    const none = () => Object.fromEntries(this.#kinds.map((one) => [one, 0])) as Record<Kind, number>
    const counts = this.#counts.get(adapter) ?? none()
    counts[kind]++
    this.#counts.set(adapter, counts)
  }

  counts(): Record<string, Record<Kind, number>> {
    return Object.fromEntries(this.#counts)
  }
}

/** A call that takes longer is slow, in milliseconds. */
const slowAfter = 1_000
/** So many more bad calls than good ones make an adapter slow, and so many more good ones end it. */
const enough = 10
/** It ends too when no call was bad for this long, in milliseconds. */
const overAfter = 600_000

/** Nor is one slow that nobody asked for this long, in milliseconds. */
const quietAfter = 60_000

/** A rate adapter most of whose calls fail or take over 1 s. Times are in milliseconds since 1970. */
interface SlowAdapter {
  adapter: string
  /** When its calls began to be bad. */
  since: number
  lastFailure: string
}

/** `score`: bad calls less good ones, from 1 to `enough`. `lastCallAt`: when its last call ended, bad or good. */
type Counted = SlowAdapter & { score: number; isSlow: boolean; lastBadAt: number; lastCallAt: number }

/** Finds the rate adapters of this process that are slow or fail, whether or not a breaker opens. Good calls of good adapters cost nothing. */
export class SlowAdapters {
  readonly #adapters = new Map<string, Counted>()

  /** `failure`: why the call failed; not set if it was answered. */
  called(
    adapter: string,
    { ms, failure, now }: { ms: number; failure?: string | undefined; now: number },
  ): void {
    const known = this.#adapters.get(adapter)
    if (failure === undefined && ms <= slowAfter) {
      if (!known) return
      known.lastCallAt = now
      if (--known.score <= 0) this.#adapters.delete(adapter)
      return
    }
    const lastFailure = failure ?? `answered after ${(ms / 1_000).toFixed(1)} s`
    const isRecent = known && now - known.lastBadAt < overAfter
    const before = isRecent ? known : { since: now - ms, score: 0, isSlow: false }
    const score = Math.min(before.score + 1, enough)
    const isSlow = before.isSlow || score === enough
    const times = { since: before.since, lastBadAt: now, lastCallAt: now }
    this.#adapters.set(adapter, { adapter, lastFailure, score, isSlow, ...times })
  }

  slow(now: number): SlowAdapter[] {
    return [...this.#adapters.values()]
      .filter((one) => one.isSlow && now - one.lastBadAt < overAfter && now - one.lastCallAt <= quietAfter)
      .map(({ adapter, since, lastFailure }) => ({ adapter, since, lastFailure }))
  }
}
