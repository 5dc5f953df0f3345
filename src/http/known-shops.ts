import { LRUCache } from 'lru-cache'
import type { Shop, ShopAtEndpoint } from '../shops/shop.ts'
import { StoreUnavailable } from '../store.ts'
import type { World } from '../world.ts'

/** How long a looked-up shop is cached, in milliseconds. In other processes a rotated token ends this late. */
const freshFor = 5_000
/** How long a cached shop may be used while the store does not answer, in milliseconds. */
const knownFor = 3_600_000
/** How long a call that can work without the store waits for it, in milliseconds. */
const patience = 100
/** The most background lookups at a time. */
const looksAtOnce = 20
const warnEvery = 60_000
/** The size limit of all shops together, in characters of their sealed settings plus some for the rest. */
const rememberAtMost = 32 * 1024 * 1024
const rowSize = 1_024

interface Known {
  shop: Shop
  /** When the store last confirmed it. */
  at: number
  endsAt: number | undefined
}

/** Looks up a token in the store. Resolves with `undefined` for an unknown or ended token, and for one of a disabled shop. */
export type Look = () => Promise<ShopAtEndpoint | undefined>

/**
 * The shops that this process knows, by the hash of their endpoint token. A shop that was looked up within five seconds is used from the
 * cache. After that the store decides: its answer removes a disabled shop and an ended token. A token with a known end stops on time, also
 * while the store is away.
 *
 * While the store does not answer, a call that `goesOn` gets a shop that was known within the last hour. Each such shop is also looked up
 * in the background, so a store that is only slow can still shut it.
 */
export class KnownShops {
  readonly #world: World
  readonly #shops = new LRUCache<string, Known>({
    maxSize: rememberAtMost,
    sizeCalculation: ({ shop }) => rowSize + (shop.sealedSettings?.length ?? 0),
  })
  readonly #looking = new Map<string, Promise<Shop | undefined>>()
  #away = false
  #warned = false
  #warnedAt = Number.NEGATIVE_INFINITY
  #confirmedAt = Number.NEGATIVE_INFINITY

  constructor(world: World) {
    this.#world = world
  }

  /** Whether the store did not answer, or not in time, when a shop was last looked up. */
  get storeIsAway(): boolean {
    return this.#away
  }

  /** Whether calls that work without the store still find shops. */
  get any(): boolean {
    return this.#within(this.#confirmedAt, knownFor)
  }

  /** A shop that was looked up a moment ago. */
  fresh(tokenHash: string): Shop | undefined {
    const known = this.#shops.get(tokenHash)
    return known && this.#within(known.at, freshFor) && !this.#hasEnded(known) ? known.shop : undefined
  }

  /** Updates a shop that was found here with the store's newest data. */
  remember(tokenHash: string, shop: Shop): void {
    this.#keep(tokenHash, shop, this.#shops.get(tokenHash)?.endsAt)
  }

  #keep(tokenHash: string, shop: Shop, endsAt: number | undefined): void {
    this.#confirmedAt = this.#world.now()
    this.#shops.set(tokenHash, { shop, at: this.#confirmedAt, endsAt })
  }

  /** Rejects with the `StoreUnavailable` of the store, unless the call `goesOn` and the shop is known. */
  async find(tokenHash: string, look: Look, goesOn: boolean): Promise<Shop | undefined> {
    const known = goesOn ? this.#shops.get(tokenHash) : undefined
    if (known && this.#hasEnded(known)) return undefined
    if (!known || !this.#within(known.at, knownFor)) return this.#look(tokenHash, look)
    const looking = this.#lookBeside(tokenHash, look)
    if (this.#away || !looking) return known.shop
    return new Promise((resolve, reject) => {
      const cancel = this.#world.after(patience, () => {
        this.#away = true
        resolve(known.shop)
      })
      const failed = (error: unknown) =>
        error instanceof StoreUnavailable ? resolve(known.shop) : reject(error)
      looking.then(resolve, failed).finally(cancel)
    })
  }

  /** One lookup at a time for each token, and a limited number in all while the store is away: no call waits for those. */
  #lookBeside(tokenHash: string, look: Look): Promise<Shop | undefined> | undefined {
    const running = this.#looking.get(tokenHash)
    if (running || (this.#away && this.#looking.size >= looksAtOnce)) return running
    const looking = this.#look(tokenHash, look).finally(() => this.#looking.delete(tokenHash))
    looking.catch(() => {})
    this.#looking.set(tokenHash, looking)
    return looking
  }

  async #look(tokenHash: string, look: Look): Promise<Shop | undefined> {
    try {
      const shop = await look()
      this.#answered()
      if (shop) this.#keep(tokenHash, shop, shop.endpointEndsAt)
      else this.#shops.delete(tokenHash)
      return shop
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#failed()
      throw error
    }
  }

  #failed(): void {
    this.#away = true
    if (this.#warned || this.#within(this.#warnedAt, warnEvery)) return
    this.#warned = true
    this.#warnedAt = this.#world.now()
    this.#world.log.warn(
      { code: 'RATES_WITHOUT_STORE' },
      'the store does not answer: rates are still answered for shops that were looked up within the last hour',
    )
  }

  #answered(): void {
    this.#away = false
    if (!this.#warned) return
    this.#warned = false
    this.#world.log.info({}, 'the store answers again')
  }

  #hasEnded({ endsAt }: Known): boolean {
    return endsAt !== undefined && this.#world.now() >= endsAt
  }

  #within(at: number, ms: number): boolean {
    return this.#world.now() - at < ms
  }
}
