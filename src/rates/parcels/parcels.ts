import { NotQuotable } from '../../adapters/cause-of.ts'
import type { QuoteWithFacts } from '../../adapters/product-facts.ts'
import {
  convertLength,
  convertVolume,
  convertWeight,
  type Measure,
  type Units,
  volumeOfWeight,
  volumetricWeight,
} from '../../adapters/units.ts'
import { PurveyorError } from '../../errors/errors.ts'
import { type Big, type Decimal, decimal, readDecimal } from '../../money/index.ts'
import { type Packed, type Parcel, type Parcels, pack, type UnknownFigure } from './packing.ts'
import { limitsOfSize, type ParcelRules, ruleFaults } from './parcel-rules.ts'
import { type Pieces, type PiecesOfQuote, piecesOf, tooLarge, WrongFigure } from './pieces.ts'

/**
 * Computes the parcels that the carrier would measure. Products are never divided; a cart without products is divided into parcels of equal
 * weight. Throws `SETTINGS_MISSING` when the shop's units are not stated, `CONFIGURATION_INVALID` for rules that conflict, and
 * `NotQuotable` for a cart that has no weight or does not fit.
 */
export function parcelsOf(quote: QuoteWithFacts, units: Units, rules: ParcelRules): Parcels {
  if (quote.weight === undefined) throw new NotQuotable('the quote has no weight')
  const { weight, volume = 0, colli = 0 } = quote
  // A wrong figure of the shop is not a failure of the adapter. No larger one is exact.
  for (const [what, amount] of Object.entries({ weight, volume, colli }))
    if (typeof amount !== 'number' || !(amount >= 0 && amount < tooLarge))
      throw new NotQuotable(`quote.${what} is negative or too large`)
  const faults = ruleFaults(rules).map(({ at, message }) => ({ path: at, message }))
  if (faults.length === 0) return new MeasuredCart(quote, units, rules).parcels()
  const listed = faults.map(({ path, message }) => `${path} ${message}`)
  throw new PurveyorError('CONFIGURATION_INVALID', `The rules of parcels: ${listed.join(', ')}`, { faults })
}

class MeasuredCart {
  readonly #quote: QuoteWithFacts
  readonly #units: Units
  readonly #rules: ParcelRules
  readonly #unknown = new Set<UnknownFigure>()
  #read: PiecesOfQuote | undefined
  /** A cart that was divided into equal parcels, whose weights are rounded up. */
  #divided: Parcel | undefined

  constructor(quote: QuoteWithFacts, units: Units, rules: ParcelRules) {
    this.#quote = quote
    this.#units = units
    this.#rules = rules
  }

