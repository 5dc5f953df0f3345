import { openState, type PageStanding, pageStanding } from '../../../payments/page-state.ts'
import type { Attempt, Payment } from '../../../payments/payment.ts'
import { readReports } from '../../../payments/report.ts'
import type { Workings } from '../../workings.ts'
import { askForPage } from '../ask-payment.ts'
import { cancelAttempts } from '../cancel-attempts.ts'
import { forgetPage } from '../form-outcome.ts'
import { learnOf } from '../learn-payment.ts'

/** Longer than an adapter may take to cancel. */
const leaseFor = 40_000

/**
 * Cancels an attempt because its customer turned back, once its payment service was asked: what was paid meanwhile is paid. Nothing is cancelled while a form of the page is handled, or while the outcome of one
 * is unknown: money may have moved. An attempt that its payment service does not cancel stays as it is, and watched.
 */
export async function cancelPage(workings: Workings, visited: Attempt): Promise<void> {
  const { store, world } = workings
  const { shopId, orderId, id, pageState: state } = visited
  const now = world.now()
  const until = now + leaseFor
  if (!(await store.leasePage(shopId, id, { now, until, seen: state, state }))) return
  try {
    const payment = await store.payment(shopId, orderId)
    const attempt = payment?.attempts.find((one) => one.id === id)
    if (payment && attempt) await cancel(workings, attempt, standingOf(workings, payment, attempt))
  } finally {
    await store.releasePage(shopId, id, { until, state })
    const payment = await store.payment(shopId, orderId)
    if (payment) await forgetPage(workings, visited, payment)
  }
}

export const standingOf = ({ contents, world }: Workings, payment: Payment, attempt: Attempt): PageStanding =>
  pageStanding(payment, attempt, (one) => openState(contents, one), world.now())

async function cancel(workings: Workings, attempt: Attempt, { shows }: PageStanding): Promise<void> {
  if (shows !== 'form' && shows !== 'onward') return
  const adapter = workings.payments.find(({ name }) => name === attempt.adapter)
  // Its customer may have paid by phone meanwhile.
  const { standing } =
    adapter?.status && attempt.started ? await askForPage(workings, attempt) : { standing: 'open' }
  if (standing === 'further' || (standing === 'unknown' && adapter?.page?.follows)) return
  if (adapter?.cancel) await cancelAttempts(workings, [attempt], 'page')
  // A customer who is at the bank may still pay there: only the service knows.
  else if (shows === 'form') await learnOf(workings, attempt, readReports({ status: 'cancelled' }), 'page')
}
