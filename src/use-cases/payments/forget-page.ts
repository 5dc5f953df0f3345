import { isEnded } from '../../payments/attempt-end.ts'
import { openState } from '../../payments/page-state.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'
import { movePageState } from './move-page-state.ts'

/** Once an attempt has ended, what its customer entered on the page is not kept. A form that is handled just now says so itself. */
export async function forgetPage(workings: Workings, { id }: Attempt, payment: Payment): Promise<void> {
  const { world, contents } = workings
  const attempt = payment.attempts.find((one) => one.id === id)
  if (!attempt?.pageState || (payment.status === 'pending' && !isEnded(attempt))) return
  try {
    const state = openState(contents, attempt)
    if (state.is === 'again' || state.is === 'onward')
      await movePageState(workings, attempt, { is: 'done', count: state.count })
  } catch (error) {
    const about = { shop: attempt.shopId, order: attempt.orderId, attempt: id }
    world.log.warn(
      { ...about, err: error },
      'the store could not erase the input of a customer: it stays until the payment is erased',
    )
  }
}
