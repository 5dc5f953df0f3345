import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import { wrongAnswer } from '../../errors/errors.ts'
import type { Parts } from '../../parts.ts'
import type { MaybePromise, World } from '../../world.ts'
import type { Attempt, Payment } from '../ledger/payment.ts'
import { readReports, type Statement } from '../ledger/report.ts'
import { isEnded } from '../ledger/status.ts'
import { type FormCount, type PageContent, withStep } from './page-form.ts'
import { mostState, openState, type PageState, sealState } from './page-state.ts'

type Moving = Parts<'store' | 'contents'> & { world: Pick<World, 'now'> }

/**
 * Stores where the customer of a page is. Where a form is handled just now, or the state is another than that of `attempt`, everything stays
 * as it is. Resolves with whether it was stored.
 */
export async function movePageState(
  { store, world, contents }: Moving,
  { shopId, id, pageState: seen }: Attempt,
  state: PageState,
): Promise<boolean> {
  const now = world.now()
  return store.leasePage(shopId, id, { now, until: now, seen, state: sealState(contents, id, state) })
}

/** Once an attempt has ended, what its customer entered on the page is not kept. A form that is handled just now says so itself. */
export async function eraseInput(workings: Moving, { id }: Attempt, payment: Payment): Promise<void> {
  const attempt = payment.attempts.find((one) => one.id === id)
  if (!attempt?.pageState || (payment.status === 'pending' && !isEnded(attempt))) return
  const state = openState(workings.contents, attempt)
  if (state.is === 'again' || state.is === 'onward')
    await movePageState(workings, attempt, { is: 'done', count: state.count })
}

/** Erases what a customer entered, behind what the caller waits for. Never rejects. */
export async function forgetPage(
  workings: Parts<'store' | 'world' | 'contents'>,
  attempt: Attempt,
  payment: Payment,
): Promise<void> {
  const { world } = workings
  await eraseInput(workings, attempt, payment).catch((error: unknown) => {
    const about = { shop: attempt.shopId, order: attempt.orderId, attempt: attempt.id }
    world.log.warn(
      { ...about, err: error },
      'the store could not erase the input of a customer: it stays until the payment is erased',
    )
  })
}

export interface FormOutcome {
  /** Its reports; empty where it leads on. */
  said: Statement[]
  /** Where it leaves the customer. */
  state: PageState
}

/** Reads the answer of `page.submit` to the last form of this count. Throws `ADAPTER_ANSWER_INVALID` or `ARGUMENT_INVALID` for one that is none. */
export async function readOutcome(
  { payments, world }: Parts<'payments' | 'world'>,
  { name }: AnyPaymentAdapter,
  answer: unknown,
  count: FormCount,
): Promise<FormOutcome> {
  const refuse = (why: string) => wrongAnswer(`submit() of payment adapter "${name}" returns ${why}`)
  const { again, step, redirect } = Object(answer ?? {}) as {
    again?: MaybePromise<PageContent>
    step?: unknown
    redirect?: unknown
  }
  const ways = [again, redirect, (answer as { status?: unknown } | undefined)?.status]
  if (ways.filter((way) => way !== undefined && way !== null).length > 1)
    throw refuse('several of a report, `again` and `redirect`: give one of them')
  if (redirect !== undefined) {
    const url = typeof redirect === 'string' ? URL.parse(redirect) : null
    if (!url || !(url.protocol === 'https:' || (payments.development && url.protocol === 'http:')))
      throw refuse('a redirect that is not an https address')
    return { said: [], state: { is: 'onward', url: url.href, at: world.now(), count } }
  }
  if (again !== undefined && again !== null) {
    const shown = await again
    if (typeof shown !== 'string' && shown?.isEscaped !== true)
      throw refuse('`again` without content: it is a text, or made by `html`')
    const content = String(shown)
    // A text of `html` is escaped already.
    const isText = typeof shown === 'string'
    // It says for certain that nothing moved, however long it is.
    if (Buffer.byteLength(content) > mostState) return { said: [], state: { is: 'open', count } }
    return {
      said: [],
      state: { is: 'again', content, isText, count: step === true ? withStep(count) : count },
    }
  }
  const said = answer === undefined ? [] : readReports(answer as never)
  if (said.every(({ word }) => word === 'open' || word === 'named'))
    throw refuse(
      'no outcome: report the status that the form led to, which is not "open", or return { again } or { redirect }',
    )
  return { said, state: { is: 'done', count } }
}
