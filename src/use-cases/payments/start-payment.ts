import { type PaymentStartRequest, Problem } from '../../contract/index.ts'
import { hasCode, wrongAnswer } from '../../errors.ts'
import { type Decimal, decimal, readDecimal, roundToCurrency } from '../../money/index.ts'
import { chosenMethod } from '../../payments/methods.ts'
import type { Opened } from '../../payments/open.ts'
import { type Attempt, inOrder, newAttemptId } from '../../payments/payment.ts'
import type { PaymentMode } from '../../payments/report.ts'
import { toCancel } from '../../payments/status.ts'
import { isTolerable } from '../../payments/totals.ts'
import type { Shop } from '../../shops/shop.ts'
import { StoreUnavailable } from '../../store.ts'
import { Deadline, DeadlinePassed } from '../call-adapter.ts'
import { reasonOf } from '../rates/cause-of.ts'
import { settingsOf } from '../shops/shop-settings.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { aboutStart, callStart, findStarted, startFailed } from './call-start.ts'
import { checkHosts, noteHosts } from './check-hosts.ts'
import { pageUrl, returnUrl } from './form-outcome.ts'
import { cancelAttempts, noteStatements, openAnomaly, warnOf } from './learn-payment.ts'

const minute = 60_000
const hour = 60 * minute
const lookEvery = 50

/** A start of unknown outcome that must not be repeated: it was given up, and the next call opens a new attempt. */
class StartGivenUp extends Error {}

/**
 * Starts the payment of an order (spec 4.3 payment) and returns the address of the payment page; without one the customer goes to the
 * thank-you page. It has four phases, so that the platform's repeated call finishes a crash anywhere. (A) The attempt with its idempotency
 * key is on disk. (B) The adapter is called with that key. (C) Its answer is on disk. (D) The call is answered.
 */
export async function startPayment(
  workings: Workings,
  shop: Shop,
  request: PaymentStartRequest,
): Promise<{ payment_url?: string }> {
  const chosen = chosenMethod(workings.payments, request.payment_method)
  const adapter = chosen && workings.payments.find(({ name }) => name === chosen.adapter)
  if (!adapter) throw new Problem('METHOD_UNKNOWN')
  checkHosts(workings, shop, request)

  const begin = async () => {
    const opened = await open(workings, shop, request, adapter, chosen.methodId)
    const { outcome, attempt } = opened
    if (outcome === 'paid') return { payment_url: returnUrl(workings, attempt) }
    const started = attempt.started ? attempt : await startInTime(workings, opened, adapter, request)
    return { payment_url: paymentUrl(workings, started) }
  }
  return begin().catch((error: unknown) => {
    if (error instanceof StartGivenUp) return begin()
    throw error
  })
}

async function open(
  workings: Workings,
  shop: Shop,
  request: PaymentStartRequest,
  adapter: AnyPaymentAdapter,
  methodId: string,
): Promise<Opened> {
  const { world, store, pages } = workings
  const now = world.now()
  const attemptId = newAttemptId(shop.id, now, world.token(12))
  const amount = roundToCurrency(request.order.price_incl, request.order.currency)
  const opened = await store.openAttempt({
    shopId: shop.id,
    orderId: request.order.id,
    orderNumber: request.order.number,
    adapter: adapter.name,
    methodId,
    amount,
    currency: request.order.currency,
    mode: attemptMode(workings, shop, adapter),
    authorisedIsPaid: adapter.authorisedIsPaid ?? false,
    underpaidBy: toleranceOf(workings, shop, adapter, amount),
    ...(adapter.startsAtZero && { startsAtZero: true }),
    language: request.shop.language ?? '',
    redirectUrl: request.redirect_url,
    webhookUrl: request.webhook_url,
    hostsListed: shop.hosts.confirmed,
    now,
    attemptId,
    // Ordered by time, because it is used for look-ups.
    idempotencyKey: inOrder(now, world.token(16)),
    pageHash: pages.hashOf({ id: attemptId, openedAt: now }),
    expiresAt: now + hour,
    checkAt: adapter.find ? now + minute : now + hour,
  })
  const { outcome, attempt, payment, anomalies } = opened
  const about = { shop: shop.id, order: attempt.orderId, attempt: attempt.id }
  workings.world.log.info({ ...about, outcome }, 'payment attempt')
  warnOf(anomalies, about, workings.world.log)
  if (outcome === 'full') throw new Problem('TOO_MANY_ATTEMPTS')
  if (outcome === 'less') {
    const message = `${amount} ${request.order.currency} is asked for, and ${opened.received} was received`
    throw new Problem('PAID_LESS', { faults: [{ path: 'order.price_incl', message }] })
  }
  // In the background: the customer does not wait for the end of another attempt.
  if (outcome === 'paid' && attempt.id === attemptId) void cancelAttempts(workings, toCancel(payment))
  if (payment.statusVersion > payment.deliveredVersion) workings.wake()
  await noteHosts(workings, shop, request, payment)
  workings.pageIssued?.(attempt.pageHash)
  return opened
}

