import { wrongAnswer } from '../../errors.ts'
import { attemptView, type PageView, type Submitted } from '../../payments/adapter.ts'
import { takesMoney } from '../../payments/attempt-end.ts'
import type { PageContent } from '../../payments/page-form.ts'
import { mostState, openState, type PageState, sealState } from '../../payments/page-state.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import { readReports } from '../../payments/read-report.ts'
import { callAdapter } from '../call-adapter.ts'
import { Deadline, DeadlinePassed } from '../deadline.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { attemptContext } from './attempt-context.ts'
import { learnOf } from './learn-payment.ts'
import { returnUrl } from './page-address.ts'

const submitFor = 30_000
/** Longer than handling a form takes, so that no other form begins before its end is known. */
const leaseFor = 40_000
const lookEvery = 100
const forGood = Number.MAX_SAFE_INTEGER

/**
 * Whether the page of an attempt has nothing left to ask: the attempt has ended or was replaced, the order is paid, a form of it has been
 * handled, or the payment service works on what a form began.
 */
export const isPageOver = (payment: Payment, attempt: Attempt): boolean =>
  !takesMoney(payment, attempt) ||
  attempt.facts.some(({ source }) => source === 'page') ||
  (attempt.pageState !== undefined && attempt.lastWord?.is === 'working')

/**
 * Handles a form of a hosted page. One click has one effect in any tab and process: forms of one attempt are handled one by one, and none
 * after one that reported a status. Where the customer is afterwards is on disk when it resolves: the next visit of the page shows it. A form
 * whose outcome is unknown, because its code threw or took too long, is never offered again before the payment service was asked.
 */
export async function submitPage(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  form: Record<string, string>,
  view: Omit<PageView, 'attempt'>,
): Promise<void> {
  const { store, world, contents } = workings
  const { shopId, id } = attempt
  const current = await turn(workings, attempt)
  if (!current) return
  const leave = (state?: PageState, until?: number) =>
    store.releasePage(shopId, id, {
      ...(state && { state: sealState(contents, id, state) }),
      ...(until !== undefined && { until }),
    })
  const learned = async (outcome: unknown) => {
    const state = stateAfter(adapter, outcome)
    if (state) return leave(state)
    await learnOf(workings, current, readReports(outcome as never), 'page')
    await leave(undefined, forGood)
  }
  let submitting: Promise<Submitted> | undefined
  try {
    const deadline = new Deadline(world, submitFor)
    const ctx = Object.assign(await attemptContext(workings, adapter, current, deadline), {
      returnUrl: returnUrl(workings, current),
    })
    const page = { ...view, attempt: attemptView(contents, current) }
    const how = { adapter, call: 'submit', shop: shopId, deadline }
    const called = callAdapter(
      workings,
      how,
      () => (submitting = (async () => adapter.page!.submit(form, page, ctx))()),
    )
    await learned(await called)
  } catch (error) {
    world.log.error(
      { shop: shopId, order: attempt.orderId, attempt: id, err: error },
      'the outcome of a form is unknown',
    )
    await leave({ is: 'unsure' })
    // It may still come: then it counts.
    if (error instanceof DeadlinePassed) submitting?.then(learned).catch(() => {})
  }
}

/** Where a form leaves the customer; `undefined` where it reported a status. Throws for an answer that is none. */
function stateAfter(adapter: AnyPaymentAdapter, outcome: unknown): PageState | undefined {
  const { again, redirect } = Object(outcome ?? {}) as { again?: PageContent; redirect?: unknown }
  const answers = `submit() of payment adapter "${adapter.name}"`
  if (redirect !== undefined) {
    if (typeof redirect !== 'string' || !/^https?:$/.test(URL.parse(redirect)?.protocol ?? ''))
      throw wrongAnswer(`${answers} returns a redirect that is a web address`)
    return { is: 'onward', url: redirect }
  }
  if (again === undefined) return undefined
  const content = String(again)
  if (Buffer.byteLength(content) > mostState)
    throw wrongAnswer(`${answers} returns content of at most 64 KiB`)
  return { is: 'again', content }
}

/** Waits for the turn of this form. `undefined` once the page is over, or while the outcome of an earlier form is unknown. */
async function turn(
  { store, world, contents }: Workings,
  { shopId, orderId, id }: Attempt,
): Promise<Attempt | undefined> {
  const until = world.now() + submitFor
  for (;;) {
    const now = world.now()
    const mine = await store.leasePage(shopId, id, { now, until: now + leaseFor })
    const payment = await store.payment(shopId, orderId)
    const attempt = payment?.attempts.find((one) => one.id === id)
    if (!payment || !attempt || isPageOver(payment, attempt)) return undefined
    if (mine && openState(contents, attempt)?.is === 'unsure') {
      await store.releasePage(shopId, id, { ...(attempt.pageState && { state: attempt.pageState }) })
      return undefined
    }
    if (mine) return attempt
    if (now > until) return undefined
    await new Promise<void>((resolve) => world.after(lookEvery, resolve))
  }
}
