import type { AttemptContext } from '../../payments/adapter.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { PaymentReports } from '../../payments/report.ts'
import type { Deadline } from '../deadline.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { reportPayment } from './learn-payment.ts'
import { paymentContext } from './payment-context.ts'

/** A payment adapter's context for one attempt. Its `report` outlives the deadline. */
export async function attemptContext(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  { id: attemptId, shopId }: Attempt,
  deadline: Deadline,
): Promise<AttemptContext> {
  return Object.assign(await paymentContext(workings, adapter, shopId, deadline), {
    report: (reports: PaymentReports) => reportPayment(workings, { attemptId }, reports),
  })
}
