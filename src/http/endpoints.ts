import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../contract/index.ts'
import { refusals } from '../refusals.ts'
import { isPlatformId, type Shop } from '../shops/shop.ts'
import { hashToken, isToken } from '../shops/tokens.ts'
import type { Provider } from '../use-cases/provider.ts'
import type { StrangersLane } from './strangers-lane.ts'

/** How long a shop is remembered, in milliseconds: a rotated token ends this late in other processes. */
const rememberFor = 5_000
const rememberAtMost = 10_000
const warnAtMost = 1_000

/** What a call says of the shop it comes from. */
export interface CallerSays {
  /** In the header and in the body. */
  platformIds: readonly (string | undefined)[]
  language?: string | undefined
  /** Whether it is a POST whose body was read: a GET binds nothing. */
  binds: boolean
}

/** Finds the shop an endpoint token belongs to, and keeps each endpoint to one shop of the platform. */
export class Endpoints {
  readonly #provider: Provider
  readonly #lane: StrangersLane
  readonly #remembered = new Map<string, { shop: Shop; until: number }>()
  readonly #warned = new Set<string>()

  constructor(provider: Provider, lane: StrangersLane) {
    this.#provider = provider
    this.#lane = lane
  }

  /** The shop of a token that was looked up a moment ago. */
  remembered(token: string): Shop | undefined {
    const known = this.#remembered.get(hashToken(token))
    return known && known.until > this.#provider.world.now() ? known.shop : undefined
  }

  /** Rejects with the uniform `NOT_FOUND` for a token that is unknown. */
  async lookUp(token: string, req: IncomingMessage, res: ServerResponse): Promise<Shop> {
    const tokenHash = hashToken(token)
    const { store, world } = this.#provider
    if (!this.#lane.knows(tokenHash)) await this.#lane.enter(req, res)
    const shop = await this.#lane.find(req, tokenHash, async () =>
      isToken(token) ? store.shopByEndpoint(tokenHash, world.now()) : undefined,
    )
    if (!shop) throw new Problem('NOT_FOUND')
    this.#remember(tokenHash, shop)
    return shop
  }

  #remember(tokenHash: string, shop: Shop): void {
    if (this.#remembered.size >= rememberAtMost) this.#remembered.clear()
    this.#remembered.set(tokenHash, { shop, until: this.#provider.world.now() + rememberFor })
  }

  /**
   * Keeps the endpoint to one shop of the platform, so that two shops never share one set of order ids: the first valid POST that names
   * a shop binds it. A call that names another shop, or none that there can be, is refused; development only warns. Ids come in
   * the `X-Shop-Id` header, in the body, in both or in neither.
   */
  async seen(token: string, shop: Shop, { platformIds, language, binds }: CallerSays): Promise<Shop> {
    const named = [...new Set(platformIds.filter((id) => id !== undefined))]
    let current = shop
    const ours = current.platformId ?? named[0]
    for (const id of named) {
      if (id !== current.platformId && !isPlatformId(id)) this.#refuse('SHOP_ID_INVALID', shop, id)
      else if (id !== ours) this.#refuse('OTHER_SHOP', shop, id)
    }
    if (!binds) return current
    const platformId = current.platformId === undefined && named.length === 1 ? named[0] : undefined
    const binding = platformId !== undefined && isPlatformId(platformId)
    if (binding || (language && language !== current.language)) {
      const { store, world } = this.#provider
      current = await store.noteShop(shop.id, { ...(binding && { platformId }), language }, world.now())
      this.#remember(hashToken(token), current)
      // Another call was faster.
      if (binding && current.platformId !== platformId) this.#refuse('OTHER_SHOP', shop, platformId)
    }
    return current
  }

  #refuse(code: 'OTHER_SHOP' | 'SHOP_ID_INVALID', { id: shop }: Shop, platformId: string): void {
    const { world, development } = this.#provider
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
