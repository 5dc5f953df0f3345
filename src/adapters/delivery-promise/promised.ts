import { z } from 'zod'
import type { OfferedShipmentMethod, RateContext } from '../../rates/adapter.ts'
import { earlier } from '../../rates/check.ts'
import { joinTexts } from '../../rates/local-text.ts'
import { NotQuotable } from '../../rates/parcels.ts'
import type { AnyRateAdapter } from '../../use-cases/workings.ts'
import { around, eachMethod } from '../around.ts'
import { optionsOf } from '../options.ts'
import type { DeliveryPromise, PromisedDelivery } from './delivery-promise.ts'

const options = z.strictObject({
  // biome-ignore lint/suspicious/noExplicitAny: any settings
  promise: z.custom<DeliveryPromise<any>>(
    (given) => typeof given === 'function',
    'must be a deliveryPromise({ ... })',
  ),
  /** Where the promise stands: in front of the description, or behind the title. */
  show: z.enum(['description', 'title']).default('description'),
})

/** Options of `promised`. */
export type Promised = z.input<typeof options>

/** Adds the promised delivery to every method of an adapter. Where there is no promise, the methods stay as they are. */
export function promised(given: Promised, adapter: AnyRateAdapter): AnyRateAdapter {
  const { promise, show } = optionsOf('promised', options, given)
  const wrapped = around(adapter, ['shipping_address.country'], {
    async after(answer, { shipping_address: { country } }, ctx) {
      if (!Array.isArray(answer)) return answer
      const delivery = await deliveryTo(country, ctx)
      return delivery ? eachMethod(answer, ctx, (method) => withPromise(method, delivery)) : answer
    },
  })

  async function deliveryTo(
    country: string | undefined,
    ctx: RateContext,
  ): Promise<PromisedDelivery | undefined> {
    try {
      return await promise(ctx, { country })
    } catch (error) {
      if (!(error instanceof NotQuotable)) throw error
      ctx.explain(`no promise: ${error.message}`)
      return undefined
    }
  }

  const withPromise = (method: OfferedShipmentMethod, { text, goodUntil }: PromisedDelivery) => ({
    ...method,
    ...(show === 'title'
      ? { title: joinTexts(method.title, text, ' · ') }
      : { description: joinTexts(text, method.description, ' · ') }),
    goodUntil: earlier(method.goodUntil, goodUntil),
  })

  return {
    ...wrapped,
    prepare: async (ctx) => {
      await promise.prepare()
      await wrapped.prepare?.(ctx)
    },
  }
}
