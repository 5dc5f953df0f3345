import type { Cuts } from './adapters/call-adapter.ts'
import type { AnyPaymentAdapter, AnyRateAdapter, Deadlines, Images, Rating } from './any-adapter.ts'
import type { Brand } from './brand/brand.ts'
import type { Addresses } from './payments/addresses.ts'
import type { PaymentMemory } from './payments/payment-memory.ts'
import type { RateMemory } from './rates/asking/rate-memory.ts'
import type { DriftNotes } from './shops/drift.ts'
import type { ResourceHandlers } from './shops/resource-handlers.ts'
import type { SecretRotation } from './shops/rotate-secret.ts'
import type { ContentSeal, Seal } from './shops/seal.ts'
import type { SettingsOfShops } from './shops/shop-settings.ts'
import type { StorePort } from './store-port.ts'
import type { World } from './world.ts'

/**
 * The inside of a provider, which `provider/` puts together once. Nothing else takes the whole: a use case names the parts that it uses, such
 * as `Parts<'store' | 'world'>`.
 */
export interface Workings {
  world: World
  store: StorePort
  rates: ServedRates
  payments: ServedPayments
  addresses: Addresses
  settings: SettingsOfShops
  seal: Seal
  contents: ContentSeal
  development: boolean
  /** The brand of the provider: a shop's and an adapter's go before it. */
  brand: Brand
  /** The provider's own texts of pages, by language and key. */
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  images: Images
  /** How long an ended payment is kept, in milliseconds. */
  retention: number
  drift: DriftNotes
  /** Changes the secret. Not set in tools without background work. */
  rotation?: SecretRotation
  signsWebhooks?: boolean
  /** Called with the resource events of the shops' platforms. */
  resourceHandlers: ResourceHandlers
  /** Called when a webhook may be due, or a push waits to be processed. */
  wake(): void
}

/** Some parts of the inside of a provider. */
export type Parts<Name extends keyof Workings> = Pick<Workings, Name>

/** The rate adapters of a provider, with their rules and what is remembered of them. */
interface ServedRates {
  adapters: readonly AnyRateAdapter[]
  rating: Rating
  /** How long an answer may take, in milliseconds. */
  deadline: number
  development: boolean
  cuts: Cuts
  memory: RateMemory
}

/** The payment adapters of a provider, with their deadlines and what is remembered of their services. */
interface ServedPayments {
  adapters: readonly AnyPaymentAdapter[]
  deadlines: Omit<Deadlines, 'rates'>
  development: boolean
  cuts: Cuts
  memory: PaymentMemory
}
