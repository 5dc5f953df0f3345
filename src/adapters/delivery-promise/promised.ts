import { z } from 'zod'
import type { ShownPromise } from '../../rates/adapter.ts'
import { NotQuotable } from '../../rates/parcels.ts'
import type { AnyRateAdapter } from '../../use-cases/workings.ts'
import { around } from '../around.ts'
import { isFunction, optionsOf } from '../options.ts'
import type { DeliveryPromise } from './delivery-promise.ts'

/** Options of `promised`. */
export interface Promised {
  /** The result of `deliveryPromise({ ... })`. */
  // biome-ignore lint/suspicious/noExplicitAny: any settings
  promise: DeliveryPromise<any>
  /** The place of the promise: in front of the description, or behind the title. Default `description`. */
  show?: 'description' | 'title' | undefined
}

const options = z.strictObject({
  // biome-ignore lint/suspicious/noExplicitAny: any settings
  promise: z.custom<DeliveryPromise<any>>(isFunction, 'must be a deliveryPromise({ ... })'),
  show: z.enum(['description', 'title']).default('description'),
} satisfies Record<keyof Promised, z.ZodType>)

/**
 * Adds the promised delivery to every method of an adapter. Where there is no promise, the methods stay as they are. The adapter keeps its
 * cache: each answer gets the promise of now, and the end of a promise ends no cached price.
 */
export function promised(given: Promised, adapter: AnyRateAdapter): AnyRateAdapter {
  const { promise, show } = optionsOf('promised', options, given)
  const wrapped = around(adapter, ['shipping_address.country'], {
    async promises(to, ctx): Promise<ShownPromise[]> {
      try {
        const { text, goodUntil } = await promise(ctx, to)
        return [{ text, show, goodUntil }]
      } catch (error) {
        if (!(error instanceof NotQuotable)) throw error
        ctx.explain(`no promise: ${error.message}`)
        return []
      }
    },
  })
  return {
    ...wrapped,
    prepare: async (ctx) => {
      await promise.prepare()
      await wrapped.prepare?.(ctx)
    },
  }
}
