import { z } from 'zod'
import { type Big, type Decimal, decimal, givenSide, price, readDecimal } from '../money/index.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import { around, eachMethod, type WrappedAdapter } from './around.ts'
import { signed } from './options.ts'
import { type OfSettings, type SchemaOf, type SettingsOption, shopOptions } from './shop-options.ts'

/** Options of `markup`: a percentage, an amount, or both. Each is a value, or a function of the shop's settings. */
export interface Markup<S = unknown> extends SettingsOption<S> {
  /** In percent of the price, from -100: `10` makes 5.00 to 5.50, and `-10` makes it 4.50. Default 0. */
  percent?: OfSettings<Decimal | number | undefined, S>
  /** Without tax, in the currency of the rate; below 0 a discount. Default 0. */
  amount?: OfSettings<Decimal | number | undefined, S>
}

const markupOptions = z.strictObject({
  percent: signed.refine((value) => Number(value) >= -100, 'is -100 or more').optional(),
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
