import type { Quote } from '../contract/index.ts'
import { PurveyorError } from '../errors.ts'
import { type Big, type Decimal, decimal, readDecimal } from '../money/index.ts'
import { convertVolume, convertWeight, type Units, type WeightUnit } from './units.ts'

/** A carrier's rules for weight and parcels. */
export interface ParcelRules {
  /** The carrier's unit of weight, also of `maxWeight` and the result. */
  unit: WeightUnit
  /** The heaviest parcel. A heavier quote is split into parcels of equal weight. */
  maxWeight?: Decimal | number
  /** The cubic centimetres that count as one kilogram, such as 5000. The larger of both weights is charged. */
  volumetricDivisor?: number
  /** The most parcels of a quote. Default 99. */
  maxParcels?: number
}

/** The parcels of a cart, from `ctx.parcels`. Weights are decimal text in `unit`. */
export interface Parcels {
  unit: WeightUnit
  /** The quote's weight. */
  actual: Decimal
  /** Set if the carrier counts volume and the quote has one. */
  volumetric: Decimal | undefined
  /** The larger of both. */
  chargeable: Decimal
  count: number
  /** `chargeable` in equal parts, rounded up to a millionth. */
  each: Decimal
}

/** The request cannot be quoted, which is not a failure: the adapter answers none with this reason. */
export class NotQuotable extends Error {
  override readonly name = 'NotQuotable'
}

/** Throws `SETTINGS_MISSING` when the shop's units are not stated, and `NotQuotable` for a quote without weight. */
export function parcelsOf(quote: Quote, units: Units, rules: ParcelRules): Parcels {
  const { unit, maxWeight, volumetricDivisor, maxParcels = 99 } = rules
  if (quote.weight === undefined) throw new NotQuotable('the quote has no weight')
  sensible('weight', quote.weight)
  if (!units.weight) throw unstated('weight', 'g')
  const actual = convertWeight(quote.weight, units.weight, unit)

  let volumetric: Decimal | undefined
  if (volumetricDivisor !== undefined && quote.volume !== undefined) {
    sensible('volume', quote.volume)
    if (!units.volume) throw unstated('volume', 'cm3')
    const kilograms = decimal(convertVolume(quote.volume, units.volume, 'cm3')).div(volumetricDivisor)
    volumetric = convertWeight(written(kilograms), 'kg', unit)
  }
  const chargeable = volumetric && decimal(volumetric).gt(actual) ? volumetric : actual

  const count =
    maxWeight === undefined ? 1 : Math.max(1, Number(roundUp(decimal(chargeable).div(maxWeight), 0)))
  if (count > maxParcels) throw new NotQuotable(`${count} parcels, and at most ${maxParcels} are allowed`)
  const each = count === 1 ? chargeable : written(roundUp(decimal(chargeable).div(count), 6))
  return { unit, actual, volumetric, chargeable, count, each }
}

/** A wrong figure of the shop is not a failure of the adapter. */
function sensible(what: string, amount: number): void {
  if (amount < 0 || readDecimal(amount) === undefined)
    throw new NotQuotable(`quote.${what} is negative or too large`)
}

const up = 3
const roundUp = (number: Big, digits: number): Big => number.round(digits, up)
const written = (number: Big): Decimal => readDecimal(number.toFixed(10))!

const unstated = (what: string, example: string): PurveyorError =>
  new PurveyorError(
    'SETTINGS_MISSING',
    `the shop's unit of ${what} is not set: createProvider({ rates: { adapters, units: { ${what}: '${example}' } } })`,
  )
