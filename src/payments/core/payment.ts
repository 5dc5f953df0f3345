import type { Attempt as StoredAttempt, Payment as StoredPayment } from '../payment.ts'
import { totalsOf } from '../totals.ts'
import type { Fact } from './facts.ts'

/** What one shop's order owes. Its key is shop and order id, its status is derived from the facts of its attempts. */
export interface Payment extends Omit<StoredPayment, 'attempts'> {
  /** The attempt whose money made it paid. Set once, and never changed. */
  paidBy: string | undefined
  /** Oldest first. */
  attempts: Attempt[]
}

/** One POST /payment with its amount, currency, method and addresses. */
export interface Attempt extends Omit<StoredAttempt, 'facts'> {
  /** As its adapter declared when it was opened: an authorisation counts as money. */
  authorisedIsPaid: boolean
  /** What its payment service said last of an attempt that goes on, and when. */
  lastWord: LastWord | undefined
  facts: Fact[]
}

export interface LastWord {
  /** `open`: the customer has not finished. `working`: the payment service is at it, or holds an authorisation. */
  is: 'open' | 'working'
  /** Milliseconds since 1970, by the payment service where it says so. */
  at: number
}

export const newestOf = (payment: Payment): Attempt | undefined => payment.attempts.at(-1)

/** What was learned of the attempt's end. */
export const endsOf = ({ facts }: Attempt): Fact[] =>
  facts.filter(({ kind }) => kind === 'failed' || kind === 'cancelled' || kind === 'expired')

const isOfClock = ({ source }: Fact): boolean => source === 'expiry'

/**
 * Whether the attempt failed, was cancelled or has expired. Money may still come. An end of our own clock counts no more once the payment
 * service works on the payment: the shop reads `pending` then.
 */
export const isEnded = (attempt: Attempt): boolean => {
  const ends = endsOf(attempt)
  return attempt.lastWord?.is === 'working' ? !ends.every(isOfClock) : ends.length > 0
}

export const hasReceived = (attempt: Attempt): boolean =>
  totalsOf(attempt).some(({ received }) => received.gt(0))

/**
 * Whether the page of an attempt may still take money: it goes on, no newer attempt has taken its place, and the order is not
 * paid, by whichever attempt.
 */
export const takesMoney = (payment: Payment, attempt: Attempt): boolean =>
  payment.status !== 'paid' && newestOf(payment)?.id === attempt.id && !isEnded(attempt)

/**
 * The attempts to cancel at their payment service: those that a newer one has taken the place of, whose order another one paid, or that
 * our clock has ended. Not those of which the service itself reported the end, and none that has received money.
 */
export function toCancel(payment: Payment): Attempt[] {
  const keeps = payment.paidBy ?? newestOf(payment)?.id
  return payment.attempts.filter((attempt) => {
    const isOver = attempt.id !== keeps || isEnded(attempt)
    return isOver && attempt.started && endsOf(attempt).every(isOfClock) && !hasReceived(attempt)
  })
}
