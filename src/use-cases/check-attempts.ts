import { isEnded } from '../payments/ledger.ts'
import type { Attempt } from '../payments/payment.ts'
import { nextCheck } from '../payments/schedule.ts'
import { findStarted } from './call-start.ts'
import { Deadline } from './deadline.ts'
import { learnOf, tellAnomaly } from './learn-payment.ts'
import type { Provider } from './provider.ts'
import { adapterOf, askStatus, canBeAsked } from './read-status.ts'
import { ServiceCallsFull } from './service-calls.ts'

const minute = 60_000
const day = 24 * 60 * minute
const atOnce = 25

/**
 * Looks at the attempts that are due for it: asks their payment service, so that a push that never came heals itself, and ends
 * the ones that are past their expiry (spec 3.1 expired) once the payment service has had the last word.
 */
export async function checkAttempts(provider: Provider): Promise<void> {
  const { store, world } = provider
  for (;;) {
    const now = world.now()
    const due = await store.claimChecks({ now, leaseUntil: now + 5 * minute, limit: atOnce })
    await Promise.all(
      due.map((attempt) =>
        world.observer.job('check attempt', { shop: attempt.shopId, order: attempt.orderId }, () =>
          provider.serviceCalls
            .run('check', attempt.adapter, () => check(provider, attempt))
            .catch(leftToOthers),
        ),
      ),
    )
    if (due.length < atOnce) return
  }
}

/** A provider that stops leaves what it has not begun: its lease ends, and the next one takes it. */
function leftToOthers(error: unknown): void {
  if (!(error instanceof ServiceCallsFull)) throw error
}

async function check(provider: Provider, attempt: Attempt): Promise<void> {
  const { store, world } = provider
  const { log } = world
  const about = { shop: attempt.shopId, order: attempt.orderId, attempt: attempt.id }
  const over = world.now() >= attempt.expiresAt
  const asks = canBeAsked(provider, attempt)
  let next = asks ? nextCheck(attempt, world.now()) : over ? undefined : attempt.expiresAt
  try {
    const started = attempt.started ? attempt : await lookUpStart(provider, attempt)
    const report = started && (await askStatus(provider, started))
    if (report && report.status !== 'pending') {
      const { payment } = await learnOf(provider, attempt, report, 'status')
      if (report.status === 'paid' && payment.status === 'paid') next = undefined
    } else if (over && !isEnded(attempt)) await expire(provider, attempt)
  } catch (error) {
    log.warn({ ...about, err: error }, 'the payment service cannot be asked how an attempt stands')
    if (over && !isEnded(attempt)) {
      // Nobody knows whether it was paid: it stays pending, and is asked for again.
      next = world.now() + 5 * minute
      if (world.now() - attempt.expiresAt >= day) await tellAnomaly(provider, attempt, 'expiry_unconfirmed')
    }
  }
  await store.setCheck(attempt.shopId, attempt.id, next)
}

/** What the payment service made of a start whose outcome nobody noted. */
async function lookUpStart(provider: Provider, attempt: Attempt): Promise<Attempt | undefined> {
  const { world, deadlines } = provider
  const adapter = adapterOf(provider, attempt)
  return adapter && findStarted(provider, adapter, attempt, new Deadline(world, deadlines.start))
}

async function expire(provider: Provider, attempt: Attempt): Promise<void> {
  await learnOf(provider, attempt, { status: 'expired' }, 'expiry')
  // Whether a session is open at the payment service nobody knows.
  if (!attempt.started) await tellAnomaly(provider, attempt, 'start_unknown')
}
