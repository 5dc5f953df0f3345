import { attemptView, type PushContext } from '../../payments/adapter.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import type { CalledAdapter } from './called-adapter.ts'
import { findAttempt } from './learn-payment.ts'
import { paymentContext } from './payment-context.ts'

type PushedRef = { reference: string } | { attemptId: string }

/** The context with which an adapter verifies and reads a push. */
export async function pushContext(called: CalledAdapter): Promise<PushContext> {
  const { workings, adapter, shopId } = called
  return Object.assign(await paymentContext(called), {
    async attempt(ref: PushedRef) {
      const attempt = await findPushed(workings, adapter, shopId, ref)
      return attempt && attemptView(workings.contents, attempt)
    },
  })
}

/** An id in the JSON of a push may be a number. */
const textOf = (id: unknown): string => (typeof id === 'number' ? String(id) : (id as string))

/** The attempt that a push names. Its address belongs to one shop and adapter, and so does every attempt that it may name. */
export async function findPushed(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedRef,
): Promise<Attempt | undefined> {
  const ref =
    'reference' in pushed
      ? { adapter: adapter.name, reference: textOf(pushed.reference), shop: shopId }
      : { attemptId: textOf(pushed.attemptId) }
  const attempt = await findAttempt(workings, ref)
  if (!attempt || (attempt.shopId === shopId && attempt.adapter === adapter.name)) return attempt
  workings.world.observer.refused('PUSH_OTHER_SHOP', { shop: shopId, adapter: adapter.name })
  return undefined
}
