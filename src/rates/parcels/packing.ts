import type { WeightUnit } from '../../adapters/units.ts'
import type { Decimal } from '../../money/index.ts'
import type { Pieces } from './pieces.ts'

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

/** Figures of one parcel in the shop's units. */
export interface Packed {
  weight: number
  volume: number | undefined
  pieces: number
}

export interface PackingLimits {
  weight: number
  volume: number
  parcels: number
}

interface Filling extends Packed {
  alone: boolean
}

/** Sums of figures differ from them in the last digits. */
const tolerance = 1 + 1e-9

/**
 * Packs pieces into parcels, the heaviest first and what is no package last, each into the first parcel with room. A piece is never divided. One that is larger than
 * the limit of volume has a parcel of its own. `undefined` if more parcels are needed than allowed. Weights are within the limit.
 */
export function pack(pieces: readonly Pieces[], limits: PackingLimits): Packed[] | undefined {
  const parcels: Filling[] = []
  const heaviestFirst = pieces.toSorted(
    (one, other) =>
      Number(one.inside) - Number(other.inside) ||
      other.weight - one.weight ||
      (other.volume ?? 0) - (one.volume ?? 0),
  )
  for (const piece of heaviestFirst) {
    let left = piece.count
    for (const parcel of piece.alone ? [] : parcels) {
      if (left === 0) break
      const fit = Math.min(left, roomFor(piece, parcel, limits))
      add(parcel, piece, fit)
      left -= fit
    }
    while (left > 0) {
      if (parcels.length >= limits.parcels) return undefined
      const parcel = { weight: 0, volume: piece.volume && 0, pieces: 0, alone: piece.alone }
      const fit = piece.alone ? 1 : Math.min(left, Math.max(1, roomFor(piece, parcel, limits)))
      add(parcel, piece, fit)
      parcels.push(parcel)
      left -= fit
    }
  }
  return parcels.map(({ alone: _, ...packed }) => packed)
}

function roomFor({ weight, volume, inside }: Pieces, parcel: Filling, limits: PackingLimits): number {
  if (parcel.alone && !inside) return 0
  const room = (each: number, used: number, most: number) =>
    each > 0 ? Math.floor(((most - used) / each) * tolerance) : Number.POSITIVE_INFINITY
  const byWeight = room(weight, parcel.weight, limits.weight)
  return Math.max(0, Math.min(byWeight, room(volume ?? 0, parcel.volume ?? 0, limits.volume)))
}

function add(parcel: Filling, { weight, volume }: Pieces, count: number): void {
  parcel.weight += weight * count
  parcel.pieces += count
  if (volume !== undefined) parcel.volume = (parcel.volume ?? 0) + volume * count
}
