import { z } from 'zod'
import { type Big, type Decimal, decimal, givenSide, price, readDecimal } from '../money/index.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import { around, eachMethod } from './around.ts'
import { amount } from './options.ts'
import {
  type OfSettings,
  type SchemaOf,
  type SettingsOption,
  shopOptions,
  type WrappedAdapter,
} from './shop-options.ts'

/** Options of `markup`: a percentage, an amount, or both. Each is a value, or a function of the shop's settings. */
export interface Markup<S = unknown> extends SettingsOption<S> {
  /** In percent of the price: `10` makes 5.00 to 5.50. Default 0. */
  percent?: OfSettings<Decimal | number | undefined, S>
  /** Without tax, in the currency of the rate. Default 0. */
  amount?: OfSettings<Decimal | number | undefined, S>
}

const markupOptions = z.strictObject({
  percent: amount.optional(),
  amount: amount.optional(),
} satisfies SchemaOf<Markup>)

/** With a schema of settings for an adapter that has none. */
export function markup<S>(
  given: Markup<S> & { settings: z.ZodType<S> },
  adapter: AnyRateAdapter,
): AnyRateAdapter
/** Adds to every price. A free method stays free. A price that was given with tax is raised with tax: 10.00 and 10 % are 11.00. */
export function markup<S>(given: Markup<S>, adapter: WrappedAdapter<S>): AnyRateAdapter
export function markup<S>(given: Markup<S>, adapter: WrappedAdapter<S>): AnyRateAdapter {
  const { schema, options } = shopOptions('markup', markupOptions, given)
  return around(adapter, [], {
    ...schema,
    after(answer, { shop }, ctx) {
      const { percent = 0, amount: fixed = 0 } = options.of(ctx)
      if (decimal(percent).eq(0) && decimal(fixed).eq(0)) return answer
      const factor = decimal(percent).div(100).plus(1)
      const raised = (one: Decimal | number, added: Big) =>
        readDecimal(decimal(one).times(factor).plus(added).toFixed(10))!
      return eachMethod(answer, ctx, (method) => {
        const { price_excl, price_incl, tax_rate: taxRate, currency = shop.currency } = method
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
