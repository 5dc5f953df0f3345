import type { Parts } from '../../parts.ts'
import type { PaymentReturn } from '../adapter-context.ts'
import { adapterOf, attemptView, CalledAdapter, type Calling, canBeAsked, reload } from '../called-adapter.ts'
import { attemptContext, cancelAttempts, forgetPage, type Learning, learnOf } from '../learn-payment.ts'
import { type Attempt, aboutAttempt, type Payment } from '../ledger/payment.ts'
import { readReports } from '../ledger/report.ts'
import { askForPage } from '../read-status.ts'
import { isUnsure, movePageState, openState, type PageStanding, pageStanding } from './page-state.ts'

/** Longer than an adapter may take to cancel. */
const leaseFor = 40_000

/**
 * Cancels an attempt because its customer turned back, once its payment service was asked: what was paid meanwhile is paid. Nothing is cancelled while a form of the page is handled, or while the outcome of one
 * is unknown: money may have moved. An attempt that its payment service does not cancel stays as it is, and watched.
 */
export async function cancelPage(workings: Learning, visited: Attempt): Promise<void> {
  const { store, world } = workings
  const { shopId, id, pageState: state } = visited
  const now = world.now()
  const until = now + leaseFor
  if (!(await store.leasePage(shopId, id, { now, until, seen: state, state }))) return
  try {
    const found = await find(workings, visited)
    if (found) await cancel(workings, found)
  } finally {
    await store.releasePage(shopId, id, { until, state })
    const left = await reload(workings, visited)
    if (left) await forgetPage(workings, visited, left.payment)
  }
}

export const standingOf = (
  { contents, world }: Parts<'contents' | 'world'>,
  payment: Payment,
  attempt: Attempt,
): PageStanding => pageStanding(payment, attempt, (one) => openState(contents, one), world.now())

async function cancel(workings: Learning, { attempt, shows }: Visited): Promise<void> {
  if (shows !== 'form' && shows !== 'onward') return
  const adapter = adapterOf(workings, attempt)
  // Its customer may have paid by phone meanwhile.
  const { standing } =
    adapter?.status && attempt.started ? await askForPage(workings, attempt) : { standing: 'open' }
  if (standing === 'further' || (standing === 'unknown' && adapter?.page?.follows)) return
  if (adapter?.cancel) await cancelAttempts(workings, [attempt], 'page')
  // A customer who is at the bank may still pay there: only the service knows.
  else if (shows === 'form') await learnOf(workings, attempt, readReports({ status: 'cancelled' }), 'page')
}

/**
 * Reads the data that a payment service sent along with a returning customer. Resolves with where the customer goes on: to the shop, or to
 * the page if the service says that they have not finished, or does not answer. Anybody can open this address. So data that `verify` does
 * not confirm counts as nothing, and with `confirm: 'status'` the service itself is asked. A fault of the adapter keeps nobody from the shop: the status
 * comes by a push, or when the service is asked. `form` is the number of the form whose return address it is.
 */
export async function readReturn(
  workings: Learning,
  visited: Attempt,
  request: PaymentReturn,
  form?: number,
): Promise<'shop' | 'page'> {
  const read = await readSent(workings, visited, request)
  // The result of an earlier form says nothing about a later one.
  const isOld = form !== undefined && form !== openState(workings.contents, visited).count.forms
  const sent = isOld ? undefined : read
  const before = await find(workings, visited)
  if (before?.attempt.started?.how !== 'page' || before.payment.status !== 'pending') {
    if (before?.attempt.started && before.payment.status === 'pending')
      await askForPage(workings, before.attempt)
    return 'shop'
  }
  if (!canBeAsked(workings, visited)) {
    // The service itself says that the customer may choose again.
    if (sent !== 'again, verified' || (before.shows !== 'onward' && before.shows !== 'form')) return 'shop'
    await offerForm(workings, before.attempt)
    return 'page'
  }
  const { standing } = await askForPage(workings, before.attempt)
  const found = await find(workings, visited)
  if (!found || standing === 'further') return 'shop'
  const { attempt, shows } = found
  if (shows === 'status' || shows === 'replaced') return 'shop'
  const { count } = openState(workings.contents, attempt)
  if (standing === 'open') {
    const mayOffer = sent === 'again, verified' || canChooseAgain(workings, attempt)
    const asksFor = shows === 'unsure' || (shows !== 'handling' && sent !== undefined)
    if (asksFor && (shows !== 'onward' || mayOffer)) await offerForm(workings, attempt)
  }
  // Where no form was handled, nothing can have moved.
  else if (count.forms > 0 && shows !== 'handling' && shows !== 'unsure')
    await movePageState(workings, attempt, { is: 'unsure', quiet: 0, count })
  return 'page'
}

