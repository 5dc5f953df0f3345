import { z } from 'zod'
import type { OfferedShipmentMethod } from '../../adapters/offered-methods.ts'
import { type Decimal, decimal, type Price, price, readDecimal } from '../../money/index.ts'
import { inMillionths } from '../files/cells.ts'
import { amount } from '../options.ts'
import type { Parcels } from '../parcels/packing.ts'
import type { Destination } from '../zipcodes/areas.ts'
import { readCountries, type SurchargeLine, type TableRow } from './row.ts'
import { type MethodZones, rowFor, type Sought } from './table.ts'
import { type IsPlace, isPlaceIn, placesOf } from './zones.ts'

interface Group {
  weight: number
  count: number
}

/** Parcels of one weight, with the line of the tariff for one of them. */
export interface Lot {
  row: TableRow
  count: number
}

export const unweighed: readonly Group[] = [{ weight: 0, count: 1 }]

export function groupsOf({ list, each, count }: Parcels): Group[] {
  if (count === 1) return [{ weight: inMillionths(each), count }]
  const alike = Map.groupBy(list, ({ chargeable }) => chargeable)
  return Array.from(alike, ([weight, { length }]) => ({ weight: inMillionths(weight), count: length }))
}

/** A line for every parcel; `undefined` if one has none. */
export function lotsFor(
  zones: MethodZones,
  zone: number,
  groups: readonly Group[],
  at: Pick<Sought, 'value' | 'now'>,
): Lot[] | undefined {
  const lots: Lot[] = []
  for (const { weight, count } of groups) {
    const row = rowFor(zones, zone, { weight, ...at })
    if (!row) return undefined
    lots.push({ row, count })
  }
  return lots
}

/** An addition to the prices of a tariff, everywhere or for some destinations. */
export interface SurchargeOptions {
  /** Names it in explanations and faults. */
  name: string
  /** For each parcel, as the tariff writes prices, in the currency of the row. Default 0. */
  amount?: Decimal | number | undefined
  /** In percent of the price of a row. Default 0. */
  percent?: Decimal | number | undefined
  /** Only these countries, as a cell of the tariff has them: `nl` or `nl|be`. Default: all. */
  country?: string | undefined
  /** Only these zipcodes, as a cell of the tariff has them: `1012AB`, `1000-1999`, `10*` or `!1012`, with `|` between. Default: all. */
  zipcode?: string | undefined
  /** Only these states or provinces, as a cell of the tariff has them: `CA|NV`. Default: all. */
  region?: string | undefined
}

const givenSurcharge = z.strictObject({
  name: z.string(),
  amount: amount.optional(),
  percent: amount.optional(),
  country: z.string().optional(),
  zipcode: z.string().optional(),
  region: z.string().optional(),
} satisfies Record<keyof SurchargeOptions, z.ZodType>)

export const surchargeOptions = givenSurcharge.transform(readSurcharge)

export interface Surcharge
  extends Pick<SurchargeLine, 'amount' | 'percent' | 'appliesTo' | 'validFrom' | 'validUntil'> {
  name: string
  /** `undefined`: everywhere in these countries. */
  places: IsPlace | undefined
  countries: readonly string[] | undefined
}

/** The price of all parcels with their surcharges, with or without tax as the tariff writes it. */
function totalOf(lots: readonly Lot[], extra: readonly Surcharge[]): Decimal {
  const parts = lots.map(({ row, count }) => {
    const base = decimal(row.amount).times(count)
    const percent = extra.reduce((sum, one) => sum.plus(one.percent), decimal(row.surchargePercent ?? 0))
    const each = extra.reduce((sum, one) => sum.plus(one.amount), decimal(row.surcharge ?? 0))
    return base.plus(base.times(percent).div(100)).plus(each.times(count))
  })
  return readDecimal(parts.reduce((sum, one) => sum.plus(one)).toFixed(10))!
}

export function surchargeOf({ id: name, countries, areas, ...line }: SurchargeLine): Surcharge {
  const { amount: fixed, percent, appliesTo, validFrom, validUntil } = line
  const isEverywhere = areas.every(({ name: area }) => area === '')
  const inCountry = (country: string) => areas.filter((area) => area.country === country)
  const places = isEverywhere ? undefined : isPlaceIn(inCountry)
  return { name, amount: fixed, percent, places, countries, appliesTo, validFrom, validUntil }
}

function readSurcharge(given: z.output<typeof givenSurcharge>, ctx: z.RefinementCtx): Surcharge {
  const { name, amount: fixed = '0', percent = '0', country, zipcode = '', region = '' } = given
  const fault = (option: string) => (message: string) =>
    ctx.addIssue({ code: 'custom', path: [option], message: `of "${name}": ${message}` })
  const countries = country === undefined ? undefined : readCountries(country, fault('country'))
  const named = countries?.[0] === '*' ? undefined : countries
  const places = placesOf({ zipcode, region }, named, fault('zipcode'))
  const always = { validFrom: Number.NEGATIVE_INFINITY, validUntil: Number.POSITIVE_INFINITY }
  const prices = { amount: readDecimal(fixed)!, percent: readDecimal(percent)! }
  return { name, ...prices, countries, places, appliesTo: [], ...always }
}

export const applies = (
  { countries, places, appliesTo, validFrom, validUntil }: Surcharge,
  { method, destination, now }: { method: string; destination: Destination; now: number },
): boolean =>
  now >= validFrom &&
  now < validUntil &&
  (appliesTo.length === 0 || appliesTo.includes(method)) &&
  (!countries || countries.includes(destination.country) || countries[0] === '*') &&
  (!places || places(destination))

/** The order that lines are offered for. `worth` is the value of the quote in millionths. */
export interface Wanted {
  worth: number
  currency: string
  destination: Destination
  now: number
  surcharges: readonly Surcharge[]
}

/** The method of the lines for all parcels. `undefined` if the lines differ in tax. */
export function offerOf(lots: readonly Lot[], wanted: Wanted): OfferedShipmentMethod | undefined {
  const { worth, currency, destination, now } = wanted
  const [{ row, count }] = lots as [Lot]
  const inCurrency = row.currency ?? currency
  if (worth >= row.freeFrom)
    return offerAt(row, price({ excl: 0, taxRate: row.taxRate, currency: inCurrency }))
  const extra = wanted.surcharges.filter((one) => applies(one, { method: row.id, destination, now }))
  if (lots.some((lot) => lot.row.side !== row.side || lot.row.taxRate !== row.taxRate)) return undefined
  const isOne = lots.length === 1 && count === 1
  const plain = isOne && extra.length === 0 && !row.surcharge && !row.surchargePercent
  return plain ? plainOffer(row, inCurrency) : offerAt(row, priceOf(row, totalOf(lots, extra), inCurrency))
}

/** Computed once per row, because no quote changes it. */
function plainOffer(row: TableRow, currency: string): OfferedShipmentMethod {
  if (row.offer?.currency !== currency)
    row.offer = { currency, method: Object.freeze(offerAt(row, priceOf(row, row.amount, currency))) }
  return row.offer.method
}

function offerAt(row: TableRow, { price_incl, price_excl, tax_rate }: Price): OfferedShipmentMethod {
  const { id, title, description, currency, is_pickup, is_servicepoint, is_cash_on_delivery } = row
  const prices = { price_incl, price_excl, tax_rate, currency }
  return { id, title, description, ...prices, is_pickup, is_servicepoint, is_cash_on_delivery }
}

const priceOf = ({ side, taxRate }: TableRow, amount: Decimal, currency: string): Price =>
  price(side === 'excl' ? { excl: amount, taxRate, currency } : { incl: amount, taxRate, currency })
