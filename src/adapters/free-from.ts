import { z } from 'zod'
import type { Decimal } from '../money/index.ts'
import { methodFaults } from '../rates/check.ts'
import { hasReached } from '../rates/quote-value.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import { around, eachMethod, type WrappedAdapter } from './around.ts'
import { amount } from './options.ts'
import { type OfSettings, type SchemaOf, type SettingsOption, shopOptions } from './shop-options.ts'

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
