import { z } from 'zod'
import { type Decimal, decimal, givenSide, price } from '../money/index.ts'
import { none } from '../rates/adapter.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import { around, eachMethod, type WrappedAdapter } from './around.ts'
import { rateOfGoods } from './goods-rate/goods-rate.ts'
import { byCountry, fraction } from './options.ts'
import { type OfSettings, type SchemaOf, type SettingsOption, shopOptions } from './shop-options.ts'

/** A word without a digit is no wrong fraction, but a wrong word. */
const number = z.union([z.number(), z.string().regex(/\d/, { abort: true })])

/** Options of `taxed`. Rates are fractions: `'0.21'` is 21 %. Each is a value, or a function of the shop's settings. */
export interface Taxed<S = unknown> extends SettingsOption<S> {
  /**
   * One fraction for all (`'0.21'` is 21 %), by country of the destination with `*` for the others, or `'goods'`: the rates of the cart in
   * proportion.
   */
  rate: OfSettings<Decimal | number | Record<string, Decimal | number>, S>
  /** The rate when the tax is shifted to the customer (spec 2.4 vat_shifted), as a fraction. Default `'0'`. */
  shifted?: OfSettings<Decimal | number | undefined, S>
}

const taxOptions = z.strictObject({
  rate: z.union([z.literal('goods'), number.pipe(fraction), byCountry(fraction)], {
    error: "must be a fraction such as '0.21', 'goods', or fractions by country: { nl: '0.21', '*': 0 }",
  }),
  shifted: fraction.default('0'),
} satisfies SchemaOf<Taxed>)

/** With a schema of settings for an adapter that has none. */
export function taxed<S>(
  given: Taxed<S> & { settings: z.ZodType<S> },
  adapter: AnyRateAdapter,
): AnyRateAdapter
/**
 * Adds the tax of the destination, or of the goods, to the prices without tax. Prices that have this tax rate already do not change. With
 * `'goods'` and a cart without known tax there is no method.
 */
export function taxed<S>(given: Taxed<S>, adapter: WrappedAdapter<S>): AnyRateAdapter
export function taxed<S>(given: Taxed<S>, adapter: WrappedAdapter<S>): AnyRateAdapter {
  const { options, schema } = shopOptions('taxed', taxOptions, given)
  return around(adapter, ['shipping_address.country'], {
    ...schema,
    reads: ({ quote, shop }, ctx) =>
      options.of(ctx).rate === 'goods' ? rateOfGoods(quote, shop.currency) : undefined,
    after(answer, { shop, quote, shipping_address: { country } }, ctx) {
      const { rate, shifted } = options.of(ctx)
      const rateFor = () => {
        if (rate === 'goods') return rateOfGoods(quote, shop.currency)
        return typeof rate === 'object' ? (rate[country ?? '*'] ?? rate['*']) : rate
      }
      const taxRate = quote.vat_shifted ? shifted : rateFor()
      if (taxRate === undefined)
        return none(
          rate === 'goods'
            ? 'the tax rates of the goods are not known'
            : `no tax rate is given for ${country ?? 'a destination without country'}`,
        )
      return eachMethod(answer, ctx, (method) => {
        const { price_excl: excl, tax_rate: before, currency = shop.currency } = method
        const isTaxed = givenSide(method, currency) !== undefined && decimal(before).eq(taxRate)
        return isTaxed ? method : { ...method, ...price({ excl, taxRate, currency }) }
      })
    },
  })
}
