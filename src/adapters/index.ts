export { type Combination, combine } from './combine.ts'
export { type FlatRateOptions, flatRate } from './flat-rate.ts'
export { type Markup, markup } from './markup.ts'
export { type PickupPointsOptions, pickupPoints } from './pickup-points/pickup-points.ts'
export type { PickupPoint } from './pickup-points/points.ts'
export type { Fixtures } from './remote-rates/fixtures.ts'
export {
  type RemoteAuth,
  RemoteRatesError,
  type RemoteRatesOptions,
  remoteRates,
} from './remote-rates/remote-rates.ts'
export { type TableRatesOptions, tableRates } from './table-rates/table-rates.ts'
export { type Taxed, taxed } from './taxed.ts'
export { type Condition, when } from './when.ts'
