import { z } from 'zod'
import { none } from '../rates/adapter.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import { around, eachMethod, repriced } from './around.ts'
import { fraction, optionsOf } from './options.ts'

const taxOptions = z.strictObject({
  /** One fraction for all, or by country of the destination with `*` for the others. */
  rate: z.union([fraction, z.record(z.string().regex(/^([a-z]{2}|\*)$/), fraction)]),
  /** The rate when the tax is shifted to the customer (spec 2.4 vat_shifted). */
  shifted: fraction.default('0'),
})

/** Options of `taxed`. Rates are fractions: `'0.21'` is 21 %. */
export type Taxed = z.input<typeof taxOptions>

/** Adds the tax of the destination to the prices without tax. */
export function taxed(given: Taxed, adapter: AnyRateAdapter): AnyRateAdapter {
  const { rate, shifted } = optionsOf('taxed', taxOptions, given)
  const rateFor = (country: string | undefined) =>
    typeof rate === 'object' ? (rate[country ?? '*'] ?? rate['*']) : rate
  return around(adapter, ['shipping_address.country'], {
    after(answer, { shop, quote, shipping_address: { country } }) {
      const taxRate = quote.vat_shifted ? shifted : rateFor(country)
      if (taxRate === undefined)
        return none(`no tax rate is given for ${country ?? 'a destination without country'}`)
      return eachMethod(answer, (method) => repriced(method, method.price_excl, taxRate, shop.currency))
    },
  })
}
