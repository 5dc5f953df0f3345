import { z } from 'zod'
import { methodFaults } from '../../adapters/offered-methods.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import { type Big, type Decimal, decimal, givenSide, price, readDecimal } from '../../money/index.ts'
import { none } from '../adapter.ts'
import { amount, byCountry, fraction, hasReached, signed } from '../options.ts'
import { type OfSettings, type SchemaOf, type SettingsOption, shopOptions } from '../shop-options.ts'
import { around, eachMethod, type WrappedAdapter } from './around.ts'
import { rateOfGoods } from './lines.ts'

/** Options of `markup`: a percentage, an amount, or both. Each is a value, or a function of the shop's settings. */
export interface Markup<S = unknown> extends SettingsOption<S> {
  /** In percent of the price, from -100: `10` makes 5.00 to 5.50, and `-10` makes it 4.50. Default 0. */
  percent?: OfSettings<Decimal | number | undefined, S>
  /** Without tax, in the currency of the rate; below 0 a discount. Default 0. */
  amount?: OfSettings<Decimal | number | undefined, S>
}

const markupOptions = z.strictObject({
  percent: signed.refine((value) => Number(value) >= -100, 'must be -100 or more').optional(),
  amount: signed.optional(),
} satisfies SchemaOf<Markup>)

/** With a schema of settings for an adapter that has none. */
export function markup<S>(
  given: Markup<S> & { settings: z.ZodType<S> },
  adapter: AnyRateAdapter,
): AnyRateAdapter
/**
 * Adds to every price, or takes off. A free method stays free. A price that was given with tax is changed with tax: 10.00 and 10 % are 11.00.
 * A discount of more than the price makes the method free, which the explanation says.
 */
export function markup<S>(given: Markup<S>, adapter: WrappedAdapter<S>): AnyRateAdapter
export function markup<S>(given: Markup<S>, adapter: WrappedAdapter<S>): AnyRateAdapter {
  const { schema, options } = shopOptions('markup', markupOptions, given)
  return around(adapter, [], {
    ...schema,
    after(answer, { shop }, ctx) {
      const { percent = 0, amount: fixed = 0 } = options.of(ctx)
      if (decimal(percent).eq(0) && decimal(fixed).eq(0)) return answer
      const factor = decimal(percent).div(100).plus(1)
      return eachMethod(answer, ctx, (method) => {
        const { price_excl, price_incl, tax_rate: taxRate, currency = shop.currency } = method
        const raised = (one: Decimal | number, added: Big): Decimal => {
          const exact = decimal(one).times(factor).plus(added)
          if (exact.lt(0))
            ctx.explain(`${method.id ?? 'a method'} is free: its discount is more than its price`)
          return exact.lt(0) ? '0' : readDecimal(exact.toFixed(10))!
        }
        if (decimal(price_excl).eq(0)) return method
        const side =
          givenSide(method, currency) === 'incl'
            ? { incl: raised(price_incl, decimal(fixed).times(decimal(taxRate).plus(1))) }
            : { excl: raised(price_excl, decimal(fixed)) }
        return { ...method, ...price({ ...side, taxRate, currency }) }
      })
    },
  })
}

/** Options of `freeFrom`. The value is one for all, or a function of the shop's settings. */
export interface FreeFrom<S = unknown> extends SettingsOption<S> {
  /** The value of the quote with tax, in the shop's currency. */
  value: OfSettings<Decimal | number, S>
}

const freeOptions = z.strictObject({ value: amount } satisfies SchemaOf<FreeFrom>)

/** With a schema of settings for an adapter that has none. */
export function freeFrom<S>(
  given: FreeFrom<S> & { settings: z.ZodType<S> },
  adapter: AnyRateAdapter,
): AnyRateAdapter
/** Makes every method of an adapter free from a value of the quote on. The adapter is asked as before: what it refuses is not offered. */
export function freeFrom<S>(given: FreeFrom<S>, adapter: WrappedAdapter<S>): AnyRateAdapter
export function freeFrom<S>(given: FreeFrom<S>, adapter: WrappedAdapter<S>): AnyRateAdapter {
  const { schema, options } = shopOptions('freeFrom', freeOptions, given)
  return around(adapter, [], {
    ...schema,
    after(answer, request, ctx) {
      if (!hasReached(request, options.of(ctx).value)) return answer
      // A method with a wrong price is left out, and never free.
      return eachMethod(answer, ctx, (method) =>
        methodFaults(method).length > 0 ? method : { ...method, price_excl: '0', price_incl: '0' },
      )
    },
  })
}

/** A word without a digit is no wrong fraction, but a wrong word. */
const number = z.union([z.number(), z.string().regex(/\d/, { abort: true })])

/** Options of `taxed`. Rates are fractions: `'0.21'` is 21 %. Each is a value, or a function of the shop's settings. */
export interface Taxed<S = unknown> extends SettingsOption<S> {
  /** One fraction (`'0.21'` is 21 %), one by country of the destination with `*` for others, or `'goods'`: those of the cart in proportion. */
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
      const ofCountry = `no tax rate is given for ${country ?? 'a destination without country'}`
      if (taxRate === undefined)
        return none(rate === 'goods' ? 'the tax rates of the goods are not known' : ofCountry)
      return eachMethod(answer, ctx, (method) => {
        const { price_excl: excl, tax_rate: before, currency = shop.currency } = method
        const isTaxed = givenSide(method, currency) !== undefined && decimal(before).eq(taxRate)
        return isTaxed ? method : { ...method, ...price({ excl, taxRate, currency }) }
      })
    },
  })
}
