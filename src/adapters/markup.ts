import { z } from 'zod'
import { decimal, readDecimal } from '../money/index.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import { around, eachMethod, repriced } from './around.ts'
import { amount, optionsOf } from './options.ts'

const markupOptions = z.strictObject({
  percent: amount.optional(),
  /** Without tax, in the currency of the rate. */
  amount: amount.optional(),
})

/** Options of `markup`: a percentage, an amount, or both. */
export type Markup = z.input<typeof markupOptions>

/** Adds to every price. A free method stays free. */
export function markup(given: Markup, adapter: AnyRateAdapter): AnyRateAdapter {
  const { percent = 0, amount: fixed = 0 } = optionsOf('markup', markupOptions, given)
  return around(adapter, [], {
    after: (answer, { shop }) =>
      eachMethod(answer, (method) => {
        const excl = decimal(method.price_excl)
        if (excl.eq(0)) return method
        const more = excl.plus(excl.times(percent).div(100)).plus(fixed)
        return repriced(method, readDecimal(more.toFixed(10))!, method.tax_rate, shop.currency)
      }),
  })
}