const paymentUrl = (workings: Workings, attempt: Attempt): string | undefined =>
  attempt.started?.how === 'page' ? pageUrl(workings, attempt) : attempt.started?.paymentUrl

/** An outcome after the deadline is still stored: only the answer to this call is late. */
async function startInTime(
  workings: Workings,
  opened: Opened,
  adapter: AnyPaymentAdapter,
  request: PaymentStartRequest,
): Promise<Attempt> {
  const deadline = new Deadline(workings.world, workings.deadlines.start)
  const { attempt, payment, outcome } = opened
  const start = workings.memory.starts.once(attempt.id, (failedHere) =>
    outcome === 'opened'
      ? callStart(workings, attempt, adapter, request, deadline)
      : resume(workings, attempt, adapter, request, deadline, failedHere),
  )
  // In the background: the customer does not wait for the end of another attempt.
  if (outcome === 'opened') void start.then(() => cancelAttempts(workings, toCancel(payment))).catch(() => {})
  return deadline.wait(start).then(
    (started) => {
      noteGoodStart(workings, attempt)
      return started
    },
    (error: unknown) => {
      noteFailedStart(workings, attempt, error)
      if (error instanceof DeadlinePassed) throw new Problem('PAYMENT_START_TIMEOUT', { cause: error })
      throw error
    },
  )
}

/** Continues a start whose outcome is unknown: it threw, took too long, or its process died. */
async function resume(
  workings: Workings,
  attempt: Attempt,
  adapter: AnyPaymentAdapter,
  request: PaymentStartRequest,
  deadline: Deadline,
  failedHere: boolean,
): Promise<Attempt> {
  const elsewhere = failedHere ? undefined : await waitForOther(workings, attempt)
  if (elsewhere) return elsewhere
  const age = workings.world.now() - attempt.openedAt
  if (adapter.idempotency && age <= adapter.idempotency.ttl) {
    return callStart(workings, attempt, adapter, request, deadline)
  }
  const found =
    adapter.find &&
    (await findStarted(workings, adapter, attempt, deadline).catch((error: unknown) => {
      throw startFailed(workings, aboutStart(attempt), error)
    }))
  if (found) return found
  // Never again with this key: the first call may still be running, and a second session would open.
  const detail = adapter.find ? 'start created nothing' : 'the outcome of start is unknown'
  await noteStatements(workings, attempt, [{ word: 'cancelled', detail }], 'start')
  if (!adapter.find) await openAnomaly(workings, attempt, { kind: 'start_unknown', event: '' })
  throw new StartGivenUp(detail)
}

