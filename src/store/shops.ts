import { PurveyorError } from '../errors.ts'
import type { SealedRow } from '../shops/seal.ts'
import type { Shop } from '../shops/shop.ts'

export interface AuditFilter {
  shopId: string
  /** Only entries from this moment on. */
  since?: number | undefined
  limit: number
}

export interface Sealed extends SealedRow {
  sealed: string
}

export interface SealedAnew {
  was: Sealed
  sealed: string
}

/** A note of `purveyor db copy` in a store. Times are in milliseconds since 1970. */
export interface CopyMark {
  /** Whether this store was copied, or is a copy. */
  role: 'source' | 'copy'
  /** The same in both stores. */
  copyId: string
  /** The other store, as it is shown: without a password. */
  other: string
  /** Of a source: `moved`. Of a copy: `finished`, or `retired` once the source serves again. */
  state: 'moved' | 'finished' | 'retired'
  beganAt: number
  endedAt?: number | undefined
  /** When the first provider started on this copy. */
  servedAt?: number | undefined
}

/** A field that the contract does not know, or knows in another form. Never a value. */
export interface DriftRecord {
  shopId: string
  /** Such as `shipment_methods`. */
  message: string
  path: string
  /** The kind of its value in JSON. */
  kind: string
  /** `ignored`, `read`, `cut`, `rounded`, `lost` or `refused`: see `Drift`. */
  became: string
  /** The number of compared messages that had it. */
  count: number
  /** Milliseconds since 1970. */
  firstAt: number
  lastAt: number
}

export interface StoredImage {
  /** The shop whose brand shows it; empty for a brand of the provider. */
  shopId: string
  /** The address it was fetched from. */
  source: string
  /** The name under which it is served: its hash, and the ending of its type. */
  name: string
  type: string
  width: number
  height: number
  /** In base64. */
  content: string
  /** Milliseconds since 1970. */
  fetchedAt: number
}

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
