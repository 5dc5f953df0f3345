import type { Fact } from './facts.ts'
import type { ContentSeal } from './page-tokens.ts'
import { type Attempt, newestAttempt, type Payment } from './payment.ts'
import { totalsOf } from './totals.ts'

/** The most that an adapter may keep with an attempt, in bytes of JSON. */
export const mostData = 4_096

const rowOf = (id: string) => `attempt ${id}` as const

/** `undefined` without data. */
export const sealData = (contents: ContentSeal, id: string, data: unknown): string | undefined =>
  data === undefined ? undefined : contents.close(JSON.stringify(data), rowOf(id))

/** Throws a `StoreUnavailable` for data of another store or attempt. */
export const openData = (contents: ContentSeal, { id, started }: Attempt): unknown =>
  started?.sealedData === undefined ? undefined : JSON.parse(contents.open(started.sealedData, rowOf(id)))

/** The facts that ended the attempt. */
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
  payment.status !== 'paid' && newestAttempt(payment)?.id === attempt.id && !isEnded(attempt)

/**
 * The attempts to cancel at their payment service: those that a newer one has taken the place of, whose order another one paid, or that
 * our clock has ended. Not those of which the service itself reported the end, and none that has received money.
 */
export function toCancel(payment: Payment): Attempt[] {
  const keeps = payment.paidBy ?? newestAttempt(payment)?.id
  return payment.attempts.filter((attempt) => {
    const isOver = attempt.id !== keeps || isEnded(attempt)
    return isOver && attempt.started && endsOf(attempt).every(isOfClock) && !hasReceived(attempt)
  })
}
