import { PurveyorError } from '../errors.ts'
import type { Shop } from '../shops/shop.ts'

/** The initial data of a new shop. `hosts` are its confirmed list. */
export interface ShopStart {
  platformId?: string | undefined
  hosts?: readonly string[] | undefined
  sealedSettings?: string | undefined
  /** The paths of its settings, for the audit trail. */
  settings?: readonly string[] | undefined
  by?: string | undefined
}

export interface AddedShop {
  id: string
  endpoint: NewEndpoint
  start: ShopStart
}

/** A change of the hosts that a shop may name. */
export interface HostsChange {
  /** The hosts to accept, such as `shop.example`. Default: none. */
  add?: readonly string[]
  /** The hosts to accept no longer. Default: none. */
  remove?: readonly string[]
  /** Removes every host that is not in `add`. Default false. */
  only?: boolean
  /** From now on no other host is accepted. Default: as before. */
  confirm?: boolean
}

export interface StoredAddress {
  tokenHash: string
  /** The token, encrypted, so that a command can print the address again. */
  sealedToken: string
}

export interface NewEndpoint extends StoredAddress {
  now: number
}

export interface EnsuredShop extends StoredAddress {
  shop: Shop
  added: boolean
}

/** A secret that signs a shop's webhooks. */
export interface WebhookKey {
  id: string
  sealed: string
  createdAt: number
  /** Its end; without one it never ends. */
  expiresAt: number | undefined
}

export interface NewWebhookKey {
  id: string
  sealed: string
  now: number
}

/** The shop was removed or does not serve, or the order was erased: nothing was written. */
export class Gone extends PurveyorError {
  override readonly name = 'Gone'
  constructor() {
    super('UNKNOWN_PAYMENT', 'The shop was removed or disabled, or the order was erased')
  }
}

/** Shops of these names exist already, and nothing was added. */
export class ShopsExist extends Error {
  override readonly name = 'ShopsExist'
  readonly shopIds: readonly string[]
  constructor(shopIds: readonly string[]) {
    super(`These shops exist already: ${shopIds.join(', ')}`)
    this.shopIds = shopIds
  }
}
