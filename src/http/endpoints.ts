import { Problem } from '../contract/index.ts'
import type { Shop } from '../shops/shop.ts'
import { hashToken, isToken } from '../shops/tokens.ts'
import type { Provider } from '../use-cases/provider.ts'

/** How long a shop is remembered, in milliseconds: a rotated token ends this late in other processes. */
const rememberFor = 5_000
const rememberAtMost = 10_000

/** Finds the shop an endpoint token belongs to, and keeps each endpoint to one shop of the platform. */
export class Endpoints {
  readonly #provider: Provider
  readonly #remembered = new Map<string, { shop: Shop; until: number }>()
  readonly #warned = new Set<string>()

  constructor(provider: Provider) {
    this.#provider = provider
  }

  /** The shop of a token that was looked up a moment ago. */
  remembered(token: string): Shop | undefined {
    const known = this.#remembered.get(hashToken(token))
    return known && known.until > this.#provider.world.now() ? known.shop : undefined
  }

  /** Rejects with the uniform `NOT_FOUND` for a token that is unknown. */
  async lookUp(token: string): Promise<Shop> {
    if (!isToken(token)) throw new Problem('NOT_FOUND')
    const tokenHash = hashToken(token)
    const shop = await this.#provider.store.shopByEndpoint(tokenHash, this.#provider.world.now())
    if (!shop) throw new Problem('NOT_FOUND')
    this.#remember(tokenHash, shop)
    return shop
  }

  #remember(tokenHash: string, shop: Shop): void {
    if (this.#remembered.size >= rememberAtMost) this.#remembered.clear()
    this.#remembered.set(tokenHash, { shop, until: this.#provider.world.now() + rememberFor })
  }

  /**
   * Binds the endpoint to the first platform shop id it sees and refuses another one, so that two shops never share one set
   * of order ids. Development only warns. The id comes in the `X-Shop-Id` header, in the body, or not at all.
   */
  async seen(
    token: string,
    shop: Shop,
    platformIds: (string | undefined)[],
    language?: string,
  ): Promise<Shop> {
    const { store, world, development } = this.#provider
    let current = shop
    for (const platformId of platformIds) {
      if (platformId === undefined || platformId === current.platformId) continue
      if (current.platformId === undefined)
        current = await store.noteShop(shop.id, { platformId }, world.now())
      if (platformId === current.platformId) continue
      if (!development) {
        world.observer.refused('OTHER_SHOP', { shop: shop.id })
        throw new Problem('NOT_FOUND')
      }
      if (this.#warned.has(platformId)) continue
      this.#warned.add(platformId)
      world.log.warn(
        { shop: shop.id, platformId },
        'another shop calls this endpoint: in production it is refused',
      )
    }
    if (language && language !== current.language)
      current = await store.noteShop(shop.id, { language }, world.now())
    if (current !== shop) this.#remember(hashToken(token), current)
    return current
  }
}
