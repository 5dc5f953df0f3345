import { DeadlinePassed } from '../../adapters/call-adapter.ts'
import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import type { Parts } from '../../parts.ts'
import { StoreUnavailable } from '../../store.ts'
import type { World } from '../../world.ts'
import type { PageView } from '../adapter-context.ts'
import type { Starting } from '../call-start.ts'
import { attemptView, CalledAdapter, reload } from '../called-adapter.ts'
import { attemptContext, learnOf, openAnomaly } from '../learn-payment.ts'
import { type Attempt, aboutAttempt } from '../ledger/payment.ts'
import type { FormEnd } from '../payment-memory.ts'
import { cancelPage } from './leave-page.ts'
import { hadTooMany, pauseLeft, withForm, withoutForms } from './page-form.ts'
import {
  type FormOutcome,
  movePageState,
  openState,
  type PageState,
  pageStanding,
  readOutcome,
  sealState,
} from './page-state.ts'

const submitFor = 30_000
/** A form that takes longer is answered with a page that looks again by itself. */
const answerAfter = 3_000
/** Longer than handling a form takes, so that no other form begins before its end is known. */
const leaseFor = 40_000
/** When an outcome is stored again that the store did not take, and for how long at least where the page is not taken any more. */
const storeAgain = 500
const lateFor = 10_000
/** A form that ended in an error may still reach the payment service: for so long after it began, none is offered. */
const mayArriveFor = 60_000

/** Where a form leads that does not lead to the page again. */
const ends: Partial<Record<PageState['is'], FormEnd>> = { onward: 'go', done: 'done' }

type View = Omit<PageView, 'attempt'>

/**
 * Hands a form of a hosted page to its adapter, and resolves with where it leads. One click has one effect in any tab and process. The
 * store notes that a form is handled before its adapter is called, and another form beside it leads where this one does. A form whose
 * outcome is unknown, because its code threw, took too long or its process died, is never offered again before the payment service was
 * asked.
 */
export function submitPage(
  workings: Starting,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  fields: Record<string, string>,
  view: View,
): Promise<FormEnd> {
  const { openForms } = workings.payments.memory
  const open = openForms.get(attempt.id)
  if (open) return answered(workings, open)
  const form = handle(workings, adapter, attempt, fields, view).finally(() => openForms.delete(attempt.id))
  openForms.set(attempt.id, form)
  return answered(workings, form)
}

/** The end of a form, or `page` where it takes longer than a browser should show nothing. */
function answered({ world }: Parts<'world'>, form: Promise<FormEnd>): Promise<FormEnd> {
  const late = Promise.withResolvers<FormEnd>()
  const cancel = world.after(answerAfter, () => {
    late.resolve('page')
    form.catch((error: unknown) =>
      world.log.error({ err: error }, 'a form that took long could not be finished'),
    )
  })
  return Promise.race([form, late.promise]).finally(cancel)
}

async function handle(
  workings: Starting,
  adapter: AnyPaymentAdapter,
  visited: Attempt,
  fields: Record<string, string>,
  view: View,
): Promise<FormEnd> {
  const { store, world, contents, payments } = workings
  const { shopId, id } = visited
  const called = new CalledAdapter(workings, adapter, shopId, submitFor)
  const ctx = await attemptContext(workings, called, visited)
  const taken = await take(workings, adapter, visited)
  if (typeof taken === 'string') return taken
  const { attempt, count, leave } = taken
  const { forms } = count
  const began = world.now()
  const about = { adapter: adapter.name, ...aboutAttempt(attempt) }

  const learned = async (answer: unknown): Promise<FormOutcome> => {
    const outcome = await readOutcome(workings, adapter, answer, count)
    const { said } = outcome
    const until = Math.max(began + leaseFor, world.now() + lateFor)
    try {
      if (said.length > 0) await onceStored(world, until, () => learnOf(workings, attempt, said, 'page'))
    } catch (error) {
      const words = said.map(({ word }) => word)
      world.log.error({ ...about, outcome: words, err: error }, 'the outcome of a form could not be stored')
      throw error
    }
    return outcome
  }
  const late = async (answer: unknown): Promise<void> => {
    world.log.warn({ ...about, ms: world.now() - began }, 'the outcome of a form came late, and still counts')
    const { state } = await learned(answer)
    const current = await store.attempt(shopId, id)
    const before = current && openState(contents, current)
    // Unless a later form or a question has changed it.
    if (before?.is === 'unsure' && before.count.forms === forms)
      await movePageState(workings, current!, state)
  }

  let submitting: Promise<unknown> | undefined
  try {
    const own = {
      returnUrl: workings.addresses.returnOf(attempt, forms),
      idempotencyKey: `${attempt.idempotencyKey}-${forms}`,
    }
    const page = { ...view, attempt: attemptView(contents, attempt) }
    const submit = () =>
      (submitting = (async () => adapter.page!.submit!(fields, page, Object.assign(ctx, own)))())
    const { state } = await learned(await called.ask('submit', submit))
    await onceStored(world, began + leaseFor, () => leave(sealState(contents, id, state)))
    return ends[state.is] ?? 'page'
  } catch (error) {
    world.log.error({ ...about, err: error }, 'the outcome of a form is unknown')
    const unsure = sealState(contents, id, { is: 'unsure', quiet: began + mayArriveFor, count })
    const left = leave(unsure)
    if (error instanceof DeadlinePassed) {
      payments.memory.lateForms.add(id)
      keepQuiet(workings, attempt, forms)
      void Promise.allSettled([left])
        .then(async () => late(await submitting))
        .catch((fault: unknown) =>
          world.log.error({ ...about, err: fault }, 'the outcome of a form that took too long is unknown'),
        )
        .finally(() => payments.memory.lateForms.delete(id))
    }
    await left
    return 'page'
  }
}

