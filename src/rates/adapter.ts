import type { z } from 'zod'
import type { AdapterFiles } from '../adapters/adapter-files.ts'
import {
  type DefaultNeed,
  type Disclosure,
  type Need,
  neededFields,
  type PersonalData,
} from '../adapters/call-adapter.ts'
import {
  earlier,
  inLanguage,
  joinTexts,
  type LocalText,
  type OfferedShipmentMethod,
} from '../adapters/offered-methods.ts'
import type { QuoteWithFacts } from '../adapters/product-facts.ts'
import type { Measure, Units } from '../adapters/units.ts'
import type { ShipmentEstimateRequest, ShipmentMethodsRequest, ShopDetails } from '../contract/index.ts'
import type { AdapterNetwork, Log, MaybePromise } from '../world.ts'
import type { Parcels } from './parcels/packing.ts'
import type { ParcelRules } from './parcels/parcel-rules.ts'

/** A cart's request in the shape of a checkout's, for an adapter that answers both with `quote()`. */
export function asQuoteRequest<N extends Need>(
  adapter: { needs?: readonly N[] },
  { shop, quote, shipping_address }: EstimateRequest,
): QuoteRequest<N> {
  const { shipping_address: fields } = neededFields([adapter])
  const known = Object.entries(shipping_address).filter(([field]) => fields.includes(field))
  const parts = { customer: {}, billing_address: {}, shipping_address: Object.fromEntries(known) }
  return { shop, quote, ...parts } as unknown as QuoteRequest<N>
}

/** The checkout's request (spec 4.3), with the personal fields that the adapter declared in `needs`. */
export type QuoteRequest<N extends Need = DefaultNeed> = PersonalData<N> & {
  shop: ShopDetails
  quote: QuoteWithFacts
  /** The platform's id of the checkout. Not set where it sends none. */
  checkout_id?: ShipmentMethodsRequest['checkout_id']
}

/** The cart's request (spec 4.3): only zipcode and country of the customer are known. */
export type EstimateRequest = Omit<ShipmentEstimateRequest, 'quote'> & { quote: QuoteWithFacts }

/** A checkout's full request, or a cart's quick one (spec 4.3 POST shipment_methods). */
export type RateQuestion =
  | { request: Omit<ShipmentMethodsRequest, 'quote'> & { quote: QuoteWithFacts } }
  | { estimate: EstimateRequest }

/** The answer of an adapter without a method for this quote, with the reason. */
export interface NoMethods {
  none: string
  /** The instant from which there may be methods, in milliseconds since 1970. No cache answers none from then on. */
  goodUntil?: number
}

/** Words about a delivery that every method of an adapter gets when it is shown. */
export interface ShownPromise {
  /** One text, or one per language. */
  text: LocalText
  /** Where it stands: in front of the description, or behind the title. */
  show: 'description' | 'title'
  /** The instant from which it is no longer true, in milliseconds since 1970. It ends no cached price. */
  goodUntil?: number
}

/** Answers that there is no method, and why. `purveyor rates explain` shows the reason. It is no failure. */
export const none = (why: string): NoMethods => ({ none: why })

/** The last argument of each function of a rate adapter. */
export interface RateContext<S = unknown> {
  /** `id` is this provider's own name for the shop. */
  shop: { id: string }
  /** The settings of this shop, read with the adapter's `settings`. Throws if they do not match the schema. */
  settings: S
  /** Aborted at the deadline. Pass it to every call that may wait. */
  signal: AbortSignal
  /** Guarded: https only, no private addresses, aborted at the deadline. */
  fetch: typeof fetch
  /** `fetch` for a call that many quotes share, such as a login: guarded too, without the deadline of this quote. Give it a signal. */
  sharedFetch: typeof fetch
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back after `ms` of the clock that `now` reads. The returned function cancels it. */
  after(ms: number, call: () => void): () => void
  log: Log
  /** `none('why')`: there is no method, and why. */
  none(why: string): NoMethods
  /** Adds a line to the explanation of this quote. Name the reason, never the customer. */
  explain(note: string): void
  /** The units of the shop's weights, volumes and sizes. Without a setting a unit is not set: there is no guess. */
  units: Units
  /**
   * Computes the weight in the carrier's unit, the volumetric weight and the number of parcels, and adds them to the explanation. Throws
   * without the shop's units, and answers none for a quote without weight.
   */
  parcels(quote: QuoteWithFacts, rules: ParcelRules): Parcels
  /** Asks an adapter that this one holds, with its own cache, breaker, fallback and needs. Rejects if it fails or is skipped. */
  ask(inner: InnerAdapter, question: InnerQuestion): MaybePromise<RateAnswer>
}

/** An adapter that another one holds. */
export interface InnerAdapter {
  // biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
  adapter: RateAdapter<any, any>
  /** Names it in metrics, breakers and explanations, after the name of its holder. Default its own. */
  name?: string
  /** The part of the time left that it may take, from 0 to 1. Default 0.95. */
  share?: number | undefined
  /** The settings of it and of its fallback. Default: those that the shop has under their names. */
  // biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
  settings?: (adapter: RateAdapter<any, any>) => unknown
}

/** The request of the adapter that holds another. */
export type InnerQuestion = { quote: QuoteRequest<never> } | { estimate: EstimateRequest }

