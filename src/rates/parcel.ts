import type { Decimal } from '../money/index.ts'
import type { WeightUnit } from './units.ts'

/** One parcel of a cart. Weights are decimal text in the carrier's unit. */
export interface Parcel {
  actual: Decimal
  /** Set if the carrier counts volume and it is known. */
  volumetric: Decimal | undefined
  /** The larger of both. */
  chargeable: Decimal
  /** The number of pieces in it. `undefined` for a cart without products. */
  pieces: number | undefined
}

/** A figure of a cart that the rules read and that is unknown. */
export type UnknownFigure = 'volume' | 'sizes' | 'weights of products'

/** The parcels of a cart, from `ctx.parcels`. Weights are decimal text in `unit`. */
export interface Parcels {
  unit: WeightUnit
  /** The quote's weight. */
  actual: Decimal
  /** Set if the carrier counts volume and it is known. */
  volumetric: Decimal | undefined
  /** The sum of what is charged for the parcels. */
  chargeable: Decimal
  count: number
  /** The charged weight of the heaviest parcel. */
  each: Decimal
  /** Every parcel, the heaviest first. */
  list: readonly Parcel[]
  /** The figures that could not be measured, and did not count. */
  unknown: readonly UnknownFigure[]
}
