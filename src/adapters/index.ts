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
  type PromisedDelivery,
} from './delivery-promise/delivery-promise.ts'
export type { DeliveryPromiseOptions, PromiseWords } from './delivery-promise/promise-options.ts'
export { type Promised, promised } from './delivery-promise/promised.ts'
export { type FlatRateOptions, flatRate } from './flat-rate.ts'
export { type FreeFrom, freeFrom } from './free-from.ts'
export { type Markup, markup } from './markup.ts'
export { onFailure } from './on-failure.ts'
export type { GivenPrice } from './options.ts'
export type { ParcelOptions } from './parcel-options.ts'
export { type PickupPointsOptions, pickupPoints } from './pickup-points/pickup-points.ts'
export type { GivenPoint, PointFunctions } from './pickup-points/point-sources.ts'
export type { PickupPoint, Place } from './pickup-points/points.ts'
export type { Login, LoginHeaders, RemoteAuth } from './remote-rates/auth.ts'
export { RemoteRatesError, type RemoteRatesErrorDetails } from './remote-rates/errors.ts'
export type { Fixtures } from './remote-rates/fixtures.ts'
export { type OAuthCredentials, type OAuthOptions, oauth } from './remote-rates/oauth.ts'
export { type RemoteRatesOptions, remoteRates } from './remote-rates/remote-rates.ts'
export type { OfSettings, OptionsOf, SettingsOption } from './shop-options.ts'
export type { SurchargeOptions } from './table-rates/surcharges.ts'
export { type TableRatesOptions, tableRates } from './table-rates/table-rates.ts'
export { type Taxed, taxed } from './taxed.ts'
export { type Condition, type ProductCondition, type ValueRange, type WeightRange, when } from './when.ts'
