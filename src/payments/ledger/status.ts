import type { PaymentStatus } from '../../contract/index.ts'
import type { Big } from '../../money/index.ts'
import type { ContentSeal } from '../../shops/seal.ts'
import { type Attempt, type Fact, isMoney, newestAttempt, type Payment } from './payment.ts'
import { required, type Totals, totalsOf } from './totals.ts'

/** The most that an adapter may keep with an attempt, in bytes of JSON. */
export const mostData = 4_096

const rowOf = (id: string) => `attempt ${id}` as const

/** `undefined` without data. */
export const sealData = (contents: ContentSeal, id: string, data: unknown): string | undefined =>
  data === undefined ? undefined : contents.close(data, rowOf(id))

/** Throws a `StoreUnavailable` for data of another store or attempt. */
export const openData = (contents: ContentSeal, { id, started }: Attempt): unknown =>
  started?.sealedData === undefined ? undefined : contents.open(started.sealedData, rowOf(id))

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

/** The money that counts towards an order: received, and with `authorisedIsPaid` also authorised. */
export const settledBy = ({ authorisedIsPaid }: Attempt, { received, authorised }: Totals): Big =>
  authorisedIsPaid && authorised.gt(received) ? authorised : received

/** Whether money of the attempt is money for what the newest one owes. */
export const agrees = (attempt: Attempt, newest: Attempt): boolean =>
  attempt.currency.toLowerCase() === newest.currency.toLowerCase() && attempt.mode === newest.mode

/**
 * Whether an attempt settles the order: it received at least its own amount and that of the newest one, gross and but for its tolerance,
 * in the currency and mode of both. So nobody settles an order of 100 through a page of 10 that was left open.
 */
function settles(attempt: Attempt, newest: Attempt): boolean {
  if (!agrees(attempt, newest) || !attempt.facts.some(isMoney)) return false
  const [own] = totalsOf(attempt)
  const settled = settledBy(attempt, own)
  // An order of 0 is paid once the payment service says so.
  const said = attempt.facts.some(
    ({ kind, conflicts }) =>
      conflicts === undefined && (kind === 'paid' || (kind === 'authorised' && attempt.authorisedIsPaid)),
  )
  return said && [attempt, newest].every(({ amount }) => settled.gte(required(attempt, amount)))
}

/**
 * The status of a payment (spec 3.1), and the attempt that paid it. Once an attempt settles the order it is `paid` for good. Otherwise
 * an attempt that goes on makes it `pending`, otherwise the newest one says how it ended.
 */
export function derive(payment: Pick<Payment, 'paidBy' | 'attempts'>): {
  status: PaymentStatus
  paidBy: string | undefined
} {
  const { attempts } = payment
  const newest = attempts.at(-1)
  const paidBy = payment.paidBy ?? (newest && attempts.find((attempt) => settles(attempt, newest))?.id)
  if (paidBy !== undefined) return { status: 'paid', paidBy }
  if (!newest || attempts.some((attempt) => !isEnded(attempt))) return { status: 'pending', paidBy }
  return { status: isCancelled(newest) ? 'cancelled' : 'expired', paidBy }
}

/** An attempt that our clock ended has expired, also once it is cancelled at its payment service for that. */
function isCancelled({ facts }: Attempt): boolean {
  const isOfClock = facts.some(({ kind, source }) => kind === 'expired' && source === 'expiry')
  return facts.some(
    ({ kind, source }) => (kind === 'cancelled' || kind === 'failed') && !(isOfClock && source === 'cancel'),
  )
}

/** Whose ledger is the payment's: that of the attempt that paid it, otherwise of the newest one. */
export const countingAttempt = (payment: Payment): Attempt | undefined =>
  payment.attempts.find(({ id }) => id === payment.paidBy) ?? newestAttempt(payment)

/**
 * Whether a change of status owes the platform a webhook: every change does except a new attempt, which the platform knows. `cancelled`
 * after `expired` counts too: otherwise the platform would keep the older status forever.
 */
export const owesWebhook = (from: PaymentStatus, to: PaymentStatus): boolean =>
  from !== to && to !== 'pending'
