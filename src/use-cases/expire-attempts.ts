import type { Attempt } from '../payments/payment.ts'
import { learnOf } from './learn-payment.ts'
import type { Provider } from './provider.ts'
import { askStatus } from './read-status.ts'

const minute = 60_000

/**
 * Ends the attempts that are past their expiry (spec 3.1 expired). The payment service is asked once more first; where it
 * cannot be reached the attempt stays as it is and is looked at again after five minutes.
 */
export async function expireAttempts(provider: Provider): Promise<void> {
  const now = provider.world.now()
  const expired = await provider.store.claimExpired({ now, leaseUntil: now + 5 * minute, limit: 50 })
  await Promise.all(expired.map((attempt) => expire(provider, attempt)))
}

async function expire(provider: Provider, attempt: Attempt): Promise<void> {
  const { log } = provider.world
  try {
    const report = attempt.started ? await askStatus(provider, attempt, log) : undefined
    if (!report || report.status === 'pending')
      await learnOf(provider, attempt, { status: 'expired' }, 'expiry', log)
    // Money that is authorised, or not the amount that is owed, has not run out: that payment stays pending.
    else await learnOf(provider, attempt, report, 'status', log)
  } catch (error) {
    log.warn(
      { shop: attempt.shopId, order: attempt.orderId, err: error },
      'expiry waits: the payment cannot be asked for',
    )
  }
}
