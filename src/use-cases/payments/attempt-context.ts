import type { AttemptContext } from '../../payments/adapter.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { PaymentReports } from '../../payments/report.ts'
import { type CalledAdapter, paymentContext } from './called-adapter.ts'
import { reportPayment } from './learn-payment.ts'

/** A payment adapter's context for one attempt. Its `report` outlives the deadline. */
export async function attemptContext(
  called: CalledAdapter,
  { id: attemptId }: Attempt,
): Promise<AttemptContext> {
  return Object.assign(await paymentContext(called), {
    report: (reports: PaymentReports) => reportPayment(called.workings, { attemptId }, reports),
  })
}
