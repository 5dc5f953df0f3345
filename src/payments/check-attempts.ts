import type { Parts } from '../parts.ts'
import { Pool } from '../queue/pool.ts'
import type { Starting } from './call-start.ts'
import { adapterOf, canBeAsked, reload } from './called-adapter.ts'
import { cancelAttempts, learnOf, openAnomaly } from './learn-payment.ts'
import { dueAnomalies, isMoneyBack, isSettled, mayExpire, nextLook } from './ledger/levels.ts'
import { type Attempt, aboutAttempt, type Payment } from './ledger/payment.ts'
import { hasReceived, toCancel } from './ledger/status.ts'
import { isUnsure, openState } from './pages/page-state.ts'
import { askAgainAfter, asksSoFar, ServiceCallsFull } from './payment-memory.ts'
import { askStatus, lookUpStart } from './read-status.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** How long a process has an attempt for a check. If the process has died, another one takes the check over then. */
const lease = 5 * minute
/** Each is loaded with its payment. */
const perClaim = 25
/** The most open checks of an adapter when a claim begins: they may hang, and the checks of others must not wait. */
const perLane = 50

/**
 * Checks due attempts: reads their status at the payment service, so that a lost push does not matter, and ends expired ones (spec 3.1
 * expired) after a last check there. A payment service that hangs delays only its own attempts.
 */
export function attemptChecks(workings: Starting): Pool<Attempt> {
  const { store, world } = workings
  const pool: Pool<Attempt> = new Pool(world, {
    ...{ atOnce: Infinity, perClaim, perLane, lease },
    claim: ({ now, leaseUntil, limit }) =>
      store.claimChecks({ now, leaseUntil, limit, without: pool.fullLanes }),
    work: (attempt) => checkInTurn(workings, attempt),
    laneOf: ({ adapter }) => adapter,
  })
  return pool
}

/** A payment service has few checks at a time; the others wait for their turn. */
async function checkInTurn(workings: Starting, attempt: Attempt): Promise<void> {
  const { payments, world } = workings
  const { adapter, shopId: shop, orderId: order } = attempt
  try {
    await world.observer.job('check attempt', { shop, order }, () =>
      payments.memory.calls
        .run('check', adapter, () => check(workings, attempt))
        .catch((error: unknown) => {
          // A stopping provider leaves checks that have not begun: their lease ends, and another process claims them.
          if (!(error instanceof ServiceCallsFull)) throw error
        }),
    )
  } catch (error) {
    world.log.error({ shop, order, err: error }, 'an attempt could not be checked')
  }
}

async function check(workings: Starting, attempt: Attempt): Promise<void> {
  const { store, world } = workings
  const about = aboutAttempt(attempt)
  const asks = canBeAsked(workings, attempt)
  const wait = asks ? await waitToAsk(workings, attempt) : 0
  if (wait > 0) {
    if (mayExpire(attempt, world.now())) return confirmLater(workings, attempt)
    return store.setCheck(attempt.shopId, attempt.id, world.now() + wait)
  }
  let unanswered = false
  try {
    const looked = attempt.started ? { found: attempt } : await lookUpStart(workings, attempt, 'check')
    if ('error' in looked) throw looked.error
    const started = looked.found
    const said = started && (await askStatus(workings, started, 'check'))
    if (said) await learnOf(workings, attempt, said, 'status')
  } catch (error) {
    world.log.warn({ ...about, err: error }, 'the status of an attempt cannot be read at the payment service')
    unanswered = true
  }
  let found = await reload(workings, attempt)
  if (!found) return
  for (const anomaly of dueAnomalies(found.payment, world.now()))
    await openAnomaly(workings, found.attempt, anomaly)
  if (mayExpire(found.attempt, world.now(), await settles(workings, found.payment, found.attempt))) {
    // Without `status` nobody can say what became of a form that moved money or did not.
    if (unanswered || (!asks && isUnsure(openState(workings.contents, found.attempt))))
      return confirmLater(workings, found.attempt)
    await learnOf(workings, found.attempt, [{ word: 'expired' }], 'expiry')
    // It is unknown whether a session is open at the payment service.
    if (!found.attempt.started)
      await openAnomaly(workings, found.attempt, { kind: 'start_unknown', event: '' })
    found = (await reload(workings, attempt)) ?? found
  }
  await cancelAttempts(
    workings,
    toCancel(found.payment).filter(({ id }) => id === attempt.id),
  )
  await store.setCheck(attempt.shopId, attempt.id, nextLook(found.payment, found.attempt, world.now(), asks))
}

/** Whether money that came for an order and does not pay it no longer keeps the attempt: it is back, or a person has settled it. */
async function settles({ store }: Parts<'store'>, payment: Payment, attempt: Attempt): Promise<boolean> {
  if (isMoneyBack(payment, attempt) || !hasReceived(attempt)) return true
  const { shopId, orderId } = payment
  return isSettled(payment, attempt, await store.anomalies({ shopId, orderId, closed: true, limit: 1_000 }))
}

/** How long an attempt waits for its turn to be asked about, in milliseconds: its payment service asked for a pause, or has a limit. */
async function waitToAsk(workings: Parts<'store' | 'world' | 'payments'>, attempt: Attempt): Promise<number> {
  const { store, world, payments } = workings
  const { adapter, shopId: shop } = attempt
  const now = world.now()
  const pause = payments.memory.pauses.left({ adapter, shop }, now)
  if (pause > 0) return Math.round(pause * (1 + world.random() / 5))
  const perDay = adapterOf(workings, attempt)?.asksPerDay
  if (perDay === undefined) return 0
  const { hour, most } = asksSoFar(perDay, now)
  return (await store.countAsk(adapter, hour, most)) ? 0 : askAgainAfter(perDay, world.random())
}

/** It is unknown whether it was paid, so it stays pending and is checked again. */
async function confirmLater(workings: Parts<'store' | 'world'>, attempt: Attempt): Promise<void> {
  const { store, world } = workings
  const now = world.now()
  if (now - attempt.expiresAt >= day)
    await openAnomaly(workings, attempt, { kind: 'expiry_unconfirmed', event: '' })
  await store.setCheck(attempt.shopId, attempt.id, now + 5 * minute)
}
