/** A tenant: one shop that registered this provider. */
export interface Shop {
  /** This provider's own name for it. The shop of a provider without configuration is `default`. */
  id: string
  /** The platform's id of the shop, bound to the first one seen (spec 2.4 shop). */
  platformId: string | undefined
  /** The language the shop's calls came in most recently: POST /payment names none. */
  language: string | undefined
}

export const defaultShopId = 'default'

/** The address given to a platform as `urlEndpoint`. */
export const endpointUrl = (publicUrl: string, token: string): string => `${publicUrl}/e/${token}`
