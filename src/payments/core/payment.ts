import type { Attempt as StoredAttempt, Payment as StoredPayment } from '../payment.ts'
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
 * Whether the attempt failed, was cancelled or has expired. Money may still come. An end of our own clock is none once the payment
 * service says that it works on it: nobody hears that it has expired then.
 */
export function isEnded(attempt: Attempt): boolean {
  const ends = endsOf(attempt)
  if (ends.length === 0) return false
  const { lastWord } = attempt
  return lastWord?.is !== 'working' || ends.some((end) => !isOfClock(end) || end.at >= lastWord.at)
}

/**
 * Whether the page of an attempt may still take money: it goes on, no newer attempt has taken its place, and the order is not
 * paid, by whichever attempt.
 */
export const takesMoney = (payment: Payment, attempt: Attempt): boolean =>
  payment.status !== 'paid' && newestOf(payment)?.id === attempt.id && !isEnded(attempt)

/**
 * The attempts to cancel at their payment service: those that a newer one has taken the place of, that our clock has ended, or whose
 * order another one paid. Not those of which the service itself reported the end.
 */
export function toCancel(payment: Payment): Attempt[] {
  const newest = newestOf(payment)
  const keeps = payment.status === 'paid' ? payment.paidBy : newest?.id
  return payment.attempts.filter((attempt) => {
    const ends = endsOf(attempt)
    const endedByClock = isEnded(attempt) && ends.every(isOfClock)
    return attempt.started !== undefined && (endedByClock || (attempt.id !== keeps && ends.length === 0))
  })
}
