import { z } from 'zod'
import { wrongOptions } from '../../errors.ts'
import { type Decimal, decimal, readDecimal } from '../../money/index.ts'
import { amount } from '../options.ts'
import { readCountries, readZipcodes, type SurchargeLine, type TableRow } from './row.ts'
import { type Zones, ZonesBuilder, zoneFor } from './zones.ts'

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
  /** Only these zipcodes, as a cell of the tariff has them: `1012AB`, `1000-1999` or `10*`, with `|` between. Default: all. */
  zipcode?: string | undefined
}

const givenSurcharge = z.strictObject({
  name: z.string(),
  amount: amount.optional(),
  percent: amount.optional(),
  country: z.string().optional(),
  zipcode: z.string().optional(),
} satisfies Record<keyof SurchargeOptions, z.ZodType>)

/** A surcharge of the options, checked and prepared for look-ups. */
export const surchargeOptions = givenSurcharge.transform(readSurcharge)

/** A surcharge, prepared for look-ups. */
export interface Surcharge {
  name: string
  amount: Decimal
  percent: Decimal
  /** `undefined`: everywhere. */
  zones: Zones | undefined
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
export function surchargeOf({ id: name, countries, zipcodes, ...line }: SurchargeLine): Surcharge {
  const { amount: fixed, percent, appliesTo, validFrom, validUntil } = line
  const zones = new ZonesBuilder(name, '')
  for (const zip of zipcodes) zones.add(zip)
  const faultless = ({ message }: { message: string }) => {
    throw wrongOptions(`tariff: surcharge "${name}" of line ${line.line}: ${message}`)
  }
  const where = zipcodes.length === 0 ? undefined : zones.finish(faultless).zones
  return { name, amount: fixed, percent, zones: where, countries, appliesTo, validFrom, validUntil }
}

function readSurcharge(given: z.output<typeof givenSurcharge>, ctx: z.RefinementCtx): Surcharge {
  const { name, amount: fixed = '0', percent = '0', country, zipcode } = given
  const fault = (option: string) => (message: string) =>
    ctx.addIssue({ code: 'custom', path: [option], message: `of "${name}": ${message}` })
  const countries = country === undefined ? undefined : readCountries(country, fault('country'))
  const zones = new ZonesBuilder(name, '')
  for (const zip of readZipcodes(zipcode ?? '', fault('zipcode'))) zones.add(zip)
  return {
    name,
    amount: readDecimal(fixed)!,
    percent: readDecimal(percent)!,
    countries,
    zones: zipcode === undefined ? undefined : zones.finish(({ message }) => fault('zipcode')(message)).zones,
    appliesTo: [],
    validFrom: Number.NEGATIVE_INFINITY,
    validUntil: Number.POSITIVE_INFINITY,
  }
}

/** The method and the place that may pay a surcharge. */
export interface Charged {
  method: string
  country: string
  zip: string
  now: number
}

export const applies = (
  { countries, zones, appliesTo, validFrom, validUntil }: Surcharge,
  { method, country, zip, now }: Charged,
): boolean =>
  now >= validFrom &&
  now < validUntil &&
  (appliesTo.length === 0 || appliesTo.includes(method)) &&
  (!countries || countries.includes(country) || countries[0] === '*') &&
  (!zones || zoneFor(zones, zip) >= 0)
