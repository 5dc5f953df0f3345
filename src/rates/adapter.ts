import type { z } from 'zod'
import type {
  Quote,
  ShipmentEstimateRequest,
  ShipmentMethodsRequest,
  ShopDetails,
} from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { Disclosure } from '../privacy/disclosure.ts'
import type { DefaultNeed, Need, PersonalData } from '../privacy/needs.ts'
import type { AdapterNetwork, Log, MaybePromise } from '../world.ts'
import type { LocalText } from './local-text.ts'
import type { ParcelRules, Parcels } from './parcels.ts'
import type { Units } from './units.ts'

/** The checkout's question (spec 4.3), with the personal fields the adapter declared in `needs`. */
export type QuoteRequest<N extends Need = DefaultNeed> = PersonalData<N> & {
  shop: ShopDetails
  quote: Quote
  checkout_id?: ShipmentMethodsRequest['checkout_id']
}

/** The cart's question (spec 4.3): of the customer, nothing but zipcode and country is known. */
export type EstimateRequest = ShipmentEstimateRequest

/** A checkout's full question, or a cart's quick one (spec 4.3 POST shipment_methods). */
export type RateQuestion = { request: ShipmentMethodsRequest } | { estimate: ShipmentEstimateRequest }

/** A shipping method as a rate adapter offers it (spec 2.5). Spread `price({...})` for the three price fields. */
export interface OfferedShipmentMethod {
  /** The same offer has the same id every time. Derived from adapter and title when missing. */
  id?: string | number
  /** One text, or one for each language: the shop's is taken, otherwise English, otherwise the first. */
  title: LocalText
  description?: LocalText
  address?: string
  price_incl: Decimal | number
  price_excl: Decimal | number
  /** A fraction: `'0.21'` is 21 %. */
  tax_rate: Decimal | number
  /** What the prices are in. Default the shop's; another one is left out, unless the provider has a `convert`. */
  currency?: string
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

export interface RateContext<S = unknown> {
  /** `id` is this provider's own name for the shop. */
  shop: { id: string }
  /** What is set for this shop, as the adapter's `settings` read it. Throws where that does not fit the schema. */
  settings: S
  /** Aborted at the deadline. Hand it to whatever can wait. */
  signal: AbortSignal
  /** Guarded: https only, no private addresses, aborted at the deadline. */
  fetch: typeof fetch
  now(): number
  log: Log
  /** Adds a line to the explanation of this quote. Say what decided, never whom it concerns. */
  explain(note: string): void
  /** What the shop's weights, volumes and sizes are in. What nobody has stated is not set: there is no guess. */
  units: Units
  /**
   * Weight in the carrier's unit, volumetric weight, and into how many parcels the quote goes; all of it is explained. Throws
   * where the shop's units are not stated, and answers none where the quote has no weight.
   */
  parcels(quote: Quote, rules: ParcelRules): Parcels
}

/** How long an adapter's answers are good for. Equal questions then cost one call. */
export interface RateCaching<N extends Need = DefaultNeed> {
  /** In milliseconds from the moment the adapter was asked. */
  ttl: number
  /** How much longer an answer may stand in while the adapter fails, in milliseconds. Default 0. */
  staleFor?: number
  /** `ttl` of the answer that there is no method. Default `ttl`, one minute at most. */
  noneTtl?: number
  /**
   * What makes two questions equal. Default: shop, lines, totals, weights and the fields in `needs`. An adapter that needs
   * more of a customer than country, region, zipcode, city and type has to give its own.
   */
  key?(request: QuoteRequest<N>): string
}

/**
 * Answers shipping methods for a quote. A failure is an exception, never a price of 0: an adapter that throws, or does
 * not answer in time, is left out and the others' methods are sent.
 */
export interface RateAdapter<N extends Need = DefaultNeed, S = unknown> {
  name: string
  /** The personal fields it reads. Without it: country, region and zipcode of both addresses. */
  needs?: readonly N[]
  quote(request: QuoteRequest<N>, ctx: RateContext<S>): MaybePromise<RateAnswer>
  /**
   * Answers the cart. `'quote'` asks `quote()` with what the cart knows, which is zipcode and country. Without it the adapter
   * takes no part in estimates.
   */
  estimate?: 'quote' | ((request: EstimateRequest, ctx: RateContext<S>) => MaybePromise<RateAnswer>)
  /** Without it the adapter is asked every time. */
  cache?: RateCaching<N>
  /** What is set for each shop. A schema that reads `{}` gives shops that have set nothing its defaults. */
  settings?: z.ZodType<S>
  /** For the merchant's privacy policy: where the personal fields go. */
  privacy?: Disclosure
  /** What its `ctx.fetch` may do beyond what every adapter's may. */
  network?: AdapterNetwork
  /** Production leaves it out, and does not start where no other adapter is left. For prices that nobody should pay. */
  developmentOnly?: boolean
  /** Called when the provider starts. When it fails the provider does not start. */
  prepare?(): MaybePromise<void>
}

export type RateAnswer = OfferedShipmentMethod[] | NoMethods

/**
 * The adapter as it is given. The types of its requests and of `ctx.settings` follow from its `needs` and `settings`: a field that it
 * does not declare does not compile.
 */
export const rateAdapter = <N extends Need = DefaultNeed, S = unknown>(
  adapter: RateAdapter<N, S>,
): RateAdapter<N, S> => adapter
