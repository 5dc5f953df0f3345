import type { ShopHosts } from './hosts.ts'

/** A tenant: one shop that registered this provider. */
export interface Shop {
  /** This provider's own name for it. The shop of a provider without configuration is `default`. */
  id: string
  /** The platform's id of the shop, bound by the first valid POST that names one (spec 2.4 shop). */
  platformId: string | undefined
  /** The language the shop's calls came in most recently: POST /payment names none. */
  language: string | undefined
  /** Nothing is found at its endpoints. What was begun goes on. */
  disabled: boolean
  hosts: ShopHosts
  /** Its settings and platform credentials, encrypted. */
  sealedSettings: string | undefined
  /** Another one after every change of the settings, also of a shop that takes the name of one that was removed. */
  settingsVersion: number
}

/** An address that leads to a shop. Two of them can be live at a time, so that a token is changed without a gap. */
export interface Endpoint {
  tokenHash: string
  sealedToken: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** When it ends; never without. */
  expiresAt: number | undefined
}

/** A shop as it is found at one of its endpoints. */
export interface ShopAtEndpoint extends Shop {
  /** When the endpoint ends, in milliseconds since 1970; never without. */
  endpointEndsAt?: number
}

export const defaultShopId = 'default'

export const newShop = (id: string): Shop => ({
  id,
  platformId: undefined,
  language: undefined,
  disabled: false,
  hosts: { names: [], confirmed: false },
  sealedSettings: undefined,
  settingsVersion: 0,
})

/** What a provider may call a shop: it becomes part of ids and of keys. */
export const isShopId = (text: string): boolean => /^[a-z0-9][a-z0-9_-]{0,62}$/.test(text)

/** Whether a platform may call a shop so: a whole number without leading zeros (spec 2.4 shop.id). */
export const isPlatformId = (text: string): boolean =>
  /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))

/** The address given to a platform as `urlEndpoint`. */
export const endpointUrl = (publicUrl: string, token: string): string => `${publicUrl}/e/${token}`
