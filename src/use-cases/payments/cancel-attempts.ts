import { attemptView } from '../../payments/adapter.ts'
import type { Attempt, FactSource } from '../../payments/payment.ts'
import { readReports } from '../../payments/report.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { CalledAdapter, paymentContext } from './called-adapter.ts'
import { withSettingsOf } from './earlier-settings.ts'
import { noteStatements } from './note-statements.ts'

/**
 * Closes attempts at their payment services. One that cannot be closed stays watched. `source` is `page` where the customer turned back: the
 * payment is cancelled then, and has not expired. None is begun after `until`.
 */
export async function cancelAttempts(
  workings: Workings,
  attempts: readonly Attempt[],
  source: FactSource = 'cancel',
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { serviceCalls, world } = workings
  await Promise.all(
    attempts.map(async (attempt) => {
      const adapter = workings.payments.find(({ name }) => name === attempt.adapter)
      if (!adapter?.cancel || !attempt.started) return
      try {
        await serviceCalls.run('cancel', adapter.name, async () => {
          if (world.now() < until) await cancelOne(workings, adapter, attempt, source)
        })
      } catch (error) {
        world.log.warn(
          {
            ...{ adapter: adapter.name, shop: attempt.shopId, order: attempt.orderId },
            ...{ attempt: attempt.id, err: error },
          },
          'an attempt that is over could not be cancelled at its payment service: it stays watched',
        )
      }
    }),
  )
}

async function cancelOne(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  source: FactSource,
): Promise<void> {
  // The deadline begins with its turn.
  const called = new CalledAdapter(workings, adapter, attempt.shopId, workings.deadlines.start)
  const view = attemptView(workings.contents, attempt)
  const said = await withSettingsOf(called, attempt, async (one) => {
    const ctx = await paymentContext(one)
    return readReports((await one.ask('cancel', () => adapter.cancel!(view, ctx))) ?? { status: 'cancelled' })
  })
  await noteStatements(workings, attempt, said, source)
}
