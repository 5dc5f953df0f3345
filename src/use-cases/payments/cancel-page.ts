import { openState } from '../../payments/page-state.ts'
import type { Attempt } from '../../payments/payment.ts'
import { readReports } from '../../payments/read-report.ts'
import type { Workings } from '../workings.ts'
import { cancelAttempts } from './cancel-attempts.ts'
import { learnOf } from './learn-payment.ts'
import { isPageOver } from './submit-page.ts'

/** Longer than an adapter may take to cancel. */
const leaseFor = 40_000

/**
 * Cancels an attempt because its customer turned back. Nothing is cancelled while a form of the page is handled, or while the outcome of one
 * is unknown: money may have moved. An attempt that its payment service does not cancel stays as it is, and watched.
 */
export async function cancelPage(workings: Workings, attempt: Attempt): Promise<void> {
  const { store, world, contents } = workings
  const { shopId, orderId, id } = attempt
  const now = world.now()
  if (!(await store.leasePage(shopId, id, { now, until: now + leaseFor }))) return
  const payment = await store.payment(shopId, orderId)
  const current = payment?.attempts.find((one) => one.id === id)
  if (!payment || !current) return
  try {
    if (isPageOver(payment, current) || openState(contents, current)?.is === 'unsure') return
    const adapter = workings.payments.find(({ name }) => name === current.adapter)
    if (adapter?.cancel) await cancelAttempts(workings, [current], 'page')
    // A customer who is at the bank may still pay there: only the service knows.
    else if (openState(contents, current)?.is !== 'onward')
      await learnOf(workings, current, readReports({ status: 'cancelled' }), 'page')
  } finally {
    await store.releasePage(shopId, id, { ...(current.pageState && { state: current.pageState }) })
  }
}
