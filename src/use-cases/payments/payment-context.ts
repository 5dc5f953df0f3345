import type { AttemptContext, PaymentContext } from '../../payments/adapter.ts'
import type { PaymentReport } from '../../payments/facts.ts'
import type { Attempt } from '../../payments/payment.ts'
import { type Deadline, deadlineFetch } from '../deadline.ts'
import { settingsFor } from '../shops/shop-settings.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { reportPayment } from './learn-payment.ts'

/** A payment adapter's context, valid until the deadline. */
export async function paymentContext(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  shopId: string,
  deadline: Deadline,
): Promise<PaymentContext> {
  const { name, network } = adapter
  const settings = await settingsFor(workings, shopId, adapter)
  return {
    shop: { id: shopId },
    get settings() {
      return settings?.of(adapter)
    },
    get signal() {
      return deadline.signal
    },
    fetch: deadlineFetch(workings.world, deadline, { name, network, shop: shopId, kind: 'payments' }),
    now: workings.world.now,
    log: workings.world.log,
  }
}

/** A payment adapter's context for one attempt. Its `report` outlives the deadline. */
export async function attemptContext(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  { id: attemptId, shopId }: Attempt,
  deadline: Deadline,
): Promise<AttemptContext> {
  return Object.assign(await paymentContext(workings, adapter, shopId, deadline), {
    report: (report: PaymentReport) => reportPayment(workings, { attemptId }, report),
  })
}