/** The argument of `prepare`. */
export interface PrepareContext extends Pick<RateContext, 'fetch' | 'now' | 'log'> {
  /** Aborted after 10 s. */
  signal: AbortSignal
}

/** Caching of an adapter's answers. Equal requests then cost one call. */
export interface RateCaching<N extends Need = DefaultNeed, S = unknown> {
  /** In milliseconds from the call of the adapter. */
  ttl: number
  /** How much longer an answer may be used while the adapter fails, in milliseconds. Default 0. */
  staleFor?: number
  /** `ttl` of the answer that there is no method. Default `ttl`, one minute at most. */
  noneTtl?: number
  /**
   * The cache key: equal requests have the same key. Default: shop, lines, totals, weights and the fields in `needs`. Required for an
   * adapter that needs more of a customer than country, region, zipcode, city and type.
   */
  key?(request: QuoteRequest<N>, ctx: RateContext<S>): string
}

/** Answers shipping methods for a quote. A failure is an exception, never a price of 0: the answer then holds the others' methods. */
export interface RateAdapter<N extends Need = DefaultNeed, S = unknown> {
  name: string
  /** The personal fields it reads. Without it: country, region and zipcode of both addresses. */
  needs?: readonly N[]
  quote(request: QuoteRequest<N>, ctx: RateContext<S>): MaybePromise<RateAnswer>
  /** Answers the cart. `'quote'` calls `quote()` with zipcode and country, all the cart knows. Without it there are no estimates. */
  estimate?: 'quote' | ((request: EstimateRequest, ctx: RateContext<S>) => MaybePromise<RateAnswer>)
  /** Without it every request calls the adapter. */
  cache?: RateCaching<N, S>
  /** The schema of settings per shop. If it reads `{}`, shops without settings get its defaults. */
  settings?: z.ZodType<S>
  /** The name of its settings. Default `name`. Adapters with one name share one object of settings and one schema, such as credentials. */
  settingsName?: string
  /** The recipients of personal fields, for the merchant's privacy policy. */
  privacy?: Disclosure
  /** The hosts or recipients of its personal fields, where `privacy` is not set. `remoteRates` and `combine` set it. */
  sendsTo?: readonly string[] | undefined
  /** A method may have a price below 0: a discount on the order. Default false: it is left out. Try it with your platform: spec 2.5 is silent. */
  allowNegative?: boolean
  /** Permissions of its `ctx.fetch` beyond those of every adapter. */
  network?: AdapterNetwork
  /** Production leaves it out, and does not start without another adapter. For test prices. */
  developmentOnly?: boolean
  /** The measures of a cart that it reads with `ctx.parcels`. The provider does not start if `rates.units` lacks the unit of one. */
  measures?: readonly Measure[]
  /** The files that it reads. Changed ones are in use within five seconds, in every process. */
  files?: AdapterFiles
  /** Promises for its methods, called for every answer: a cached price has that of now. If it fails, the adapter failed. `promised` sets it. */
  promises?(
    to: {
      /** Two letters. Not set without a country. */
      country?: string | undefined
    },
    ctx: RateContext<S>,
  ): MaybePromise<readonly ShownPromise[]>
  /** Called when the provider starts. If it fails, the provider does not start. */
  prepare?(ctx: PrepareContext): MaybePromise<void>
  /** Answers when this adapter failed or is skipped, and never when it refused. `onFailure` sets it. */
  // biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
  fallback?: RateAdapter<any, any>
}

/** The answer of a rate adapter: methods, or `none('why')`. */
export type RateAnswer = OfferedShipmentMethod[] | NoMethods

/** Returns the adapter unchanged. Its types follow from `needs` and `settings`: an undeclared field does not compile. */
export const rateAdapter = <N extends Need = DefaultNeed, S = unknown>(
  adapter: RateAdapter<N, S>,
): RateAdapter<N, S> => adapter

type Titled = Pick<OfferedShipmentMethod, 'title' | 'description' | 'goodUntil'>

/** The methods with promises in their words. With `language` they have one text each, in this language. */
export function promisedMethods<M>(
  methods: readonly M[],
  promises: readonly ShownPromise[],
  language?: string,
): M[] {
  const local = (text: LocalText) =>
    language === undefined ? text : (inLanguage(text, language) as LocalText)
  return promises.reduce<M[]>(
    (before, { text, show, goodUntil }) =>
      before.map((method) => {
        if (typeof method !== 'object' || method === null) return method
        const { title, description, goodUntil: end } = method as unknown as Titled
        const words =
          show === 'title'
            ? { title: joinTexts(title, local(text), ' · ') }
            : { description: joinTexts(local(text), description, ' · ') }
        return { ...method, ...words, goodUntil: earlier(end, goodUntil) }
      }),
    [...methods],
  )
}

/** The answer of an adapter with its promises, as an adapter that holds it gets it. */
export function withPromises(
  // biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
  { promises }: RateAdapter<any, any>,
  answer: RateAnswer,
  to: { country?: string | undefined },
  ctx: RateContext,
): MaybePromise<RateAnswer> {
  if (!promises || !Array.isArray(answer)) return answer
  return (async () => promisedMethods(answer, await promises(to, ctx)))()
}
