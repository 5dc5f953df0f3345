import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { Problem } from '../contract/index.ts'
import { refusals } from '../errors/refusals.ts'
import type { Parts } from '../parts.ts'
import { hashToken, isToken } from '../shops/seal.ts'
import { isPlatformId, type Shop, type ShopAtEndpoint } from '../shops/shop.ts'
import { StoreUnavailable } from '../store.ts'
import type { MaybePromise, World } from '../world.ts'
import type { Gate } from './places.ts'

const warnAtMost = 1_000
/** Each takes about 300 bytes. */
const hashesAtMost = 20_000

interface CallerSays {
  /** From the header and from the body. */
  platformIds: readonly (string | undefined)[]
  /** Whether it is a POST whose body was read: a GET binds nothing. */
  binds: boolean
  /** Whether the call is answered while the store is away. Then nothing is written. */
  goesOn?: boolean
}

/** Finds the shop of an endpoint token, and binds each endpoint to one shop of the platform. */
export class Endpoints {
  readonly #workings: Parts<'world' | 'store' | 'development'>
  readonly #gate: Gate
  readonly #known: KnownShops
  /** The hashes of tokens that opened a shop, so that its next calls are not hashed again. A hash opens nothing by itself. */
  readonly #hashes = new Map<string, string>()
  readonly #warned = new Set<string>()

  constructor(workings: Parts<'world' | 'store' | 'development'>, gate: Gate, known: KnownShops) {
    this.#workings = workings
    this.#gate = gate
    this.#known = known
  }

  /** The hash of a token. That of a token with a shop is remembered, whether or not the token still opens anything. */
  hashOf(token: string): string {
    return this.#hashes.get(token) ?? hashToken(token)
  }

  /** Rejects with `NOT_FOUND` for an unknown token. A call that `goesOn` without the store gets a shop known within the last hour. */
  async lookUp(token: string, req: IncomingMessage, res: ServerResponse, goesOn: boolean): Promise<Shop> {
    const { store, world } = this.#workings
    const tokenHash = this.hashOf(token)
    if (!this.#gate.knows(tokenHash)) await this.#gate.strangers.enter(req, res)
    const shop = await this.#gate.find(req, tokenHash, async () =>
      isToken(token)
        ? this.#known.find(tokenHash, () => store.shopByEndpoint(tokenHash, world.now()), goesOn)
        : undefined,
    )
    this.#hashes.delete(token)
    if (!shop) throw new Problem('NOT_FOUND')
    world.observer.shopCalled(shop.id)
    this.#hashes.set(token, tokenHash)
    // That of the token that was looked up longest ago.
    if (this.#hashes.size > hashesAtMost) this.#hashes.delete(this.#hashes.keys().next().value!)
    return shop
  }

  /** Refuses a call that names another shop of the platform than `ours`: that which the endpoint is bound to, if there is one. */
  check(shop: Shop, platformId: string | undefined, ours = shop.platformId): void {
    if (platformId === undefined || platformId === shop.platformId) return
    if (!isPlatformId(platformId)) this.#refuse('SHOP_ID_INVALID', shop, platformId)
    else if (ours !== undefined && platformId !== ours) this.#refuse('OTHER_SHOP', shop, platformId)
  }

  /**
   * Binds the endpoint to one shop of the platform, so that two shops never share one set of order ids: the first valid POST that names a
   * shop binds it. A call that names another shop, or an invalid one, is refused; development only warns. Ids come in the `X-Shop-Id`
   * header, in the body, in both or in neither.
   */
  seen(tokenHash: string, shop: Shop, says: CallerSays): MaybePromise<Shop> {
    const { platformId } = shop
    // Nearly every call names no shop, or the one that its endpoint is bound to.
    const isBound =
      platformId !== undefined && says.platformIds.every((id) => id === undefined || id === platformId)
    return isBound ? shop : this.#bind(tokenHash, shop, says)
  }

  async #bind(tokenHash: string, shop: Shop, { platformIds, binds, goesOn }: CallerSays): Promise<Shop> {
    const named = [...new Set(platformIds.filter((id) => id !== undefined))]
    const ours = shop.platformId ?? named[0]
    for (const id of named) this.check(shop, id, ours)
    if (!binds) return shop
    const platformId = shop.platformId === undefined && named.length === 1 ? named[0] : undefined
    if (platformId === undefined || !isPlatformId(platformId)) return shop
    const { store, world } = this.#workings
    if (goesOn && this.#known.storeIsAway) return shop
    const noted = await store.noteShop(shop.id, { platformId }, world.now()).catch((error: unknown) => {
      // The next call writes it once the store answers.
      if (goesOn && error instanceof StoreUnavailable) return 'away' as const
      throw error
    })
    if (noted === 'away') return shop
    // Another process has removed the shop since it was looked up.
    if (!noted) throw new Problem('NOT_FOUND')
    this.#known.remember(tokenHash, noted)
    // Another call was faster.
    if (noted.platformId !== platformId) this.#refuse('OTHER_SHOP', shop, platformId)
    return noted
  }

  #refuse(code: 'OTHER_SHOP' | 'SHOP_ID_INVALID', { id: shop }: Shop, platformId: string): void {
    const { world, development } = this.#workings
    if (!development) {
      world.observer.refused(code, { shop, ...(code === 'OTHER_SHOP' && { platformId }) })
      throw new Problem('NOT_FOUND')
    }
    if (this.#warned.has(platformId)) return
    if (this.#warned.size >= warnAtMost) this.#warned.clear()
    this.#warned.add(platformId)
    world.log.warn({ shop, platformId, code }, `${refusals[code].why} In production it is refused.`)
  }
}

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
type Look = () => Promise<ShopAtEndpoint | undefined>

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
  /** Whether the store did not answer, or not in time, when a shop was last looked up. */
  storeIsAway = false
  #warned = false
  #warnedAt = Number.NEGATIVE_INFINITY
  #confirmedAt = Number.NEGATIVE_INFINITY

  constructor(world: World) {
    this.#world = world
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
    if (this.storeIsAway || !looking) return known.shop
    return new Promise((resolve, reject) => {
      const cancel = this.#world.after(patience, () => {
        this.storeIsAway = true
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
    if (running || (this.storeIsAway && this.#looking.size >= looksAtOnce)) return running
    const looking = this.#look(tokenHash, look).finally(() => this.#looking.delete(tokenHash))
    looking.catch(() => {})
    this.#looking.set(tokenHash, looking)
    return looking
  }

  async #look(tokenHash: string, look: Look): Promise<Shop | undefined> {
    try {
      const shop = await look()
      this.storeIsAway = false
      if (this.#warned) this.#world.log.info({}, 'the store answers again')
      this.#warned = false
      if (shop) this.#keep(tokenHash, shop, shop.endpointEndsAt)
      else this.#shops.delete(tokenHash)
      return shop
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#failed()
      throw error
    }
  }

  #failed(): void {
    this.storeIsAway = true
    if (this.#warned || this.#within(this.#warnedAt, warnEvery)) return
    this.#warned = true
    this.#warnedAt = this.#world.now()
    this.#world.log.warn(
      { code: 'RATES_WITHOUT_STORE' },
      'the store does not answer: rates are still answered for shops that were looked up within the last hour',
    )
  }

  #hasEnded({ endsAt }: Known): boolean {
    return endsAt !== undefined && this.#world.now() >= endsAt
  }

  #within(at: number, ms: number): boolean {
    return this.#world.now() - at < ms
  }
}
