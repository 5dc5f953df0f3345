/// <reference types="node" preserve="true" />
export { html, raw } from 'hono/html'
export { z } from 'zod'
export type { AdapterFile, AdapterFiles, FileFault } from './adapters/adapter-files.ts'
export type { DefaultNeed, Disclosure, Need, PersonalData } from './adapters/call-adapter.ts'
export type { Convert, LeftOut, LocalText, OfferedShipmentMethod } from './adapters/offered-methods.ts'
export type { ProductFact, QuoteProductWithFacts, QuoteWithFacts } from './adapters/product-facts.ts'
export type { VolumetricUnit } from './adapters/units.ts'
export {
  convertLength,
  convertVolume,
  convertWeight,
  type LengthUnit,
  type Measure,
  type Units,
  type VolumeUnit,
  type WeightUnit,
} from './adapters/units.ts'
export type { AnyPaymentAdapter, AnyRateAdapter, FallbackShop } from './any-adapter.ts'
export type { AuditAction, AuditEntry, By } from './audit.ts'
export type { Brand, BrandFont } from './brand/brand.ts'
export type { ConsoleOptions, OpenIdOptions } from './console/options.ts'
export type { ConsoleRole } from './console/roles.ts'
export {
  type Address,
  type Customer,
  type EventRecord,
  type FieldFault,
  type Order,
  type PaymentMethodsRequest,
  type PaymentStartRequest,
  type PaymentStatus,
  Problem,
  type ProblemCode,
  type Quote,
  type ResourceEvent,
  type ShipmentEstimateRequest,
  type ShipmentMethodsRequest,
  type ShopDetails,
  type WireShipmentMethod,
} from './contract/index.ts'
export type { Served } from './contract/served.ts'
export { type ErrorCode, type ErrorDetails, type ErrorFault, PurveyorError } from './errors/errors.ts'
export type { CallerRules, TrustProxy } from './http/callers.ts'
export type { CallLimits } from './http/limits.ts'
export {
  type Decimal,
  decimal,
  fromMinor,
  type MinorUnits,
  type Price,
  type PriceInput,
  price,
  toMinor,
} from './money/index.ts'
export * from './payments/adapter.ts'
export * from './payments/adapter-context.ts'
export type { PaymentRef } from './payments/learn-payment.ts'
export type { Anomaly, AnomalyKind, OpenedAnomaly } from './payments/ledger/anomalies.ts'
export type { Ledger, LedgerAmounts, MoneyRequestKind, Movement } from './payments/ledger/movements.ts'
export type { FactSource, OrderRef } from './payments/ledger/payment.ts'
export type {
  MoneyReport,
  MoneyWord,
  PaymentMode,
  PaymentReport,
  PaymentReports,
  ReportDetails,
  ReportWord,
  Snapshot,
  SnapshotTotal,
  StateReport,
  StateWord,
} from './payments/ledger/report.ts'
export type { MoneyMoveOptions, MovedMoney } from './payments/move-money.ts'
export type {
  Choice,
  Field,
  FieldKind,
  FieldMembers,
  FormState,
  HostedPlace,
  PageAllow,
  PageContent,
  PageForm,
} from './payments/pages/page-form.ts'
export type { TimelineEvent } from './payments/payment-timeline.ts'
export type {
  AttemptView,
  PaymentList,
  PaymentQuery,
  PaymentView,
} from './payments/payment-views.ts'
export type { AnomalyQuery, Payments } from './payments/payments.ts'
export type { RemovedShop } from './payments/removal.ts'
export type { PlatformClient } from './platform/client.ts'
export { createProvider } from './provider/create-provider.ts'
export * from './provider/options.ts'
export * from './provider/provider.ts'
export {
  type EstimateRequest,
  type InnerAdapter,
  type InnerQuestion,
  type NoMethods,
  none,
  type PrepareContext,
  type QuoteRequest,
  type RateAdapter,
  type RateAnswer,
  type RateCaching,
  type RateContext,
  rateAdapter,
  type ShownPromise,
} from './rates/adapter.ts'
export type { OpenBreaker } from './rates/asking/rate-breakers.ts'
export type {
  AdapterExplanation,
  CacheState,
  OutgoingTry,
  RatesExplanation,
  ReplacedAdapter,
} from './rates/explanation.ts'
export type { ProductFactsOptions } from './rates/files/product-facts.ts'
export type { Parcel, Parcels, UnknownFigure } from './rates/parcels/packing.ts'
export type { ParcelRules } from './rates/parcels/parcel-rules.ts'
export type { NewShop } from './shops/add-shops.ts'
export { type ListedShop, type ShopFault, ShopsInvalid } from './shops/add-shops.ts'
export type { LogFilter, SettingsView } from './shops/audit.ts'
export type { AdapterPrivacy, PrivacyStatement } from './shops/privacy-statement.ts'
export type { ChosenMethod, ResourceContext, ResourceHandler } from './shops/resource-handlers.ts'
export type { Credentials, ShopSettings } from './shops/shop-settings.ts'
export type { ShopView, WebhookSecret } from './shops/shop-view.ts'
export type { Shops } from './shops/shops.ts'
export type { HostsChange, PaymentChange, PaymentSummary, Store } from './store.ts'
export * from './stores/index.ts'
export type { AdapterNetwork, Clock, Log, MaybePromise } from './world.ts'
