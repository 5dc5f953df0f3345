import type { PaymentStatus } from '../contract/index.ts'
import { attemptView } from '../payments/adapter.ts'
import type { PaymentReport } from '../payments/facts.ts'
import { isLive } from '../payments/ledger.ts'
import { type Attempt, newestAttempt, type Payment } from '../payments/payment.ts'
import { call, Deadline } from './deadline.ts'
import { learnOf } from './learn-payment.ts'
import { paymentContext } from './payment-context.ts'
import type { Provider } from './provider.ts'

const underWay = new WeakMap<Provider, Map<string, Promise<PaymentStatus>>>()

/**
 * How the payment of an order stands (spec 4.3 payment/{order_id}); `undefined` when the shop has none. A pending payment is
 * asked for at the payment service first, within the deadline; what is stored is the answer when that fails. Reads of one
 * order that come together ask once.
 */
export async function readStatus(
  provider: Provider,
  shopId: string,
  orderId: string,
): Promise<PaymentStatus | undefined> {
  const payment = await provider.store.payment(shopId, orderId)
  if (!payment) return undefined
  const status = payment.status === 'pending' ? await refresh(provider, payment) : payment.status
  noteRead(provider, payment, status)
  return status
}

/** Notes, behind the answer, that the platform has read what it was told of. */
function noteRead({ store, world }: Provider, payment: Payment, status: PaymentStatus): void {
  // A status that was learned just now is not yet told; the call that tells of it makes the platform read again.
  if (status !== payment.status || payment.readVersion >= payment.statusVersion) return
  const { shopId, orderId, statusVersion } = payment
  store.noteRead(shopId, orderId, statusVersion, world.now()).catch((error: unknown) => {
    world.log.warn({ shop: shopId, order: orderId, err: error }, 'a read of the status was not noted')
  })
}

async function refresh(provider: Provider, payment: Payment): Promise<PaymentStatus> {
  const { shopId, orderId } = payment
  const attempt = newestAttempt(payment)
  if (!attempt?.started || !isLive(attempt) || !canBeAsked(provider, attempt)) return payment.status

  const reads = underWay.get(provider) ?? new Map<string, Promise<PaymentStatus>>()
  underWay.set(provider, reads)
  let read = reads.get(attempt.id)
  if (!read) {
    read = askAndLearn(provider, attempt)
      .catch(async (error: unknown) => {
        provider.world.log.warn(
          { shop: shopId, order: orderId, err: error },
          'payment service did not tell the status',
        )
        // A push may have told it meanwhile: what was read before the wait can be older than what others were answered.
        return (await provider.store.payment(shopId, orderId))?.status ?? payment.status
      })
      .finally(() => reads.delete(attempt.id))
    reads.set(attempt.id, read)
  }
  return read
}

/** Whether the payment service can be asked how an attempt stands. */
export const canBeAsked = (provider: Provider, attempt: Attempt): boolean =>
  adapterOf(provider, attempt)?.status !== undefined

export const adapterOf = (provider: Provider, attempt: Attempt) =>
  provider.payments.find(({ name }) => name === attempt.adapter)

async function askAndLearn(provider: Provider, attempt: Attempt): Promise<PaymentStatus> {
  const report = await askStatus(provider, attempt)
  return (await learnOf(provider, attempt, report!, 'status')).payment.status
}

/** Asks the payment service how an attempt stands; `undefined` when the adapter cannot ask. */
export async function askStatus(provider: Provider, attempt: Attempt): Promise<PaymentReport | undefined> {
  const adapter = adapterOf(provider, attempt)
  if (!adapter?.status) return undefined
  const deadline = new Deadline(provider.world, provider.deadlines.status * 0.75)
  const ctx = await paymentContext(provider, adapter, attempt.shopId, deadline)
  const about = { adapter: adapter.name, call: 'status', shop: attempt.shopId }
  const report = await provider.world.observer.adapterCall(about, () =>
    deadline.wait(call(() => adapter.status!(attemptView(attempt), ctx))),
  )
  if (typeof report?.status === 'string') return report
  throw new TypeError(
    `Payment adapter "${adapter.name}" answers status() with a report such as { status: 'paid', ... }`,
  )
}
