import { Deadline, DeadlinePassed } from '../adapters/call-adapter.ts'
import { reasonOf } from '../adapters/cause-of.ts'
import type { AnyPaymentAdapter } from '../any-adapter.ts'
import { type PaymentStartRequest, Problem } from '../contract/index.ts'
import { hasCode } from '../errors/errors.ts'
import { roundToCurrency } from '../money/index.ts'
import type { Shop } from '../shops/shop.ts'
import { StoreUnavailable } from '../store.ts'
import { callStart, findStarted, type StartCall, type Starting, startFailed } from './call-start.ts'
import { adapterOf } from './called-adapter.ts'
import { attemptMode, checkHosts, chosenMethod, noteHosts, toleranceOf } from './check-start.ts'
import { cancelAttempts, learnOf, openAnomaly, warnOf } from './learn-payment.ts'
import type { Opened } from './ledger/open.ts'
import { type Attempt, aboutAttempt, inOrder, newAttemptId } from './ledger/payment.ts'
import { toCancel } from './ledger/status.ts'
import { noteAnswer } from './read-status.ts'

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
export async function startPayment(workings: Starting, shop: Shop, request: PaymentStartRequest) {
  const { payments, addresses, world } = workings
  const chosen = chosenMethod(payments.adapters, request.payment_method)
  const adapter = chosen && adapterOf(workings, chosen)
  if (!adapter) throw new Problem('METHOD_UNKNOWN')
  checkHosts(workings, shop, request)

  const begin = async () => {
    const opened = await open(workings, shop, request, adapter, chosen.methodId)
    const { outcome, attempt } = opened
    if (outcome === 'paid') return { payment_url: addresses.returnOf(attempt) }
    const deadline = new Deadline(world, payments.deadlines.start)
    const call = { attempt, adapter, request, deadline }
    const { started } = attempt.started ? attempt : await startInTime(workings, opened, call)
    return { payment_url: started?.how === 'page' ? addresses.pageOf(attempt) : started?.paymentUrl }
  }
  return begin().catch((error: unknown) => {
    if (error instanceof StartGivenUp) return begin()
    throw error
  })
}

async function open(
  workings: Starting,
  shop: Shop,
  request: PaymentStartRequest,
  adapter: AnyPaymentAdapter,
  methodId: string,
): Promise<Opened> {
  const { world, store, addresses } = workings
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
    pageHash: addresses.pages.hashOf({ id: attemptId, openedAt: now }),
    expiresAt: now + hour,
    checkAt: adapter.find ? now + minute : now + hour,
  })
  const { outcome, attempt, payment, anomalies } = opened
  const about = aboutAttempt(attempt)
  world.log.info({ ...about, outcome }, 'payment attempt')
  warnOf(anomalies, about, world.log)
  if (outcome === 'full') throw new Problem('TOO_MANY_ATTEMPTS')
  if (outcome === 'less') {
    const message = `asks for ${amount} ${request.order.currency}, but ${opened.received} was received`
    throw new Problem('PAID_LESS', { faults: [{ path: 'order.price_incl', message }] })
  }
  // In the background: the customer does not wait for the end of another attempt.
  if (outcome === 'paid' && attempt.id === attemptId) void cancelAttempts(workings, toCancel(payment))
  if (payment.statusVersion > payment.deliveredVersion) workings.wake()
  await noteHosts(workings, shop, request, payment)
  addresses.issued(attempt.pageHash)
  return opened
}

/** An outcome after the deadline is still stored: only the answer to this call is late. */
async function startInTime(workings: Starting, { outcome, payment }: Opened, call: StartCall) {
  const { world, payments } = workings
  const { attempt, deadline } = call
  const { id, adapter, shopId } = attempt
  const { starts, failures } = payments.memory
  const start = starts.once(id, (failedHere) =>
    outcome === 'opened' ? callStart(workings, call) : resume(workings, call, failedHere),
  )
  // In the background: the customer does not wait for the end of another attempt.
  if (outcome === 'opened') void start.then(() => cancelAttempts(workings, toCancel(payment))).catch(() => {})
  const account = { kind: 'start', adapter, shopId } as const
  return deadline.wait(start).then(
    (started) => {
      failures.succeeded(account, world.now())
      return started
    },
    (error: unknown) => {
      const why = whyFailed(error)
      if (why !== undefined) {
        // Counted, and kept with its attempt, for people. No caller waits for that.
        failures.failed(account, why, world.now())
        noteAnswer(workings, attempt, `start failed: ${why}`)
      }
      if (error instanceof DeadlinePassed) throw new Problem('PAYMENT_START_TIMEOUT', { cause: error })
      throw error
    },
  )
}

/** Why a start ended without an answer of the payment service. A failure of the store is none of the service. */
function whyFailed(error: unknown): string | undefined {
  if (error instanceof DeadlinePassed) return reasonOf(error)
  if (!hasCode(error, 'PAYMENT_START_FAILED') || error.cause instanceof StoreUnavailable) return undefined
  return reasonOf(error.cause)
}

/** Continues a start whose outcome is unknown: it threw, took too long, or its process died. */
async function resume(workings: Starting, call: StartCall, failedHere: boolean): Promise<Attempt> {
  const { attempt, adapter, deadline } = call
  const elsewhere = failedHere ? undefined : await waitForOther(workings, attempt)
  if (elsewhere) return elsewhere
  const age = workings.world.now() - attempt.openedAt
  if (adapter.idempotency && age <= adapter.idempotency.ttl) {
    return callStart(workings, call)
  }
  const found = await findStarted(workings, adapter, attempt, deadline).catch((error: unknown) => {
    throw startFailed(workings, { adapter: adapter.name, ...aboutAttempt(attempt) }, error)
  })
  if (found) return found
  // Never again with this key: the first call may still be running, and a second session would open.
  const detail = adapter.find ? 'start created nothing' : 'the outcome of start is unknown'
  await learnOf(workings, attempt, [{ word: 'cancelled', detail }], 'start')
  if (!adapter.find) await openAnomaly(workings, attempt, { kind: 'start_unknown', event: '' })
  throw new StartGivenUp(detail)
}

/** Another process may be starting the same attempt, or this one did a moment ago: its outcome is this call's outcome too. */
async function waitForOther({ world, store, payments }: Starting, { shopId, id, openedAt }: Attempt) {
  for (;;) {
    // Also once its time is over: it may have started since this call read it.
    const now = await store.attempt(shopId, id)
    if (now?.started) return now
    if (world.now() >= openedAt + payments.deadlines.start) return undefined
    await new Promise<void>((resolve) => world.after(lookEvery, resolve))
  }
}
