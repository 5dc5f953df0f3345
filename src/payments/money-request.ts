import { type Big, type Decimal, decimal } from '../money/index.ts'
import type { Attempt } from './payment.ts'
import { netOf, totalsOf } from './totals.ts'

/** The kind of a request to a payment service about money. */
export type MoneyRequestKind = 'refund' | 'capture'

/**
 * A refund or a capture that the provider asks a payment service for. It is on disk with its key before the service is called, so that a
 * repeat after a crash moves no money twice.
 */
export interface MoneyRequest {
  /** The idempotency key that the payment service gets. */
  key: string
  kind: MoneyRequestKind
  shopId: string
  orderId: string
  attemptId: string
  amount: Decimal
  currency: string
  /** Milliseconds since 1970. */
  askedAt: number
  /** `undefined` while it is unknown: the call is under way, failed, or its process died. */
  outcome: 'done' | 'refused' | undefined
  /** Why the payment service refused; of one that is done, the amount that it reported where that is not `amount`. */
  detail: string | undefined
}

/** How much an attempt has left to refund or to capture, beside the requests whose outcome is unknown. */
export function moneyLeft(attempt: Attempt, kind: MoneyRequestKind, open: readonly MoneyRequest[]): Big {
  const [own] = totalsOf(attempt)
  const left = kind === 'refund' ? netOf(own) : own.authorised.minus(own.received)
  const asked = open.filter((one) => one.kind === kind && one.attemptId === attempt.id)
  return asked.reduce((sum, { amount }) => sum.minus(decimal(amount)), left)
}