/**
 * Repeats work while the store is unavailable, until that time. Nobody else knows the outcome of a form: a service that cannot be asked says
 * it once.
 */
async function onceStored<T>(world: World, until: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || world.now() + storeAgain > until) throw error
    }
    await new Promise<void>((resolve) => void world.after(storeAgain, resolve))
  }
}

/** While a form runs that nobody waits for, no process offers another one. */
function keepQuiet(workings: Starting, of: Pick<Attempt, 'shopId' | 'id'>, forms: number): void {
  const { shopId, id } = of
  const { world, store, payments, contents } = workings
  world.after(mayArriveFor / 2, async () => {
    if (!payments.memory.lateForms.has(id)) return
    try {
      const attempt = await store.attempt(shopId, id)
      const state = attempt && openState(contents, attempt)
      if (!attempt || state?.is !== 'unsure' || state.count.forms !== forms) return
      await movePageState(workings, attempt, { ...state, quiet: world.now() + mayArriveFor })
    } catch (error) {
      world.log.warn({ shop: shopId, attempt: id, err: error }, 'a form that still runs could not be stored')
    }
    keepQuiet(workings, of, forms)
  })
}

/**
 * Takes the page for one form, and counts it. Resolves with where a form leads that is not taken: another one came first, it comes too soon
 * behind those that came to nothing, there were too many, or the page asks for nothing.
 */
async function take(workings: Starting, adapter: AnyPaymentAdapter, visited: Attempt) {
  const { store, world, contents } = workings
  const { shopId, orderId, id, pageState: seen } = visited
  const before = openState(contents, visited)
  const now = world.now()
  const refused = () => world.observer.refused('PAGE_FORMS_TOO_MANY', { shop: shopId, order: orderId })
  if (pauseLeft(before.count, now) > 0) {
    refused()
    return 'page'
  }
  const count = withForm(before.count, now)
  const until = now + leaseFor
  const state = sealState(contents, id, { is: 'handling', until, quiet: now + mayArriveFor, count })
  if (!(await store.leasePage(shopId, id, { now, until, seen, state }))) return 'page'
  const leave = (left: string | undefined) => store.releasePage(shopId, id, { until, state: left })
  // Money may have come since the page was read, or a form of another attempt.
  const found = await reload(workings, visited)
  const stateOf = (one: Attempt) => (one.id === id ? before : openState(contents, one))
  if (!found || pageStanding(found.payment, found.attempt, stateOf, now).shows !== 'form') {
    await leave(seen)
    return 'done'
  }
  const { payment, attempt } = found
  // No form of another attempt is handled meanwhile.
  const counts = payment.attempts.map((one) => stateOf(one).count)
  if (!hadTooMany(before.count, counts, adapter.page!.mostForms)) return { attempt, count, leave }
  refused()
  const over = sealState(contents, id, { ...before, count: withoutForms(before.count, now) })
  await leave(over)
  await openAnomaly(workings, attempt, { kind: 'too_many_forms', event: '' })
  await cancelPage(workings, { ...attempt, pageState: over })
  return 'done'
}
