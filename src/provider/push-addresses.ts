import { pushAddressRow } from '../shops/seal.ts'
import { fromPlatform } from '../use-cases/push-content.ts'
import { newPushAddress } from '../use-cases/shops/add-shops.ts'
import type { Workings } from '../use-cases/workings.ts'

/**
 * The push addresses of payment services, and that of the shop's platform for resource events: one for each shop and adapter. Each is looked
 * up once, because it lasts as long as the shop.
 */
export class PushAddresses {
  readonly #workings: Workings
  /** Called with the hash of a token before its address is given out. */
  readonly #issued: (tokenHash: string) => void
  readonly #tokens = new Map<string, Promise<string>>()

  constructor(workings: Workings, issued: (tokenHash: string) => void) {
    this.#workings = workings
    this.#issued = issued
  }

  /** `by` is the author of a new address. */
  async urlOf(shopId: string, adapter: string, by?: string): Promise<string> {
    const key = `${adapter} ${shopId}`
    const token = this.#tokens.get(key) ?? this.#ensure(shopId, adapter, by)
    this.#tokens.set(key, token)
    token.catch(() => this.#tokens.delete(key))
    const path = adapter === fromPlatform ? '/w' : `/n/${adapter}`
    return `${this.#workings.publicUrl}${path}/${await token}`
  }

  async #ensure(shopId: string, adapter: string, by?: string): Promise<string> {
    const { store, seal } = this.#workings
    const address = newPushAddress(this.#workings, shopId, adapter)
    const { sealedToken, tokenHash } = await store.ensurePushAddress(shopId, adapter, address, by)
    this.#issued(tokenHash)
    return seal.open(sealedToken, pushAddressRow(shopId, adapter, tokenHash))
  }
}
