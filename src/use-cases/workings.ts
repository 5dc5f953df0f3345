import type { PaymentAdapter } from '../payments/adapter.ts'
import type { PageTokens } from '../payments/page-tokens.ts'
import type { OfferedShipmentMethod, RateAdapter } from '../rates/adapter.ts'
import type { Convert } from '../rates/check.ts'
import type { Units } from '../rates/units.ts'
import type { Seal } from '../shops/seal.ts'
import type { StorePort } from '../store.ts'
import type { World } from '../world.ts'
import type { Memory } from './memory.ts'
import type { ServiceCalls } from './payments/service-calls.ts'
import type { SecretRotation } from './shops/rotate-secret.ts'

// An adapter's generic parameters say what it gets; the use cases hand it exactly that, cut at run time.
// biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
export type AnyRateAdapter = RateAdapter<any, any>
// biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
export type AnyPaymentAdapter = PaymentAdapter<any, any>

/** What every use case works with. */
export interface Workings {
  world: World
  store: StorePort
  rates: readonly AnyRateAdapter[]
  rating: Rating
  payments: readonly AnyPaymentAdapter[]
  /** Where this provider is reached, without a slash at the end. Known once it listens. */
  publicUrl: string
  deadlines: Deadlines
  development: boolean
  seal: Seal
  pages: PageTokens
  /** How long a payment that has come to rest is kept, in milliseconds. */
  retention: number
  /** Called when a webhook may be due, or a push is there to be processed. */
  wake(): void
  /** Called with the hash of an attempt's page token as its address is about to be given out. */
  pageIssued?(pageHash: string): void
  serviceCalls: ServiceCalls
  memory: Memory
  /** Changes the secret where it is being changed. Not set in tools that run no background work. */
  rotation?: SecretRotation
  /** Whether calls of `webhook_url` carry a signature. */
  signsWebhooks?: boolean
  /** The address that a payment service pushes to, for one shop and adapter. `by` is who made it, where it is new. */
  pushUrl(shopId: string, adapter: string, by?: string): Promise<string>
}

/** How rates are answered beside what the adapters say. */
export interface Rating {
  /** What a shop's weights and volumes are in. */
  units(shop: { id: string }): Units
  /** Answered where an adapter failed and nothing else is left. */
  fallback(shop: FallbackShop): readonly OfferedShipmentMethod[]
  /** What is answered when there is no fallback either: an empty list, or 503 `RATES_UNAVAILABLE`. */
  onNothing: 'empty' | 'error'
  convert: Convert | undefined
}

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
  /** What a payment page shows. Default 2,500. */
  page: number
}

/** Two years, in milliseconds: longer than payments are disputed. */
export const defaultRetention = 730 * 24 * 3_600_000

export const defaultDeadlines: Deadlines = {
  rates: 2500,
  methods: 2500,
  start: 4000,
  status: 2000,
  page: 2500,
}
