export { html, raw } from 'hono/html'
export { RateTableError } from './adapters/table-rates/read-table.ts'
export { type TableRatesOptions, tableRates } from './adapters/table-rates/table-rates.ts'
export { ConfigurationError } from './configuration.ts'
export type { PaymentStatus } from './contract/index.ts'
export { Problem, type ProblemCode } from './contract/index.ts'
export {
  createProvider,
  type Listening,
  type ListenOptions,
  type Provider,
  type ProviderOptions,
} from './create-provider.ts'
export { type Decimal, decimal, type Price, type PriceInput, price } from './money/index.ts'
export type {
  MethodsRequest,
  OfferedPaymentMethod,
  PageView,
  PaymentAdapter,
  PaymentAttempt,
  PaymentContext,
  PaymentNotifications,
  PaymentPage,
  PaymentPush,
  PushedReport,
  StartContext,
  Started,
  StartRequest,
} from './payments/adapter.ts'
export type { PaymentReport } from './payments/facts.ts'
export type { Need } from './privacy/needs.ts'
export {
  type EstimateRequest,
  none,
  type OfferedShipmentMethod,
  type QuoteRequest,
  type RateAdapter,
  type RateContext,
} from './rates/adapter.ts'
export { type Store, StoreUnavailable } from './store.ts'
export { memoryStore } from './stores/memory.ts'
export { sqliteStore } from './stores/sqlite.ts'
export { type PaymentRef, UnknownPayment } from './use-cases/learn-payment.ts'
export type { Log } from './world.ts'