  parcels(): Parcels {
    const { unit } = this.#rules
    const actual = this.#weight(this.#quote.weight || this.#weightOfProducts())
    const list = this.#list(actual)
    const { volumetric, chargeable } = this.#divided ?? totals(list)
    const each = list[0]!.chargeable
    const unknown = [...this.#unknown]
    return { unit, actual, volumetric, chargeable, count: list.length, each, list, unknown }
  }

  #list(actual: Decimal): Parcel[] {
    const { volumetricDivisor, maxVolume } = this.#rules
    const readsVolume = volumetricDivisor !== undefined || maxVolume !== undefined
    const volume = readsVolume ? this.#volume() : undefined
    const whole = this.#parcel(actual, volume, undefined)
    const isOver = this.#isHeavy(whole.chargeable) || this.#isLarge(volume)
    // Most carts are one parcel. Their products matter only where a single one is limited, or is several packages.
    if (!isOver && !this.#limitsSizes && !this.#hasPackages && !this.#isMixed) return [whole]
    if (!this.#pieces)
      return this.#equalParcels(whole, volume, Math.max(1, Math.floor(this.#quote.colli ?? 1)))
    const { pieces, weighed, packages } = this.#pieces
    for (const piece of pieces) this.#fits(piece)
    const packed = this.#packed(pieces)
    if (packed.length < packages) return this.#equalParcels(whole, volume, packages)
    if (!weighed) this.#unknown.add('weights of products')
    return packed
  }

  #equalParcels(whole: Parcel, volume: number | undefined, packages: number): Parcel[] {
    const { maxWeight, maxParcels = 99 } = this.#rules
    if (this.#isLarge(volume, packages))
      throw new NotQuotable('the volume does not fit one parcel, and the products are unknown')
    const byWeight =
      maxWeight === undefined ? 1 : Number(roundUp(decimal(whole.chargeable).div(maxWeight), 0))
    const count = Math.max(packages, byWeight)
    if (count > maxParcels) throw tooMany(String(count), maxParcels)
    this.#divided = whole
    const part = (weight: Decimal) => written(roundUp(decimal(weight).div(count), 6))
    if (count === 1) return [whole]
    const volumetric = whole.volumetric && part(whole.volumetric)
    const weights = { actual: part(whole.actual), volumetric, chargeable: part(whole.chargeable) }
    return Array.from({ length: count }, () => ({ ...weights, pieces: undefined }))
  }

  #packed(pieces: readonly Pieces[]): Parcel[] {
    const { maxWeight, maxVolume, maxParcels = 99, unit, volumeUnit } = this.#rules
    const any = Number.POSITIVE_INFINITY
    const shop = this.#units
    const weight = maxWeight === undefined ? any : Number(convertWeight(maxWeight, unit, shop.weight!))
    const byVolume =
      maxVolume === undefined ? any : Number(convertVolume(maxVolume, volumeUnit!, shop.volume!))
    // The volume at which a parcel would count as heavier than allowed.
    const heavy = maxWeight === undefined ? any : volumeOfWeight(maxWeight, shop.volume!, this.#rules)
    const limits = { weight, volume: Math.min(byVolume, heavy) }
    const parcels: Packed[] = []
    for (const together of Map.groupBy(pieces, ({ facts }) => facts).values()) {
      const packed = pack(together, { ...limits, parcels: maxParcels - parcels.length })
      if (!packed) throw tooMany(`more than ${maxParcels}`, maxParcels)
      parcels.push(...packed)
    }
    return parcels
      .map((one) => this.#parcel(this.#weight(one.weight), one.volume, one.pieces))
      .toSorted((one, other) => Number(decimal(other.chargeable).minus(one.chargeable)))
  }

  #fits({ place, weight, volume, sides }: Pieces): void {
    const { maxWeight, maxVolume, unit, volumeUnit, lengthUnit } = this.#rules
    const refuse = (what: string) => {
      throw new NotQuotable(`${place} ${what}, and a product is never divided`)
    }
    if (this.#isHeavy(this.#weight(weight))) refuse(`is heavier than ${maxWeight} ${unit}`)
    if (this.#isLarge(volume)) refuse(`is larger than ${maxVolume} ${volumeUnit}`)
    const [a = 0, b = 0, c = 0] = sides
    const girth = 2 * (b + c)
    const measured = { maxLength: a, maxGirth: girth, maxLengthAndGirth: a + girth }
    for (const [at, size] of Object.entries(measured)) {
      const most = this.#rules[at as (typeof limitsOfSize)[number]]
      if (most !== undefined && size > Number(convertLength(most, lengthUnit!, 'mm')))
        refuse(`is over ${at} ${most} ${lengthUnit}`)
    }
  }

  #isHeavy(weight: Decimal): boolean {
    const { maxWeight } = this.#rules
    return maxWeight !== undefined && decimal(weight).gt(maxWeight)
  }

  /** Whether a volume in the shop's unit is more than that of so many parcels. */
  #isLarge(volume: number | undefined, parcels = 1): boolean {
    const { maxVolume, volumeUnit } = this.#rules
    if (maxVolume === undefined || volume === undefined) return false
    const each = decimal(convertVolume(figure(volume), this.#units.volume!, volumeUnit!)).div(parcels)
    return each.gt(maxVolume)
  }

  get #limitsSizes(): boolean {
    if (limitsOfSize.every((at) => this.#rules[at] === undefined)) return false
    this.#stated('length')
    if (!this.#pieces?.sized) this.#unknown.add('sizes')
    return true
  }

  get #isMixed(): boolean {
    return !!this.#rules.apart?.length && new Set(this.#pieces?.pieces.map(({ facts }) => facts)).size > 1
  }

  /** Whether the cart is more parcels than its weight and volume need. */
  get #hasPackages(): boolean {
    const { colli = 0, products } = this.#quote
    if (colli <= 1 && !products.some((one) => (one.colli ?? 0) > 1)) return false
    if (!this.#pieces) return colli > 1
    const { pieces, packages, counted } = this.#pieces
    if (!counted) this.#unknown.add('colli')
    return packages > 1 || pieces.some(({ alone }) => alone)
  }

  /** Of a quote with a weight of 0, which is one that nobody filled in. */
  #weightOfProducts(): number {
    this.#unknown.add('weight')
    return (this.#pieces?.pieces ?? []).reduce((all, { count, weight }) => all + count * weight, 0)
  }

  get #pieces(): PiecesOfQuote | undefined {
    try {
      this.#read ??= piecesOf(this.#quote, this.#units, this.#rules.apart)
      return this.#read
    } catch (error) {
      throw error instanceof WrongFigure ? new NotQuotable(error.message) : error
    }
  }

  /** In the shop's unit. A volume of 0 is one that nobody filled in, and known sizes may be more than that of the quote. */
  #volume(): number | undefined {
    const { volume: given = 0, products } = this.#quote
    const isMore = ({ volume, size_x }: QuoteWithFacts['products'][number]) =>
      (volume ?? 0) > 0 ? given === 0 : this.#units.length !== undefined && Number(size_x ?? 0) > 0
    const { volume, measured } = products.some(isMore)
      ? this.#pieces!
      : { volume: given || undefined, measured: given > 0 }
    if (volume !== undefined) this.#stated('volume')
    if (!measured) this.#unknown.add('volume')
    return volume
  }

  #parcel(actual: Decimal, volume: number | undefined, pieces: number | undefined): Parcel {
    const volumetric =
      volume === undefined ? undefined : volumetricWeight(figure(volume), this.#units.volume!, this.#rules)
    const chargeable = volumetric && decimal(volumetric).gt(actual) ? volumetric : actual
    return { actual, volumetric, chargeable, pieces }
  }

  #weight(weight: number): Decimal {
    this.#stated('weight')
    return convertWeight(figure(weight), this.#units.weight!, this.#rules.unit)
  }

  #stated(measure: Measure): void {
    if (this.#units[measure]) return
    const unit = { weight: 'g', volume: 'cm3', length: 'mm' }[measure]
    const call = `createProvider({ rates: { adapters, units: { ${measure}: '${unit}' } } })`
    throw new PurveyorError('SETTINGS_MISSING', `the shop's unit of ${measure} is not set: ${call}`)
  }
}

const tooMany = (count: string, most: number) =>
  new NotQuotable(`${count} parcels, and at most ${most} are allowed`)

const up = 3
const roundUp = (number: Big, digits: number): Big => number.round(digits, up)
const written = (number: Big): Decimal => readDecimal(number.toFixed(10))!
/** A figure without the last digits of a sum. */
const figure = (amount: number): Decimal | number =>
  Number.isInteger(amount) ? amount : readDecimal(amount.toFixed(6))!
function totals(list: readonly Parcel[]): Pick<Parcel, 'volumetric' | 'chargeable'> {
  const volumes = list.flatMap(({ volumetric }) => volumetric ?? [])
  return {
    volumetric: volumes.length > 0 ? sum(volumes) : undefined,
    chargeable: sum(list.map(({ chargeable }) => chargeable)),
  }
}

const sum = (amounts: readonly Decimal[]): Decimal =>
  amounts.length === 1 ? amounts[0]! : written(amounts.reduce((all, one) => all.plus(one), decimal('0')))
