import { z } from 'zod'
import { wrongOptions } from '../../errors.ts'
import { type Decimal, decimal, readDecimal } from '../../money/index.ts'
import { amount } from '../options.ts'
import { readCountries, readZipcodes, type TableRow } from './row.ts'
import { type MethodZones, ZonesBuilder, zoneFor } from './table.ts'

/** An addition to the prices of a tariff, everywhere or for some destinations. */
export const surchargeOptions = z.strictObject({
  name: z.string(),
  amount: amount.optional(),
  percent: amount.optional(),
  country: z.string().optional(),
  zipcode: z.string().optional(),
})

/** A surcharge, prepared for look-ups. */
export interface Surcharge {
  name: string
  amount: Decimal
  percent: Decimal
  /** `undefined`: everywhere. */
  zones: MethodZones | undefined
  countries: readonly string[] | undefined
}

/** The surcharge on a number of parcels of a row, with or without tax as the row's price is. */
export function withSurcharges(row: TableRow, count: number, extra: Surcharge[]): Decimal {
  const base = decimal(row.amount).times(count)
  const percent = extra.reduce((sum, one) => sum.plus(one.percent), decimal(row.surchargePercent ?? 0))
  const each = extra.reduce((sum, one) => sum.plus(one.amount), decimal(row.surcharge ?? 0))
  const all = base.plus(base.times(percent).div(100)).plus(each.times(count))
  return readDecimal(all.toFixed(10))!
}

export function readSurcharge(given: z.output<typeof surchargeOptions>): Surcharge {
  const { name, amount: fixed = '0', percent = '0', country, zipcode } = given
  const fault = (message: string) => {
    throw wrongOptions(`tableRates: surcharge "${name}": ${message}`)
  }
  const countries = country === undefined ? undefined : readCountries(country, fault)
  const zones = new ZonesBuilder(name, '')
  for (const zip of readZipcodes(zipcode ?? '', fault)) zones.add(zip)
  return {
    name,
    amount: readDecimal(fixed)!,
    percent: readDecimal(percent)!,
    countries,
    zones: zipcode === undefined ? undefined : zones.finish(({ message }) => fault(message)),
  }
}

export const isAt = ({ countries, zones }: Surcharge, country: string, zip: string): boolean =>
  (!countries || countries.includes(country) || countries[0] === '*') && (!zones || zoneFor(zones, zip) >= 0)
