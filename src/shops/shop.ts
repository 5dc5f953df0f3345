import type { ShopHosts } from './hosts.ts'

/** A tenant: one shop that registered this provider. */
export interface Shop {
  /**
   * This provider's own name for it. The shop of a provider without configuration is `default`. No two shops ever have one id: a shop that is added
   * under the name of a removed one is `default.2`.
   */
  id: string
  /** The platform's id of the shop, bound by the first valid POST that names one (spec 2.4 shop). */
  platformId: string | undefined
  /** Its endpoints answer 404. Open payments continue. */
  disabled: boolean
  hosts: ShopHosts
  /** Its settings and platform credentials, encrypted. */
  sealedSettings: string | undefined
  /** Changes with every change of the settings, also for a new shop with the name of a removed one. */
  settingsVersion: number
}

/** An address of a shop. Two can be live at a time, so that a token changes without a gap. */
export interface Endpoint {
  tokenHash: string
  sealedToken: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** Its end; without one it never ends. */
  expiresAt: number | undefined
}

/** A shop found by one of its endpoints. */
export interface ShopAtEndpoint extends Shop {
  /** The end of the endpoint, in milliseconds since 1970; without one it never ends. */
  endpointEndsAt?: number
}

export const defaultShopId = 'default'

export const newShop = (id: string): Shop => ({
  id,
  platformId: undefined,
  disabled: false,
  hosts: { names: [], confirmed: false },
  sealedSettings: undefined,
  settingsVersion: 0,
})

/** A provider's name for a shop: it becomes part of ids and of keys. */
export const isShopId = (text: string): boolean => /^[a-z0-9][a-z0-9_-]{0,62}$/.test(text)

/** The name of a shop: shops that followed each other have the same. */
export const nameOf = (id: string): string => id.split('.', 1)[0]!

/** Whether this is a platform's id of a shop: a whole number without leading zeros (spec 2.4 shop.id). */
export const isPlatformId = (text: string): boolean =>
  /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))

/** The `urlEndpoint` to register with a platform. */
export const endpointUrl = (publicUrl: string, token: string): string => `${publicUrl}/e/${token}`
