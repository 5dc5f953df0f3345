import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import { pageView } from '../../src/http/pages/adapter-pages.ts'
import { languagesOf } from '../../src/http/pages/texts.ts'
import type { PaymentPage } from '../../src/index.ts'
import type { Workings } from '../../src/parts.ts'
import { attemptView } from '../../src/payments/called-adapter.ts'
import { standingOf } from '../../src/payments/pages/leave-page.ts'
import { openState } from '../../src/payments/pages/page-state.ts'
import { submitPage } from '../../src/payments/pages/submit-page.ts'
import { paymentsWith } from './provider.ts'

type Submit = PaymentPage['submit']

/** A page whose forms the test answers. */
export async function pageWith(submit: Submit, adapter: Partial<AnyPaymentAdapter> = {}) {
  const setup = paymentsWith({
    start: () => ({ page: true, reference: 'tr_1' }),
    page: { render: () => '', submit },
    ...adapter,
  })
  await setup.start()
  const attempt = async () => (await setup.stored()).attempts[0]!
  /** A form from a tab that read the page at that moment. */
  const send = async (node: Workings = setup.workings, seen = attempt()) => {
    const [own] = node.payments.adapters
    const read = await seen
    const view = pageView(
      { attempt: attemptView(node.contents, read), adapter: own, language: languagesOf({}).get('en')! },
      String,
    )
    return submitPage(node, own!, read, {}, view)
  }
  const shows = async () => {
    const payment = await setup.stored()
    return standingOf(setup.workings, payment, payment.attempts[0]!).shows
  }
  const state = async () => openState(setup.workings.contents, await attempt())
  return { ...setup, attempt, send, shows, state }
}

/** The same provider in another process: it shares the store alone. */
export function otherNode({ workings }: { workings: Workings }): Workings {
  const twin = paymentsWith({}).workings
  const { memory } = twin.payments
  return { ...workings, payments: { ...workings.payments, memory } }
}
