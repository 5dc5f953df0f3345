import { z } from 'zod'
import { wrongOptions } from '../errors.ts'
import { decimal } from '../money/index.ts'
import type { Need } from '../privacy/needs.ts'
import { weightUnits } from '../rates/units.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import { around } from './around.ts'
import { amount, countries, optionsOf } from './options.ts'
import { readCountries, readZipcodes, zipcodeKey } from './table-rates/row.ts'
import { ZonesBuilder, zoneFor } from './table-rates/table.ts'

const condition = z.strictObject({
  countries: countries.optional(),
  /** Only these zipcodes: `10*`, `1000-1999` or `1012AB`. */
  zipcodes: z.array(z.string()).optional(),
  /** The value of the quote with tax: from `from` on, below `below`. */
  value: z.strictObject({ from: amount.optional(), below: amount.optional() }).optional(),
  /** Above `above`, up to `upTo`. */
  weight: z
    .strictObject({ above: amount.optional(), upTo: amount.optional(), unit: z.enum(weightUnits) })
    .optional(),
  customer: z.enum(['private', 'company']).optional(),
})

/** The condition of `when`. All parts that are given must hold. */
export type Condition = z.input<typeof condition>

/** Asks the adapter only if the whole condition is true. A customer without a company name counts as private. */
export function when(given: Condition, adapter: AnyRateAdapter): AnyRateAdapter {
  const { countries: to, zipcodes, value, weight, customer } = optionsOf('when', condition, given)
  for (const country of to ?? []) readCountries(country, refuse('countries'))
  const builder = new ZonesBuilder(adapter.name, '')
  const zips = (zipcodes ?? []).flatMap((zip) => readZipcodes(zip, refuse('zipcodes')))
  for (const zip of zips) builder.add(zip)
  const zones = builder.finish(({ message }) => refuse('zipcodes')(message))
  const needs: Need[] = ['shipping_address.country', 'shipping_address.zipcode']

  return around(adapter, customer ? [...needs, 'customer.type'] : needs, {
    before({ shipping_address, quote, customer: who }, ctx) {
      const { country, zipcode = '' } = shipping_address
      if (to && !(country && to.includes(country)))
        return `not to ${country ?? 'a destination without country'}`
      if (zipcodes && zoneFor(zones, zipcodeKey(zipcode)) < 0) return 'not to this zipcode'
      const worth = decimal(quote.price_incl)
      if (value?.from !== undefined && worth.lt(value.from)) return `only for quotes from ${value.from} on`
      if (value?.below !== undefined && worth.gte(value.below)) return `only for quotes below ${value.below}`
      if (weight) {
        const { unit, above, upTo } = weight
        const heavy = decimal(ctx.parcels(quote, { unit }).actual)
        if (above !== undefined && heavy.lte(above)) return `only above ${above} ${unit}`
        if (upTo !== undefined && heavy.gt(upTo)) return `only up to ${upTo} ${unit}`
      }
      if (customer && (who?.type ?? 'private') !== customer) return `only for a ${customer} customer`
      return undefined
    },
  })
}

const refuse = (option: string) => (message: string) => {
  throw wrongOptions(`when(): ${option}: ${message}`)
}