/** Another process may be starting the same attempt, or this one did a moment ago: its outcome is this call's outcome too. */
async function waitForOther(workings: Workings, attempt: Attempt): Promise<Attempt | undefined> {
  const { world, store, deadlines } = workings
  for (;;) {
    // Also once its time is over: it may have started since this call read it.
    const now = await store.attempt(attempt.shopId, attempt.id)
    if (now?.started) return now
    if (world.now() >= attempt.openedAt + deadlines.start) return undefined
    await new Promise<void>((resolve) => world.after(lookEvery, resolve))
  }
}

const keyOf = ({ adapter, shopId }: Attempt) => ({ kind: 'start', adapter, shopId }) as const

/** A call of POST /payment is answered. Costs a look-up, and no write. */
function noteGoodStart({ memory, world }: Workings, attempt: Attempt): void {
  memory.serviceFailures.succeeded(keyOf(attempt), world.now())
}

/**
 * A call of POST /payment ends without an answer of the payment service: it is counted, and kept with its attempt, for people. No caller waits
 * for that. A failure of the store is none of the service.
 */
function noteFailedStart(workings: Workings, attempt: Attempt, error: unknown): void {
  const { memory, store, world } = workings
  const why = whyOf(error)
  if (why === undefined) return
  const at = world.now()
  memory.serviceFailures.failed(keyOf(attempt), why, at)
  store
    .noteAsked(attempt.shopId, attempt.id, { at, answer: `start failed: ${why}` })
    .catch((fault: unknown) => {
      world.log.warn({ shop: attempt.shopId, err: fault }, 'the store did not note how a start ended')
    })
}

function whyOf(error: unknown): string | undefined {
  if (error instanceof DeadlinePassed) return reasonOf(error)
  if (!hasCode(error, 'PAYMENT_START_FAILED') || error.cause instanceof StoreUnavailable) return undefined
  return reasonOf(error.cause)
}

// Members of an adapter that may be functions of a shop's settings.

/** Whether a payment of a shop through an adapter moves real money. Without an answer of the adapter no payment starts. */
export function attemptMode(workings: Workings, shop: Shop, adapter: AnyPaymentAdapter): PaymentMode {
  const { mode, developmentOnly } = adapter
  if (typeof mode !== 'function') return mode ?? (workings.development || developmentOnly ? 'test' : 'live')
  const isMode = (answer: unknown) => answer === 'test' || answer === 'live'
  return ofSettings(
    workings,
    shop,
    adapter,
    mode,
    isMode,
    'mode() of payment adapter "NAME" returns "test" or "live"',
  )
}

/** How much less still pays an order of this amount. One of more than half of it counts as none. */
export function toleranceOf(
  workings: Workings,
  shop: Shop,
  adapter: AnyPaymentAdapter,
  amount: Decimal,
): Decimal | undefined {
  const { underpaidBy, name } = adapter
  const expected =
    'underpaidBy() of payment adapter "NAME" returns an amount of 0 or more as text, such as "0.50"'
  const less: Decimal | undefined =
    typeof underpaidBy === 'function'
      ? ofSettings(workings, shop, adapter, underpaidBy, isTolerance, expected)
      : underpaidBy
  const about = { shop: shop.id, adapter: name, underpaidBy: less, amount }
  if (less !== undefined && !isTolerable(less, amount))
    workings.world.log.debug(about, 'underpaidBy is more than half of the order and lets nothing pass')
  return less
}

export const isTolerance = (value: unknown): value is Decimal =>
  typeof value === 'string' && readDecimal(value) !== undefined && decimal(value).gte(0)

function ofSettings<T>(
  workings: Workings,
  shop: Shop,
  adapter: AnyPaymentAdapter,
  read: (settings: unknown) => unknown,
  isRight: (answer: unknown) => boolean,
  expected: string,
): T {
  try {
    const answer = read(settingsOf(workings, shop).of(adapter))
    if (isRight(answer)) return answer as T
    throw wrongAnswer(expected.replace('NAME', adapter.name))
  } catch (cause) {
    throw startFailed(workings, { shop: shop.id, adapter: adapter.name }, cause)
  }
}
