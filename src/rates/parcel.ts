import type { Decimal } from '../money/index.ts'
import type { WeightUnit } from './units.ts'

/** One parcel of a cart. Weights are decimal text in the carrier's unit. */
export interface Parcel {
  actual: Decimal
  /** Set if the carrier counts volume and it is known. */
  volumetric: Decimal | undefined
  /** The larger of both. */
  chargeable: Decimal
  /** The number of pieces in it. `undefined` where the cart does not show it. */
  pieces: number | undefined
}

/** A figure of a cart that the rules read and that is not known in full. The known part of it counts. */
export type UnknownFigure = 'weight' | 'volume' | 'sizes' | 'colli' | 'weights of products'

/** The parcels of a cart, from `ctx.parcels`. Weights are decimal text in `unit`. */
export interface Parcels {
  unit: WeightUnit
  /** The quote's weight. Where it is 0, the known weights of the products. */
  actual: Decimal
  /** Set if the carrier counts volume and it is known. */
  volumetric: Decimal | undefined
  /** The sum of what is charged for the parcels. */
  chargeable: Decimal
  /** The number of parcels. */
  count: number
  /** The charged weight of the heaviest parcel. */
  each: Decimal
  /** Every parcel, the heaviest first. */
  list: readonly Parcel[]
  /** The figures that are not known in full. */
  unknown: readonly UnknownFigure[]
}
