import { wrongCall } from '../errors/errors.ts'
import { type Decimal, decimal, readDecimal } from '../money/index.ts'

const grams = { mg: '0.001', g: '1', kg: '1000', oz: '28.349523125', lb: '453.59237' } as const
const metric = { mm3: '0.001', cm3: '1', ml: '1', dm3: '1000', l: '1000', m3: '1000000' } as const
const cubicCentimetres = { ...metric, in3: '16.387064' } as const
const millimetres = { mm: '1', cm: '10', dm: '100', m: '1000', in: '25.4', ft: '304.8' } as const

/** A unit of weight. */
export type WeightUnit = keyof typeof grams
/** A unit of volume. */
export type VolumeUnit = keyof typeof cubicCentimetres
/** A unit of length. */
export type LengthUnit = keyof typeof millimetres

export const weightUnits = Object.keys(grams) as WeightUnit[]
export const volumeUnits = Object.keys(cubicCentimetres) as VolumeUnit[]
export const lengthUnits = Object.keys(millimetres) as LengthUnit[]

/** The units of a shop's quotes (spec 2.4 names no units). */
export interface Units {
  /** The unit of weights. Default: not known, and adapters that read weights do not start. */
  weight?: WeightUnit
  /** The unit of volumes. Default: not known. */
  volume?: VolumeUnit
  /** The unit of the sizes of products. Default: not known. */
  length?: LengthUnit
  /** Weight, volume and colli of a product are those of one `piece` or of the whole `line`. Default: the totals of the quote decide, where they can. */
  products?: 'piece' | 'line'
}

export const unitValues: Readonly<Record<keyof Units, readonly string[]>> = {
  weight: weightUnits,
  volume: volumeUnits,
  length: lengthUnits,
  products: ['piece', 'line'],
}

export const measures = ['weight', 'volume', 'length'] as const

/** A measure of a cart that has a unit. */
export type Measure = (typeof measures)[number]

/** `convertWeight(1500, 'g', 'kg')` is `'1.5'`. Exact to ten digits after the point. */
export const convertWeight = converterOf(grams)
/** `convertVolume(1500, 'cm3', 'l')` is `'1.5'`. Exact to ten digits after the point. */
export const convertVolume = converterOf(cubicCentimetres)
/** `convertLength(150, 'mm', 'cm')` is `'15'`. Exact to ten digits after the point. */
export const convertLength = converterOf(millimetres)

function converterOf<Unit extends string>(units: Readonly<Record<Unit, string>>) {
  const sizeOf = (unit: Unit): string => {
    if (Object.hasOwn(units, unit)) return units[unit]
    throw wrongCall(`There is no unit ${unit} here: write one of ${Object.keys(units).join(', ')}`)
  }
  return (amount: Decimal | number, from: Unit, to: Unit): Decimal => {
    const [size, other] = [sizeOf(from), sizeOf(to)]
    const exact = decimal(amount)
    const converted = size === other ? exact : exact.times(size).div(other)
    return readDecimal(converted.toFixed(10))!
  }
}

// `least` and `most` are the same in both units, and have every divisor of a carrier between them: 3000 to 6000, or 139 to 194.
const metricWords = 'cubic centimetres per kilogram'
const units = {
  'cm3/kg': { volume: 'cm3', weight: 'kg', least: 1000, most: 10_000, words: metricWords },
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
export function volumetricFaults(rules: Partial<VolumetricRules>): { at: string; message: string }[] {
  const { volumetricDivisor: divisor, volumetricUnit: given } = rules
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
