/// <reference types="node" preserve="true" />

export type { FailureCause } from '../adapters/cause-of.ts'
export type { PrepareContext } from './adapter.ts'
export { onFailure, type WrappedAdapter } from './adapters/around.ts'
export { type Combination, combine } from './adapters/combine.ts'
export { type FlatRateOptions, flatRate } from './adapters/flat-rate.ts'
export { type FreeFrom, freeFrom, type Markup, markup, type Taxed, taxed } from './adapters/price-changes.ts'
export {
  type Condition,
  type ProductCondition,
  type ValueRange,
  type WeightRange,
  when,
} from './adapters/when.ts'
export type { Login, LoginHeaders, RemoteAuth } from './carriers/carrier-calls.ts'
export type { Fixtures } from './carriers/fixtures.ts'
export { type OAuthCredentials, type OAuthOptions, oauth } from './carriers/oauth.ts'
export { RemoteRatesError, type RemoteRatesErrorDetails } from './carriers/one-call.ts'
export { type RemoteRatesOptions, remoteRates } from './carriers/remote-rates.ts'
export type { GivenPrice, ParcelOptions } from './options.ts'
export { type PickupPointsOptions, pickupPoints } from './points/pickup-points.ts'
export type { GivenPoint, PointFunctions } from './points/point-sources.ts'
export type { PickupPoint, Place } from './points/points.ts'
export {
  type DeliveryPromise,
  deliveryPromise,
  type PromiseContext,
  type Promised,
  type PromisedDelivery,
  promised,
} from './promises/delivery-promise.ts'
export type { PromiseWords } from './promises/promise.ts'
export type { DeliveryPromiseOptions } from './promises/promise-options.ts'
export type { OfSettings, OptionsOf, SettingsOption } from './shop-options.ts'
export type { SurchargeOptions } from './tariffs/offers.ts'
export { type TableRatesOptions, tableRates } from './tariffs/table-rates.ts'
export type { Day, Weekday } from './zoned-time.ts'
