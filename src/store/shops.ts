import { PurveyorError } from '../errors.ts'
import type { Endpoint, Shop, ShopAtEndpoint } from '../shops/shop.ts'

export interface ShopStore {
  /** Adds a shop with its endpoint and initial data, or returns the existing one. Rejects with `Gone` for the id of a removed one. */
  ensureShop(shopId: string, endpoint: NewEndpoint, start?: ShopStart): Promise<EnsuredShop>
  /** Adds many shops, all or none. Rejects with a `ShopsExist` if one exists already. */
  addShops(shops: readonly AddedShop[]): Promise<void>
  /** The ids of the shops of these names, or the id each would get if it were added now: a shop that takes the name of a removed one gets an id of its own. */
  shopIdsOf(names: readonly string[]): Promise<string[]>
  shop(shopId: string): Promise<Shop | undefined>
  /** All shops by id, or the first ones. */
  shops(limit?: number): Promise<Shop[]>
  /** The number of shops. */
  countShops(): Promise<number>
  /**
   * Removes a shop with all its data except the audit trail. From this commit on nothing is written for its id, and no other shop gets it. Resolves
   * with the number of its owed webhooks; with `undefined` if there is no such shop or, without `force`, if any payment is under way.
   */
  removeShop(shopId: string, now: number, by?: string, force?: boolean): Promise<number | undefined>
  /** A disabled shop is not found by its endpoints. Resolves with `undefined` if there is no such shop. */
  setDisabled(shopId: string, disabled: boolean, now: number, by?: string): Promise<Shop | undefined>
  /**
   * Replaces the sealed settings of a shop if they have this version. `changed` are the changed paths, for the audit trail. Resolves with
   * `undefined` if the settings have changed since, or there is no such shop.
   */
  saveSettings(
    shopId: string,
    settings: { sealed: string | undefined; changed: readonly string[]; version: number },
    now: number,
    by?: string,
  ): Promise<Shop | undefined>
  /** The shop of a live endpoint, with the endpoint's end if it has one. Never a disabled shop. */
  shopByEndpoint(tokenHash: string, now: number): Promise<ShopAtEndpoint | undefined>
  /** The hashes of tokens that shops have: those of live endpoints, and those of addresses for pushes. At most `limit` of each. */
  knownTokens(now: number, limit: number): Promise<string[]>
  /** The live endpoints of a shop, newest first. */
  endpoints(shopId: string, now: number): Promise<Endpoint[]>
  /** The live endpoints of all shops, the newest of a shop first. */
  liveEndpoints(now: number): Promise<(Endpoint & { shopId: string })[]>
  /** Adds an endpoint. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
  rotateEndpoint(shopId: string, endpoint: NewEndpoint, oldEndsAt: number, by?: string): Promise<void>
  /** The live keys that sign a shop's webhooks, newest first. */
  webhookKeys(shopId: string, now: number): Promise<WebhookKey[]>
  /** Adds a key if the shop has none. Resolves with the live ones; with none if there is no such shop. */
  ensureWebhookKey(shopId: string, key: NewWebhookKey, by?: string): Promise<WebhookKey[]>
  /** Adds a key. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
  rotateWebhookKey(shopId: string, key: NewWebhookKey, oldEndsAt: number, by?: string): Promise<void>
  /** Stores the platform's id of a shop. A stored one stays. Resolves with `undefined` if there is no such shop. */
  noteShop(shopId: string, seen: { platformId: string }, now: number): Promise<Shop | undefined>
  /** Replaces the platform id of a shop; without one the next call sets it. Resolves with `undefined` if there is no such shop. */
  bindShop(
    shopId: string,
    platformId: string | undefined,
    now: number,
    by?: string,
  ): Promise<Shop | undefined>
  /** Changes the list of hosts of a shop. Only a `confirmed` list holds more than a hundred. */
  changeHosts(shopId: string, change: HostsChange, now: number, by?: string): Promise<Shop | undefined>

  /** Adds the push address of a payment service, or returns the existing one. */
  ensurePushAddress(
    shopId: string,
    adapter: string,
    address: NewEndpoint,
    by?: string,
  ): Promise<StoredAddress>
  shopByPushToken(adapter: string, tokenHash: string): Promise<Shop | undefined>
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

interface StoredAddress {
  tokenHash: string
  /** The token, encrypted, so that a command can print the address again. */
  sealedToken: string
}

export interface NewEndpoint extends StoredAddress {
  now: number
}

interface EnsuredShop extends StoredAddress {
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
