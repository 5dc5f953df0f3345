import { hasCode } from '../../errors.ts'
import type { Attempt } from '../../payments/payment.ts'
import { StoreUnavailable } from '../../store.ts'
import { DeadlinePassed } from '../deadline.ts'
import { reasonOf } from '../rates/error-words.ts'
import type { Workings } from '../workings.ts'

const keyOf = ({ adapter, shopId }: Attempt) => ({ kind: 'start', adapter, shopId }) as const

/** A call of POST /payment is answered. Costs a look-up, and no write. */
export function noteGoodStart({ memory, world }: Workings, attempt: Attempt): void {
  memory.serviceFailures.succeeded(keyOf(attempt), world.now())
}

/**
 * A call of POST /payment ends without an answer of the payment service: it is counted, and kept with its attempt, for people. No caller waits
 * for that. A failure of the store is none of the service.
 */
export function noteFailedStart(workings: Workings, attempt: Attempt, error: unknown): void {
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
