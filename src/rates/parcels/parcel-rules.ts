import type { ProductFact } from '../../adapters/product-facts.ts'
import {
  type LengthUnit,
  type Measure,
  type VolumetricUnit,
  type VolumeUnit,
  volumetricFaults,
  type WeightUnit,
} from '../../adapters/units.ts'
import { type Decimal, decimal } from '../../money/index.ts'

/** A carrier's rules for weight and parcels. A product is never divided. */
export interface ParcelRules {
  /** The carrier's unit of weight, also of `maxWeight` and the result. */
  unit: WeightUnit
  /** The heaviest parcel, in the carrier's unit of weight. Default: any weight. */
  maxWeight?: Decimal | number
  /** The volume that counts as one unit of weight, in `volumetricUnit`, such as 5000. The larger of both weights of a parcel is charged. Default: volume does not count. */
  volumetricDivisor?: number
  /** The unit of `volumetricDivisor`: cubic centimetres per kilogram, or cubic inches per pound. Default `cm3/kg`. */
  volumetricUnit?: VolumetricUnit
  /** The most parcels of a quote. Default 99. */
  maxParcels?: number
  /** The carrier's unit of length, of `maxLength`, `maxGirth` and `maxLengthAndGirth`. Required with one of them. */
  lengthUnit?: LengthUnit
  /** The longest side of a product, in `lengthUnit`. Default: any length. */
  maxLength?: Decimal | number
  /** Around the two shorter sides of a product: twice their sum, in `lengthUnit`. Default: any girth. */
  maxGirth?: Decimal | number
  /** The longest side and the girth together, in `lengthUnit`. Default: any. */
  maxLengthAndGirth?: Decimal | number
  /** The carrier's unit of volume, of `maxVolume`. Required with it. */
  volumeUnit?: VolumeUnit
  /** The volume of the products of one parcel, in `volumeUnit`. Default: any volume. */
  maxVolume?: Decimal | number
  /** Products with one of these facts are not packed with products without it, such as `['cold']`. Default: none. */
  apart?: readonly ProductFact[]
}

export const limitsOfSize = ['maxLength', 'maxGirth', 'maxLengthAndGirth'] as const
const limits = ['maxWeight', 'maxVolume', 'volumetricDivisor', 'maxParcels', ...limitsOfSize] as const

/** Finds conflicts in rules, which would stop every cart. `at` is the option, and `message` what to write. */
export function ruleFaults(rules: Partial<ParcelRules>): { at: string; message: string }[] {
  // Every quote asks, and most rules have no limit.
  if (rules.volumetricUnit === undefined && limits.every((at) => rules[at] === undefined)) return []
  const faults: { at: string; message: string }[] = limits
    .filter((at) => rules[at] !== undefined && !(Number(rules[at]) > 0 && Number.isFinite(Number(rules[at]))))
    .map((at) => ({ at, message: 'must be above 0' }))
  if (faults.length > 0) return faults
  const { maxParcels, maxLength, maxGirth, maxLengthAndGirth, lengthUnit, volumeUnit, maxVolume } = rules
  faults.push(...volumetricFaults(rules))
  const missing = (at: string, of: string) => ({ at, message: `is missing: give the unit of ${of}` })
  const named = limitsOfSize.find((size) => rules[size] !== undefined)
  if (maxParcels !== undefined && !Number.isInteger(maxParcels))
    faults.push({ at: 'maxParcels', message: 'must be a whole number' })
  if (named && lengthUnit === undefined) faults.push(missing('lengthUnit', named))
  if (maxVolume !== undefined && volumeUnit === undefined) faults.push(missing('volumeUnit', 'maxVolume'))
  for (const [at, part] of Object.entries({ maxLength, maxGirth })) {
    if (part === undefined || maxLengthAndGirth === undefined || decimal(part).lt(maxLengthAndGirth)) continue
    faults.push({ at: 'maxLengthAndGirth', message: `must be above ${at}, which it includes` })
  }
  return faults
}

export function measuresOf(rules: Partial<ParcelRules>): Measure[] {
  const measures: Measure[] = ['weight']
  if (rules.volumetricDivisor !== undefined || rules.maxVolume !== undefined) measures.push('volume')
  if (limitsOfSize.some((size) => rules[size] !== undefined)) measures.push('length')
  return measures
}
