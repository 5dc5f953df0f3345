import { type Decimal, decimal, readDecimal } from '../money/index.ts'
import { convertVolume, convertWeight, type VolumeUnit, type WeightUnit } from './units.ts'

// `least` and `most` are the same in both units, and have every divisor of a carrier between them: 3000 to 6000, or 139 to 194.
const units = {
  'cm3/kg': {
    volume: 'cm3',
    weight: 'kg',
    least: 1000,
    most: 10_000,
    words: 'cubic centimetres per kilogram',
  },
  'in3/lb': { volume: 'in3', weight: 'lb', least: 28, most: 280, words: 'cubic inches per pound' },
} as const

/** The unit of `volumetricDivisor`: cubic centimetres per kilogram, or cubic inches per pound. */
export type VolumetricUnit = keyof typeof units

export const volumetricUnits = Object.keys(units) as VolumetricUnit[]

/** The rules for the weight that a volume counts as. */
export interface VolumetricRules {
  unit: WeightUnit
  volumetricDivisor?: number | undefined
  volumetricUnit?: VolumetricUnit | undefined
}

/** The weight that a volume in the shop's unit counts as, in the carrier's unit. `undefined` without a divisor. */
export function volumetricWeight(
  volume: Decimal | number,
  shop: VolumeUnit,
  { unit, volumetricDivisor, volumetricUnit = 'cm3/kg' }: VolumetricRules,
): Decimal | undefined {
  if (volumetricDivisor === undefined) return undefined
  const { volume: by, weight } = units[volumetricUnit]
  const counts = decimal(convertVolume(volume, shop, by)).div(volumetricDivisor)
  return convertWeight(readDecimal(counts.toFixed(10))!, weight, unit)
}

/** The volume in the shop's unit that counts as a weight. Infinite without a divisor. */
export function volumeOfWeight(
  weight: Decimal | number,
  shop: VolumeUnit,
  { unit, volumetricDivisor, volumetricUnit = 'cm3/kg' }: VolumetricRules,
): number {
  if (volumetricDivisor === undefined) return Number.POSITIVE_INFINITY
  const { volume, weight: by } = units[volumetricUnit]
  const counts = decimal(convertWeight(weight, unit, by)).times(volumetricDivisor)
  return Number(convertVolume(readDecimal(counts.toFixed(6))!, volume, shop))
}

/** Finds a divisor that belongs to another unit. `at` is the option, and `message` what to write. */
export function volumetricFaults({
  volumetricDivisor: divisor,
  volumetricUnit: given,
}: Partial<VolumetricRules>): {
  at: string
  message: string
}[] {
  const volumetricUnit = given ?? 'cm3/kg'
  if (!volumetricUnits.includes(volumetricUnit))
    return [{ at: 'volumetricUnit', message: "must be 'cm3/kg' or 'in3/lb'" }]
  if (divisor === undefined)
    return given ? [{ at: 'volumetricDivisor', message: 'is missing: volumetricUnit is its unit' }] : []
  const fits = (unit: VolumetricUnit) => divisor >= units[unit].least && divisor <= units[unit].most
  if (fits(volumetricUnit)) return []
  const { least, most, words } = units[volumetricUnit]
  const other = volumetricUnits.find(fits)
  const remedy = other ? `: for ${units[other].words} set volumetricUnit: '${other}'` : ''
  return [{ at: 'volumetricDivisor', message: `is not between ${least} and ${most} ${words}${remedy}` }]
}
