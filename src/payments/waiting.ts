import { decimal, roundToCurrency } from '../money/index.ts'
import type { Anomaly } from './anomalies.ts'
import { hasReceived, isEnded } from './attempt-end.ts'
import { isMoney } from './facts.ts'
import { anomalyAt, tooMuchOf } from './levels.ts'
import { type Attempt, newestAttempt, type Payment } from './payment.ts'
import { nextCheck } from './schedule.ts'
import { agrees } from './status.ts'
import { totalsOf } from './totals.ts'

// Attempts and anomalies become due here while nothing is reported.

const hour = 3_600_000
const day = 24 * hour

/** How long a payment service may call a payment pending before a person looks at it, in milliseconds. */
export const maxPending = 30 * day

/** Reports come in any order: a refund may be known for so long before the money that it returns, and a win before its chargeback. */
const awaitMoneyFor = hour

/**
 * Whether our clock ends the attempt (spec 3.1 expired), once its payment service was asked. It never does once money has come, nor while
 * the service last said that it works on it or holds an authorisation.
 */
export const mayExpire = (attempt: Attempt, now: number): boolean =>
  now >= attempt.expiresAt && !isEnded(attempt) && attempt.lastWord?.is !== 'working' && !hasReceived(attempt)

/** The anomalies that time alone opens. The same ones come at every later moment: each is opened once. */
export function dueAnomalies(payment: Payment, now: number): Anomaly[] {
  const newest = newestAttempt(payment)
  if (!newest) return []
  return payment.attempts.flatMap((attempt) => [
    ...underpaid(payment, attempt, newest, now),
    ...tooMuch(attempt, newest, now),
    ...pendingTooLong(payment, attempt, now),
  ])
}

function underpaid(payment: Payment, attempt: Attempt, newest: Attempt, now: number): Anomaly[] {
  // While the service holds an authorisation, what it captures comes in parts.
  const isOver = isEnded(attempt) || (now >= attempt.expiresAt && attempt.lastWord?.is !== 'working')
  if (payment.paidBy !== undefined || !isOver || !agrees(attempt, newest)) return []
  const [{ received, currency }] = totalsOf(attempt)
  if (received.eq(0)) return []
  const level = { kind: 'underpaid' as const, attemptId: attempt.id, currency, received }
  const event = `received ${roundToCurrency(received, currency)} ${currency}`
  return [anomalyAt({ ...level, expected: decimal(newest.amount) }, event, received)]
}

function tooMuch(attempt: Attempt, newest: Attempt, now: number): Anomaly[] {
  if (now < lastMoneyAt(attempt) + awaitMoneyFor) return []
  return tooMuchOf(attempt).map(({ kind, of: { currency, mode, received, chargebackWon }, amount }) => {
    const level = { kind, attemptId: attempt.id, currency, received }
    const [word, counted] = kind === 'over_won' ? ['won', chargebackWon] : ['returned', received]
    const event = `${word} ${roundToCurrency(amount.plus(counted), currency)} ${currency} ${mode}`
    return anomalyAt({ ...level, expected: decimal(newest.amount) }, event, amount)
  })
}

const lastMoneyAt = (attempt: Attempt): number =>
  attempt.facts.filter(isMoney).reduce((last, { at }) => Math.max(last, at), 0)

const isWorkedOn = (payment: Payment, attempt: Attempt): boolean =>
  payment.paidBy === undefined && !isEnded(attempt) && attempt.lastWord?.is === 'working'

function pendingTooLong(payment: Payment, attempt: Attempt, now: number): Anomaly[] {
  if (!isWorkedOn(payment, attempt) || now < attempt.openedAt + maxPending) return []
  const { id: attemptId, currency } = attempt
  const amount = decimal(attempt.amount)
  const level = { kind: 'pending_too_long' as const, attemptId, currency, expected: amount }
  return [anomalyAt({ ...level, received: totalsOf(attempt)[0].received }, 'pending', amount)]
}

/** Whether no more money is expected of an attempt: the order is paid, and the attempt received its amount. More may be reported. */
export const isOver = (payment: Payment, attempt: Attempt): boolean =>
  payment.status === 'paid' && totalsOf(attempt)[0].received.gte(attempt.amount)

/** When it is certain that more went back than came, or was won than was taken. `undefined`: no more was. */
export const moneyLook = (attempt: Attempt): number | undefined =>
  tooMuchOf(attempt).length > 0 ? lastMoneyAt(attempt) + awaitMoneyFor : undefined

/**
 * When an attempt is checked next: by the schedule if its payment service can be asked, otherwise at its expiry. It is also checked when an
 * anomaly becomes due, and daily while its payment service works on it. `undefined` once nothing is left to wait for.
 */
export function nextLook(payment: Payment, attempt: Attempt, now: number, asks = true): number | undefined {
  const worked = isWorkedOn(payment, attempt)
  const watched = !isOver(payment, attempt)
  const looks = [
    watched ? (asks ? nextCheck(attempt, now) : attempt.expiresAt) : undefined,
    worked ? attempt.openedAt + maxPending : undefined,
    worked ? now + day : undefined,
    moneyLook(attempt),
  ]
  const due = looks.filter((look) => look !== undefined && look > now) as number[]
  return due.length > 0 ? Math.min(...due) : undefined
}
