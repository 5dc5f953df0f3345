import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import { wrongAnswer } from '../../errors/errors.ts'
import type { Parts } from '../../parts.ts'
import type { ContentSeal } from '../../shops/seal.ts'
import type { MaybePromise, World } from '../../world.ts'
import { type Attempt, newestAttempt, type Payment } from '../ledger/payment.ts'
import { readReports, type Statement } from '../ledger/report.ts'
import { hasReceived, isEnded, takesMoney } from '../ledger/status.ts'
import { type FormCount, type PageContent, withStep } from './page-form.ts'

/**
 * Where the customer is on the page of an attempt, between two visits: a reload, Back and a second tab show the same. The count of its
 * forms is one commit with it.
 */
export type PageState = { count: FormCount } & (
  | { is: 'open' }
  /**
   * A form is at the adapter, until then at the latest, in milliseconds since 1970. After that nobody knows its outcome. Before `quiet` its
   * request may still reach the payment service: no other form is offered, whatever the service says.
   */
  | { is: 'handling'; until: number; quiet: number }
  /** The form with what was wrong with it, as HTML or as plain text. */
  | { is: 'again'; content: string; isText: boolean }
  /** The customer went on to this address, and has not come back. */
  | { is: 'onward'; url: string; at: number }
  /** The outcome of a form is not known: it may have moved money. */
  | { is: 'unsure'; quiet: number }
  /** A form reported its outcome, or the payment has ended. */
  | { is: 'done' }
)

/** The most that is kept of a form, in bytes. */
const mostState = 64 * 1024

const rowOf = (id: string) => `page ${id}` as const

export const sealState = (contents: ContentSeal, id: string, state: PageState): string =>
  contents.close(state, rowOf(id))

export const openState = (contents: ContentSeal, { id, pageState }: Attempt): PageState =>
  pageState === undefined
    ? { is: 'open', count: { forms: 0, fruitless: 0, nextAt: 0 } }
    : (contents.open(pageState, rowOf(id)) as PageState)

/** The page of an attempt as a visit finds it. */
export type PageStanding =
  /** Nothing is left to ask: the status of the payment counts. */
  | { shows: 'status' }
  /** Another way to pay was chosen since. */
  | { shows: 'replaced' }
  /** The adapter's form, or what an earlier form left. */
  | { shows: 'form'; kept?: Extract<PageState, { is: 'again' }> }
  | { shows: 'handling' }
  /** The outcome of a form is not known: of this attempt, or of an earlier one of the same order. */
  | { shows: 'unsure'; of: Attempt }
  /** `at` is when the form led there, in milliseconds since 1970. */
  | { shows: 'onward'; url: string; at: number }

/**
 * Says whether the page of an attempt may take a form, and what it shows otherwise. One order takes one payment. So there is no form once
 * the attempt has ended or was replaced, the order is paid, or money or an authorisation has come. There is none either while the payment
 * service works on the payment, or another attempt has a payment that goes on. A form that reported its outcome, or whose outcome is
 * unknown, is the last one. `now`
 * is in milliseconds since 1970.
 */
export function pageStanding(
  payment: Payment,
  attempt: Attempt,
  stateOf: (attempt: Attempt) => PageState,
  now: number,
): PageStanding {
  const state = stateOf(attempt)
  const doubtful = doubtOf(attempt, state, now)
  if (isOver(payment, attempt) || state.is === 'done') {
    if (!isReplaced(payment, attempt)) return { shows: 'status' }
    return (!isSettled(attempt) && doubtful) || { shows: 'replaced' }
  }
  if (doubtful?.shows === 'handling') return doubtful
  if (attempt.lastWord?.is === 'working') return { shows: 'status' }
  if (doubtful) return doubtful
  for (const other of payment.attempts) {
    if (other.id === attempt.id || isEnded(other)) continue
    const before = stateOf(other)
    const doubt = isSettled(other) ? undefined : doubtOf(other, before, now)
    if (doubt) return doubt
    if (before.count.forms > 0 && hasMoved(other)) return { shows: 'unsure', of: other }
  }
  if (state.is === 'onward') return { shows: 'onward', url: state.url, at: state.at }
  return { shows: 'form', ...(state.is === 'again' && { kept: state }) }
}

/** A form of the attempt that is handled, or whose outcome nobody knows. */
function doubtOf(
  attempt: Attempt,
  state: PageState,
  now: number,
): Extract<PageStanding, { shows: 'handling' | 'unsure' }> | undefined {
  if (state.is === 'handling' && now < state.until) return { shows: 'handling' }
  return isUnsure(state) ? { shows: 'unsure', of: attempt } : undefined
}

/** The outcome of its form has been learned since. */
const isSettled = (attempt: Attempt): boolean =>
  isEnded(attempt) || hasReceived(attempt) || attempt.facts.some(({ source }) => source === 'page')

const isReplaced = (payment: Payment, attempt: Attempt): boolean =>
  payment.status !== 'paid' && newestAttempt(payment)?.id !== attempt.id

/** The payment that a form began goes on, or has brought money. */
const hasMoved = (attempt: Attempt): boolean =>
  attempt.lastWord?.is === 'working' || hasReceived(attempt) || isAuthorised(attempt)

const isAuthorised = ({ facts }: Attempt): boolean => facts.some(({ kind }) => kind === 'authorised')

const isOver = (payment: Payment, attempt: Attempt): boolean =>
  attempt.started?.how !== 'page' ||
  !takesMoney(payment, attempt) ||
  hasReceived(attempt) ||
  isAuthorised(attempt) ||
  attempt.facts.some(({ source }) => source === 'page')

/** Whether a form may have moved money, and nobody knows. */
export const isUnsure = (state: PageState): boolean => state.is === 'unsure' || state.is === 'handling'

export type Moving = Parts<'store' | 'contents'> & { world: Pick<World, 'now'> }

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
    throw refuse('more than one of a report, `again` and `redirect`: return only one')
  if (redirect !== undefined) {
    const url = typeof redirect === 'string' ? URL.parse(redirect) : null
    if (!url || !(url.protocol === 'https:' || (payments.development && url.protocol === 'http:')))
      throw refuse('a redirect that is not an https address')
    return { said: [], state: { is: 'onward', url: url.href, at: world.now(), count } }
  }
  if (again !== undefined && again !== null) {
    const shown = await again
    if (typeof shown !== 'string' && shown?.isEscaped !== true)
      throw refuse('`again` without content: make it a text, or build it with `html`')
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
