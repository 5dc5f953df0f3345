import type { AdapterFiles } from './adapters/adapter-files.ts'
import type { Convert, OfferedShipmentMethod } from './adapters/offered-methods.ts'
import type { FactsByCode } from './adapters/product-facts.ts'
import type { Units } from './adapters/units.ts'
import type { PaymentAdapter } from './payments/adapter.ts'
import type { RateAdapter } from './rates/adapter.ts'
import type { MaybePromise } from './world.ts'

// An adapter's generic parameters say what it gets; the use cases hand it exactly that, cut at run time.

/** A rate adapter with any needs and settings. */
// biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
export type AnyRateAdapter = RateAdapter<any, any>

/** A payment adapter with any needs and settings. */
// biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
export type AnyPaymentAdapter = PaymentAdapter<any, any>

export interface Images {
  /** Fetches an image of a shop's brand and keeps it; `shopId` is empty for a brand of the provider. Resolves with why pages cannot show it, or with nothing. */
  fetch(url: string, shopId: string): Promise<string | undefined>
  /** The image of a brand, by its path or address; `undefined` while there is none. */
  shown(source: string, shopId: string): Promise<{ name: string; width: number; height: number } | undefined>
  /** Whether the image of this name is in memory. */
  holds(name: string): boolean
  /** By the name under which it is served. */
  file(name: string): Promise<{ type: string; content: Buffer } | undefined>
}

/** The rules for rates beyond the adapters. */
export interface Rating {
  /** The units of a shop's weights and volumes. */
  units(shop: { id: string }): Units
  /** The answer if an adapter failed and there are no other methods. */
  fallback(shop: FallbackShop): readonly OfferedShipmentMethod[]
  /** The answer without a fallback: an empty list, or 503 `RATES_UNAVAILABLE`. */
  onNothing: 'empty' | 'error'
  convert: Convert | undefined
  /** The facts of products, beside those in the settings of shops. */
  productFacts?: ProductFactsSource | undefined
}

export interface ProductFactsSource {
  /** `undefined` for a shop without any. */
  of(shop: { id: string }, now: () => number): MaybePromise<FactsByCode | undefined>
  files: AdapterFiles
  /** Reads what is the same for all shops. Rejects if it has faults. */
  prepare(ctx: { now(): number }): Promise<void>
}

/** The shop that fallback rates are made for. */
export interface FallbackShop {
  id: string
  language: string
  currency: string
}

/** How long an answer may take, in milliseconds (the spec names no figures). */
export interface Deadlines {
  /** Default 2,500. */
  rates: number
  /** Payment methods. Default 2,500. */
  methods: number
  /** Default 4,000. */
  start: number
  /** Default 2,000. */
  status: number
  /** The content of a payment page. Default 2,500. */
  page: number
}

/** Rate adapters with those that answer when they fail. */
export const withFallbacks = (adapters: readonly AnyRateAdapter[]): AnyRateAdapter[] =>
  adapters.flatMap((one): AnyRateAdapter[] =>
    one.fallback ? [one, ...withFallbacks([one.fallback])] : [one],
  )
