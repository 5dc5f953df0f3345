/// <reference types="node" preserve="true" />
export type { PrepareContext } from '../rates/adapter.ts'
export type { FailureCause } from '../rates/status-cause.ts'
export type { Day, Weekday } from '../rates/zoned-time.ts'
export type { WrappedAdapter } from './around.ts'
export { type Combination, combine } from './combine.ts'
export {
  type DeliveryPromise,
  deliveryPromise,
  type PromiseContext,
  type Promised,
  type PromisedDelivery,
  promised,
} from './delivery-promise/delivery-promise.ts'
export type { DeliveryPromiseOptions, PromiseWords } from './delivery-promise/promise-options.ts'
export { type FlatRateOptions, flatRate } from './flat-rate.ts'
export { onFailure } from './on-failure.ts'
export type { GivenPrice, ParcelOptions } from './options.ts'
export { type PickupPointsOptions, pickupPoints } from './pickup-points/pickup-points.ts'
export type { GivenPoint, PointFunctions } from './pickup-points/point-sources.ts'
export type { PickupPoint, Place } from './pickup-points/points.ts'
export { type FreeFrom, freeFrom, type Markup, markup, type Taxed, taxed } from './price-changes.ts'
export type { Login, LoginHeaders, RemoteAuth } from './remote-rates/carrier-calls.ts'
export type { Fixtures } from './remote-rates/fixtures.ts'
export { type OAuthCredentials, type OAuthOptions, oauth } from './remote-rates/oauth.ts'
export { RemoteRatesError, type RemoteRatesErrorDetails } from './remote-rates/one-call.ts'
export { type RemoteRatesOptions, remoteRates } from './remote-rates/remote-rates.ts'
export type { OfSettings, OptionsOf, SettingsOption } from './shop-options.ts'
export type { SurchargeOptions } from './table-rates/offers.ts'
export { type TableRatesOptions, tableRates } from './table-rates/table-rates.ts'
export { type Condition, type ProductCondition, type ValueRange, type WeightRange, when } from './when.ts'
