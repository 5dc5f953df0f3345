import { attemptView } from '../../payments/adapter.ts'
import type { Attempt } from '../../payments/payment.ts'
import { callAdapter } from '../call-adapter.ts'
import { Deadline } from '../deadline.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { learnOf } from './learn-payment.ts'
import { paymentContext } from './payment-context.ts'

/** Closes the live attempts that this one replaces. One that cannot be closed stays watched. */
export async function cancelOthers(workings: Workings, attempts: readonly Attempt[]): Promise<void> {
  const { serviceCalls, world } = workings
  await Promise.all(
    attempts.map(async (attempt) => {
      const adapter = workings.payments.find(({ name }) => name === attempt.adapter)
      if (!adapter?.cancel || !attempt.started) return
      try {
        await serviceCalls.run('cancel', adapter.name, () => cancelOne(workings, adapter, attempt))
      } catch (error) {
        world.log.warn(
          { shop: attempt.shopId, order: attempt.orderId, attempt: attempt.id, err: error },
          'an attempt that was replaced could not be cancelled: it stays watched',
        )
      }
    }),
  )
}

async function cancelOne(workings: Workings, adapter: AnyPaymentAdapter, attempt: Attempt): Promise<void> {
  // The deadline begins with its turn.
  const deadline = new Deadline(workings.world, workings.deadlines.start)
  const ctx = await paymentContext(workings, adapter, attempt.shopId, deadline)
  const how = { adapter, call: 'cancel', shop: attempt.shopId, deadline }
  const said = await callAdapter(workings, how, () => adapter.cancel!(attemptView(attempt), ctx))
  await learnOf(workings, attempt, said ?? { status: 'cancelled' }, 'cancel')
}
