import { z } from 'zod'
import { type Decimal, decimal, readDecimal } from '../../money/index.ts'
import type { Destination } from '../../rates/zipcodes/areas.ts'
import { amount } from '../options.ts'
import { readCountries, type SurchargeLine, type TableRow } from './row.ts'
import { Places, placesOf } from './zones.ts'

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

/** A surcharge of the options, checked and prepared for look-ups. */
export const surchargeOptions = givenSurcharge.transform(readSurcharge)

/** A surcharge, prepared for look-ups. */
export interface Surcharge {
  name: string
  amount: Decimal
  percent: Decimal
  /** `undefined`: everywhere in these countries. */
  places: Places | undefined
  countries: readonly string[] | undefined
  /** The ids of the methods that pay it. Empty: all. */
  appliesTo: readonly string[]
  validFrom: number
  validUntil: number
}

/** The surcharge on a number of parcels of a row, with or without tax as the row's price is. */
export function withSurcharges(row: TableRow, count: number, extra: Surcharge[]): Decimal {
  const base = decimal(row.amount).times(count)
  const percent = extra.reduce((sum, one) => sum.plus(one.percent), decimal(row.surchargePercent ?? 0))
  const each = extra.reduce((sum, one) => sum.plus(one.amount), decimal(row.surcharge ?? 0))
  const all = base.plus(base.times(percent).div(100)).plus(each.times(count))
  return readDecimal(all.toFixed(10))!
}

/** A surcharge that is a line of the tariff. */
export function surchargeOf({ id: name, countries, areas, ...line }: SurchargeLine): Surcharge {
  const { amount: fixed, percent, appliesTo, validFrom, validUntil } = line
  const isEverywhere = areas.every(({ name: area }) => area === '')
  const inCountry = (country: string) => areas.filter((area) => area.country === country)
  const places = isEverywhere ? undefined : new Places(inCountry)
  return { name, amount: fixed, percent, places, countries, appliesTo, validFrom, validUntil }
}

function readSurcharge(given: z.output<typeof givenSurcharge>, ctx: z.RefinementCtx): Surcharge {
  const { name, amount: fixed = '0', percent = '0', country, zipcode = '', region = '' } = given
  const fault = (option: string) => (message: string) =>
    ctx.addIssue({ code: 'custom', path: [option], message: `of "${name}": ${message}` })
  const countries = country === undefined ? undefined : readCountries(country, fault('country'))
  const named = countries?.[0] === '*' ? undefined : countries
  return {
    name,
    amount: readDecimal(fixed)!,
    percent: readDecimal(percent)!,
    countries,
    places: placesOf({ zipcode, region }, named, fault('zipcode')),
    appliesTo: [],
    validFrom: Number.NEGATIVE_INFINITY,
    validUntil: Number.POSITIVE_INFINITY,
  }
}

/** The method and the place that may pay a surcharge. */
export interface Charged {
  method: string
  destination: Destination
  now: number
}

export const applies = (
  { countries, places, appliesTo, validFrom, validUntil }: Surcharge,
  { method, destination, now }: Charged,
): boolean =>
  now >= validFrom &&
  now < validUntil &&
  (appliesTo.length === 0 || appliesTo.includes(method)) &&
  (!countries || countries.includes(destination.country) || countries[0] === '*') &&
  (!places || places.has(destination))
