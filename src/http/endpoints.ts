import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../contract/index.ts'
import { refusals } from '../errors/refusals.ts'
import type { Parts } from '../parts.ts'
import { hashToken, isToken } from '../shops/seal.ts'
import { isPlatformId, type Shop } from '../shops/shop.ts'
import { StoreUnavailable } from '../store.ts'
import type { MaybePromise } from '../world.ts'
import type { KnownShops } from './known-shops.ts'
import type { StrangersLane } from './limits.ts'

const warnAtMost = 1_000
/** Each takes about 300 bytes. */
const hashesAtMost = 20_000

export interface CallerSays {
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
  readonly #lane: StrangersLane
  readonly #known: KnownShops
  /**
   * The hashes of tokens that opened a shop, so that its next calls are not hashed again. A hash opens nothing by itself: `KnownShops` and
   * the store decide on each call.
   */
  readonly #hashes = new Map<string, string>()
  readonly #warned = new Set<string>()

  constructor(workings: Parts<'world' | 'store' | 'development'>, lane: StrangersLane, known: KnownShops) {
    this.#workings = workings
    this.#lane = lane
    this.#known = known
  }

  /** The hash of a token. That of a token with a shop is remembered, whether or not the token still opens anything. */
  hashOf(token: string): string {
    return this.#hashes.get(token) ?? hashToken(token)
  }

  remembered(tokenHash: string): Shop | undefined {
    return this.#known.fresh(tokenHash)
  }

  /** Rejects with `NOT_FOUND` for an unknown token. A call that `goesOn` without the store gets a shop known within the last hour. */
  async lookUp(
    { token, tokenHash }: { token: string; tokenHash: string },
    req: IncomingMessage,
    res: ServerResponse,
    goesOn: boolean,
  ): Promise<Shop> {
    const { store, world } = this.#workings
    if (!this.#lane.knows(tokenHash)) await this.#lane.strangers.enter(req, res)
    const shop = await this.#lane.find(req, tokenHash, async () =>
      isToken(token)
        ? this.#known.find(tokenHash, () => store.shopByEndpoint(tokenHash, world.now()), goesOn)
        : undefined,
    )
    this.#hashes.delete(token)
    if (!shop) throw new Problem('NOT_FOUND')
    this.#hashes.set(token, tokenHash)
    if (this.#hashes.size > hashesAtMost) this.#forgetOldest()
    return shop
  }

  /** That of the token that was looked up longest ago. */
  #forgetOldest(): void {
    for (const token of this.#hashes.keys()) {
      this.#hashes.delete(token)
      return
    }
  }

  /** Refuses a call whose header names another shop than the endpoint is bound to, before its body is read. */
  checkHeader(shop: Shop, platformId: string | undefined): void {
    if (platformId === undefined || platformId === shop.platformId) return
    if (!isPlatformId(platformId)) this.#refuse('SHOP_ID_INVALID', shop, platformId)
    else if (shop.platformId !== undefined) this.#refuse('OTHER_SHOP', shop, platformId)
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
    let current = shop
    const ours = current.platformId ?? named[0]
    for (const id of named) {
      if (id !== current.platformId && !isPlatformId(id)) this.#refuse('SHOP_ID_INVALID', shop, id)
      else if (id !== ours) this.#refuse('OTHER_SHOP', shop, id)
    }
    if (!binds) return current
    const platformId = current.platformId === undefined && named.length === 1 ? named[0] : undefined
    if (platformId !== undefined && isPlatformId(platformId)) {
      const { store, world } = this.#workings
      if (goesOn && this.#known.storeIsAway) return current
      try {
        const noted = await store.noteShop(shop.id, { platformId }, world.now())
        // Another process has removed the shop since it was looked up.
        if (!noted) throw new Problem('NOT_FOUND')
        current = noted
      } catch (error) {
        // The next call writes it once the store answers.
        if (goesOn && error instanceof StoreUnavailable) return current
        throw error
      }
      this.#known.remember(tokenHash, current)
      // Another call was faster.
      if (current.platformId !== platformId) this.#refuse('OTHER_SHOP', shop, platformId)
    }
    return current
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
