import type { Brand } from '../brand/brand.ts'
import type { PaymentAdapter } from '../payments/adapter.ts'
import { ContentSeal, PageTokens } from '../payments/page-tokens.ts'
import { neededFields, onlyNeeded } from '../privacy/needs.ts'
import type { OfferedShipmentMethod, RateAdapter } from '../rates/adapter.ts'
import type { AdapterFiles } from '../rates/adapter-files.ts'
import type { Convert } from '../rates/check.ts'
import type { FactsByCode } from '../rates/product-facts.ts'
import type { Units } from '../rates/units.ts'
import type { Seal } from '../shops/seal.ts'
import type { StorePort } from '../store-port.ts'
import type { MaybePromise, World } from '../world.ts'
import { type Cut, Memory, type Needing } from './memory.ts'
import { ServiceCalls } from './payments/service-failures.ts'
import type { ResourceHandlers } from './resource-events.ts'
import type { SecretRotation } from './shops/rotate-secret.ts'

/** The members without a default. */
type Required = Pick<Workings, 'world' | 'store' | 'seal' | 'pushUrl'>

/** Tools without pages show no images. */
const noImages: Images = {
  fetch: async () => undefined,
  shown: async () => undefined,
  holds: () => false,
  file: async () => undefined,
}

/** Creates workings with a memory of their own and defaults for missing members. */
export function newWorkings(given: Required & Partial<Omit<Workings, 'memory'>>): Workings {
  return {
    rates: [],
    rating: defaultRating,
    payments: [],
    publicUrl: '',
    deadlines: defaultDeadlines,
    development: false,
    brand: {},
    texts: {},
    images: noImages,
    pages: new PageTokens(),
    contents: new ContentSeal(),
    retention: defaultRetention,
    wake() {},
    serviceCalls: new ServiceCalls(),
    memory: new Memory(given.world),
    resourceHandlers: {},
    ...given,
  }
}

/** Reduces a message that was read for all adapters of one kind to the fields of one adapter. */
export function cutFor(workings: Workings, kind: 'rates' | 'payments', adapter: Needing): Cut {
  const { cuts } = workings.memory
  let cut = cuts.get(adapter)
  if (!cut) {
    const all: readonly Needing[] = kind === 'rates' ? withFallbacks(workings.rates) : workings.payments
    cut = onlyNeeded(adapter, neededFields(all))
    cuts.set(adapter, cut)
  }
  return cut
}

// An adapter's generic parameters say what it gets; the use cases hand it exactly that, cut at run time.

/** A rate adapter with any needs and settings. */
// biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
export type AnyRateAdapter = RateAdapter<any, any>

/** A payment adapter with any needs and settings. */
// biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
export type AnyPaymentAdapter = PaymentAdapter<any, any>

/** The shared dependencies of all use cases. */
export interface Workings {
  world: World
  store: StorePort
  rates: readonly AnyRateAdapter[]
  rating: Rating
  payments: readonly AnyPaymentAdapter[]
  /** The public address of this provider, without a slash at the end. Known once it listens. */
  publicUrl: string
  deadlines: Deadlines
  development: boolean
  /** The brand of the provider: a shop's and an adapter's go before it. */
  brand: Brand
  /** The provider's own texts of pages, by language and key. */
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  images: Images
  seal: Seal
  pages: PageTokens
  contents: ContentSeal
  /** How long an ended payment is kept, in milliseconds. */
  retention: number
  /** Called when a webhook may be due, or a push waits to be processed. */
  wake(): void
  /** Called with the hash of an attempt's page token before its address is sent. */
  pageIssued?(pageHash: string): void
  serviceCalls: ServiceCalls
  memory: Memory
  /** Changes the secret. Not set in tools without background work. */
  rotation?: SecretRotation
  signsWebhooks?: boolean
  /** The push address for one shop and adapter. `by` is the author of a new one. */
  pushUrl(shopId: string, adapter: string, by?: string): Promise<string>
  /** Called with the resource events of the shops' platforms. */
  resourceHandlers: ResourceHandlers
}

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

export const defaultRating: Rating = {
  units: () => ({}),
  fallback: () => [],
  onNothing: 'empty',
  convert: undefined,
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

/** Two years, in milliseconds: longer than payments are disputed. */
const defaultRetention = 730 * 24 * 3_600_000

export const defaultDeadlines: Deadlines = {
  rates: 2500,
  methods: 2500,
  start: 4000,
  status: 2000,
  page: 2500,
}

/** Rate adapters with those that answer when they fail. */
export const withFallbacks = (adapters: readonly AnyRateAdapter[]): AnyRateAdapter[] =>
  adapters.flatMap((one): AnyRateAdapter[] =>
    one.fallback ? [one, ...withFallbacks([one.fallback])] : [one],
  )
