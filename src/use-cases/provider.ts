import type { PaymentAdapter } from '../payments/adapter.ts'
import type { RateAdapter } from '../rates/adapter.ts'
import type { Store } from '../store.ts'
import type { World } from '../world.ts'

// An adapter's generic parameter says what it gets; the use cases hand it exactly that, cut at run time.
// biome-ignore lint/suspicious/noExplicitAny: any set of needs
export type AnyRateAdapter = RateAdapter<any>
// biome-ignore lint/suspicious/noExplicitAny: any set of needs
export type AnyPaymentAdapter = PaymentAdapter<any>

/** What every use case works with. */
export interface Provider {
  world: World
  store: Store
  rates: readonly AnyRateAdapter[]
  payments: readonly AnyPaymentAdapter[]
  /** Where this provider is reached, without a slash at the end. Known once it listens. */
  publicUrl: string
  deadlines: Deadlines
  development: boolean
  /** Called when a notification may be due, or a push is there to be processed. */
  wake(): void
  /** The address that a payment service pushes to, for one shop and adapter. */
  pushUrl(shopId: string, adapter: string): Promise<string>
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
}

export const defaultDeadlines: Deadlines = { rates: 2500, methods: 2500, start: 4000, status: 2000 }
