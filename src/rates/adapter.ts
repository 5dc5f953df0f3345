import type {
  Quote,
  ShipmentEstimateRequest,
  ShipmentMethodsRequest,
  ShopDetails,
} from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { DefaultNeed, Need, PersonalData } from '../privacy/needs.ts'
import type { Log, MaybePromise } from '../world.ts'

/** The checkout's question (spec 4.3), with the personal fields the adapter declared in `needs`. */
export type QuoteRequest<N extends Need = DefaultNeed> = PersonalData<N> & {
  shop: ShopDetails
  quote: Quote
  checkout_id?: ShipmentMethodsRequest['checkout_id']
}

/** The cart's question (spec 4.3): of the customer, nothing but zipcode and country is known. */
export type EstimateRequest = ShipmentEstimateRequest

/** A shipping method as a rate adapter offers it (spec 2.5). Spread `price({...})` for the three price fields. */
export interface OfferedShipmentMethod {
  /** The same offer has the same id every time. Derived from adapter and title when missing. */
  id?: string | number
  title: string
  description?: string
  address?: string
  price_incl: Decimal | number
  price_excl: Decimal | number
  /** A fraction: `'0.21'` is 21 %. */
  tax_rate: Decimal | number
  /** The customer collects the package at the shop. */
  is_pickup?: boolean
  /** The customer collects the package at a service point. */
  is_servicepoint?: boolean
  is_cash_on_delivery?: boolean
}

/** The answer of an adapter that has no method for this quote, and knows why. */
export interface NoMethods {
  none: string
}

export const none = (why: string): NoMethods => ({ none: why })

export interface RateContext {
  /** `id` is this provider's own name for the shop. */
  shop: { id: string }
  /** Aborted at the deadline. Hand it to whatever can wait. */
  signal: AbortSignal
  /** Guarded: https only, no private addresses, aborted at the deadline. */
  fetch: typeof fetch
  now(): number
  log: Log
  /** Adds a line to the explanation of this quote in the log. Say what decided, never whom it concerns. */
  explain(note: string): void
}

/**
 * Answers shipping methods for a quote. A failure is an exception, never a price of 0: an adapter that throws, or does
 * not answer in time, is left out and the others' methods are sent.
 */
export interface RateAdapter<N extends Need = DefaultNeed> {
  name: string
  /** The personal fields it reads. Without it: country, region and zipcode of both addresses. */
  needs?: readonly N[]
  quote(request: QuoteRequest<N>, ctx: RateContext): MaybePromise<OfferedShipmentMethod[] | NoMethods>
  /** Answers the cart. Without it the adapter takes no part in estimates. */
  estimate?(request: EstimateRequest, ctx: RateContext): MaybePromise<OfferedShipmentMethod[] | NoMethods>
}
