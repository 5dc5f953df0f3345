import { attemptView, type PaymentPush, type PushContext } from '../../payments/adapter.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { asIs, type CalledAdapter, leftAlone, paymentContext } from './called-adapter.ts'
import { calledEarlier } from './earlier-settings.ts'
import { findAttempt, type PaymentRef } from './learn-payment.ts'

type PushedRef = { reference: string } | { attemptId: string }

/** The context with which an adapter verifies and reads a push. */
export async function pushContext(called: CalledAdapter): Promise<PushContext> {
  const { workings, adapter, shopId } = called
  const ctx = await paymentContext(called)
  const { fetch } = ctx
  return Object.assign(ctx, {
    // Customers do not wait for pushes: a service that asked to be left alone is not called for them.
    fetch: (async (...call) => {
      if (called.pause > 0) {
        called.lastStatus = 429
        throw new Error(leftAlone)
      }
      return fetch(...call)
    }) satisfies PushContext['fetch'],
    async attempt(ref: PushedRef) {
      const attempt = await findPushed(workings, adapter, shopId, ref)
      return attempt && attemptView(workings.contents, attempt)
    },
  })
}

/** Whether the payment service itself sent a push, by the settings of this call. */
export async function isGenuine(called: CalledAdapter, push: PaymentPush): Promise<boolean> {
  const { verify } = called.adapter.push!
  if (!verify) return true
  const ctx = await pushContext(called)
  return called.ask('verify', () => verify(push, ctx), asIs)
}

/** The earlier settings of the adapter that are tried for a push, the newest first. */
const mostEarlier = 5

/** The call with those earlier settings by which a push is genuine: its payment was started before the merchant changed a key. */
export async function earlierGenuine(
  called: CalledAdapter,
  push: PaymentPush,
): Promise<CalledAdapter | undefined> {
  const earlier = (await calledEarlier(called, 0)).slice(-mostEarlier).reverse()
  for (const one of earlier) if ((await isGenuine(one, push).catch(() => false)) === true) return one
  return undefined
}

/** An id in the JSON of a push may be a number. */
export const textOf = (id: unknown): string => (typeof id === 'number' ? String(id) : (id as string))

export const refOf = (adapter: string, pushed: PushedRef, shop?: string): PaymentRef =>
  'reference' in pushed
    ? { adapter, reference: textOf(pushed.reference), shop }
    : { attemptId: textOf(pushed.attemptId) }

/** The attempt that a push names. Its address belongs to one shop and adapter, and so does every attempt that it may name. */
export async function findPushed(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedRef,
): Promise<Attempt | undefined> {
  const attempt = await findAttempt(workings, refOf(adapter.name, pushed, shopId))
  if (!attempt || (attempt.shopId === shopId && attempt.adapter === adapter.name)) return attempt
  workings.world.observer.refused('PUSH_OTHER_SHOP', { shop: shopId, adapter: adapter.name })
  return undefined
}
