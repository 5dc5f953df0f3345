import { attemptView, type PageContent, type PageView } from '../../payments/adapter.ts'
import { takesMoney } from '../../payments/attempt-end.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import { readReports } from '../../payments/read-report.ts'
import { callAdapter } from '../call-adapter.ts'
import { Deadline, DeadlinePassed } from '../deadline.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { attemptContext } from './attempt-context.ts'
import { learnOf } from './learn-payment.ts'

const submitFor = 30_000
/** Longer than handling a form takes, so that no other form begins before its end is known. */
const leaseFor = 40_000
const lookEvery = 100

/**
 * Whether the page of an attempt has nothing left to ask: the attempt has ended or was replaced, the order is paid, or a form of it has been
 * handled.
 */
export const isPageOver = (payment: Payment, attempt: Attempt): boolean =>
  !takesMoney(payment, attempt) || attempt.facts.some(({ source }) => source === 'page')

/**
 * Handles a form of a hosted page. One click has one effect in any tab and process: forms of one attempt are handled one by one, and none
 * after one that reported a status. Resolves with content to show again, or with nothing once the page is over.
 */
export async function submitPage(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  form: Record<string, string>,
  view: Omit<PageView, 'attempt'>,
): Promise<PageContent | undefined> {
  const { store, world } = workings
  const { shopId, id } = attempt
  const current = await turn(workings, attempt)
  if (!current) return undefined
  try {
    const deadline = new Deadline(world, submitFor)
    const ctx = await attemptContext(workings, adapter, current, deadline)
    const page = { ...view, attempt: attemptView(workings.contents, current), ctx }
    const how = { adapter, call: 'submit', shop: shopId, deadline }
    const outcome = await callAdapter(workings, how, () => adapter.page!.submit(form, page))
    if ('again' in outcome) {
      await store.releasePage(shopId, id)
      return outcome.again
    }
    await learnOf(workings, current, readReports(outcome), 'page')
    await store.leasePage(shopId, id, { now: Number.MAX_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER })
    return undefined
  } catch (error) {
    // A slow form may still take effect: no other one begins before the hold ends.
    if (!(error instanceof DeadlinePassed)) await store.releasePage(shopId, id)
    throw error
  }
}

/** Waits for the turn of this form. `undefined` once the page is over. */
async function turn(
  { store, world }: Workings,
  { shopId, orderId, id }: Attempt,
): Promise<Attempt | undefined> {
  const until = world.now() + submitFor
  for (;;) {
    const now = world.now()
    const mine = await store.leasePage(shopId, id, { now, until: now + leaseFor })
    const payment = await store.payment(shopId, orderId)
    const attempt = payment?.attempts.find((one) => one.id === id)
    if (!payment || !attempt || isPageOver(payment, attempt)) return undefined
    if (mine) return attempt
    if (now > until) return undefined
    await new Promise<void>((resolve) => world.after(lookEvery, resolve))
  }
}