type Visited = NonNullable<Awaited<ReturnType<typeof find>>>

async function find(workings: Learning, visited: Attempt) {
  const found = await reload(workings, visited)
  return found && { ...found, shows: standingOf(workings, found.payment, found.attempt).shows }
}

/** The result that came along: whether the customer may fill in the page again, and whether the service itself says so. */
type Sent = 'again' | 'again, verified' | undefined

async function readSent(workings: Learning, attempt: Attempt, request: PaymentReturn): Promise<Sent> {
  const { world } = workings
  const { shopId } = attempt
  const adapter = adapterOf(workings, attempt)
  const { returned } = adapter ?? {}
  if (!adapter || !returned) return undefined
  const called = new CalledAdapter(workings, adapter, shopId, workings.payments.deadlines.start)
  try {
    const ctx = Object.assign(await attemptContext(workings, called, attempt), {
      attempt: attemptView(workings.contents, attempt),
    })
    const { verify } = returned
    if (verify && (await called.ask('returned', () => returned.verify!(request, ctx))) !== true) {
      world.observer.refused('RETURN_UNVERIFIED', { shop: shopId })
      return undefined
    }
    const said = await called.ask('returned', () => returned.read(request, ctx))
    if (said === undefined) return undefined
    if ('again' in said) return said.again ? (verify ? 'again, verified' : 'again') : undefined
    if (verify) await learnOf(workings, attempt, readReports(said), 'return')
  } catch (error) {
    const about = { adapter: adapter.name, ...aboutAttempt(attempt) }
    world.log.error({ ...about, err: error }, 'the adapter could not read the return of a customer')
  }
  return undefined
}

/**
 * Asks the payment service how an attempt stands whose form had no certain outcome, or whose customer is not going to finish at the bank.
 * Where it says that the customer has not finished, the form is offered again. Without an answer everything stays as it is: a second
 * payment beside one that was confirmed would take the money twice.
 */
export async function lookAgain(workings: Learning, attempt: Attempt): Promise<void> {
  const state = openState(workings.contents, attempt)
  if (state.count.forms === 0) return
  const { standing } = await askForPage(workings, attempt)
  const mayOffer = state.is === 'onward' ? canChooseAgain(workings, attempt) : isUnsure(state)
  if (standing === 'open' && mayOffer) await offerForm(workings, attempt)
}

/**
 * Whether a customer at the bank may choose another way to pay. The service has to hold one payment for the attempt, which `start` has
 * named: it closes what was open at the first bank. A payment that each form opens by itself stays payable beside the next.
 */
export const canChooseAgain = (workings: Parts<'payments'>, attempt: Attempt): boolean =>
  canBeAsked(workings, attempt) && attempt.started?.reference !== undefined

/** Offers the form again, unless an earlier one may still reach the payment service. */
async function offerForm(workings: Calling, attempt: Attempt): Promise<void> {
  const { payments, contents, world } = workings
  const state = openState(contents, attempt)
  if (payments.memory.lateForms.has(attempt.id)) return
  if ((state.is === 'unsure' || state.is === 'handling') && world.now() < state.quiet) return
  await movePageState(workings, attempt, { is: 'open', count: state.count })
}
