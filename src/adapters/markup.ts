import { z } from 'zod'
import { decimal, readDecimal } from '../money/index.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import { around, eachMethod, repriced } from './around.ts'
import { amount } from './options.ts'
import { type HeldAdapter, type OptionsOf, type SettingsOption, shopOptions } from './shop-options.ts'

const markupOptions = z.strictObject({
  percent: amount.optional(),
  /** Without tax, in the currency of the rate. */
  amount: amount.optional(),
})

/** Options of `markup`: a percentage, an amount, or both. Each is a value, or a function of the shop's settings. */
export type Markup<S = unknown> = OptionsOf<z.input<typeof markupOptions>, S> & SettingsOption<S>

/** With a schema of settings for an adapter that has none. */
export function markup<S>(
  given: Markup<S> & { settings: z.ZodType<S> },
  adapter: AnyRateAdapter,
): AnyRateAdapter
/** Adds to every price. A free method stays free. */
export function markup<S>(given: Markup<S>, adapter: HeldAdapter<S>): AnyRateAdapter
export function markup<S>(given: Markup<S>, adapter: HeldAdapter<S>): AnyRateAdapter {
  const { schema, options } = shopOptions('markup', markupOptions, given)
  return around(adapter, [], {
    ...schema,
    after(answer, { shop }, ctx) {
      const { percent = 0, amount: fixed = 0 } = options.of(ctx)
      return eachMethod(answer, (method) => {
        const excl = decimal(method.price_excl)
        if (excl.eq(0)) return method
        const more = excl.plus(excl.times(percent).div(100)).plus(fixed)
        return repriced(method, readDecimal(more.toFixed(10))!, method.tax_rate, shop.currency)
      })
    },
  })
}
