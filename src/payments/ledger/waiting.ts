import { decimal, roundToCurrency } from '../../money/index.ts'
import { nextCheck } from '../../queue/schedule.ts'
import type { Anomaly, AnomalyKind, OpenedAnomaly } from './anomalies.ts'
import { anomalyAt, tooMuchOf } from './levels.ts'
import { type Attempt, isMoney, newestAttempt, type Payment } from './payment.ts'
import { agrees, hasReceived, isEnded } from './status.ts'
import { netOf, required, totalsOf } from './totals.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Those who read or reload cause one call of `status` for an attempt in so many milliseconds, however many they are. */
export const askEvery = 2 * second

/** How many calls of a day may have been made at a moment, and in which hour they are counted: a day's calls are spread evenly. */
export function asksSoFar(perDay: number, now: number): { hour: number; most: number } {
  const at = Math.floor(now / hour)
  const ofDay = at % 24
  const inHour = Math.floor((perDay * (ofDay + 1)) / 24) - Math.floor((perDay * ofDay) / 24)
  return { hour: at * hour, most: Math.ceil((inHour * (now % hour)) / hour) }
}

/** When an attempt is looked at again that could not be asked about, in milliseconds from now. `random` is from 0 to 1. */
export const askAgainAfter = (perDay: number, random: number): number =>
  Math.round(Math.max(15 * minute, day / perDay) * (1 + random))

/** Used for a 429 without `Retry-After`. */
const usualPause = minute
/** As of webhooks: a service that asks for longer is asked again after a day. */
const longestPause = day

/** The payment services that asked for a pause, by adapter and shop: an account is not asked before it is over. */
export class AskPauses {
  readonly #until = new Map<string, number>()

  /** A payment service answered 429. `retryAfter` is in milliseconds. */
  begin({ adapter, shop }: Account, now: number, retryAfter = usualPause): void {
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key)
    this.#until.set(`${adapter} ${shop}`, now + Math.min(retryAfter, longestPause))
  }

  /** The milliseconds until an account may be asked again; 0 at once. */
  left({ adapter, shop }: Account, now: number): number {
    return Math.max(0, (this.#until.get(`${adapter} ${shop}`) ?? now) - now)
  }
}

interface Account {
  adapter: string
  shop: string
}

// Attempts and anomalies become due here while nothing is reported.

/** How long a payment service may call a payment pending before a person looks at it, in milliseconds. */
export const maxPending = 30 * day

/** Reports come in any order: a refund may be known for so long before the money that it returns, and a win before its chargeback. */
const awaitMoneyFor = hour

const isTimeOver = ({ expiresAt, lastWord }: Attempt, now: number): boolean =>
  now >= expiresAt && lastWord?.is !== 'working'

/**
 * Whether our clock ends the attempt (spec 3.1 expired), once its payment service was asked. It never does once money has come and is not
 * `settled`, nor while the service last said that it works on it or holds an authorisation.
 */
export const mayExpire = (attempt: Attempt, now: number, settled = false): boolean =>
  isTimeOver(attempt, now) && !isEnded(attempt) && (settled || !hasReceived(attempt))

/** Whether all that came for an order that is not paid went back again. */
export const isMoneyBack = (payment: Payment, attempt: Attempt): boolean =>
  payment.paidBy === undefined &&
  hasReceived(attempt) &&
  totalsOf(attempt).every((totals) => netOf(totals).lte(0))

/** Anomalies of money that does not pay the order. Once a person has closed all that an attempt has, its money is settled. */
export const shortKinds = [
  'underpaid',
  'paid_other_currency',
  'paid_other_mode',
] as const satisfies AnomalyKind[]

/** Whether a person has settled the money of an attempt; `anomalies` are those of its order, closed ones included. */
export function isSettled(payment: Payment, { id }: Attempt, anomalies: readonly OpenedAnomaly[]): boolean {
  const own = anomalies.filter(
    ({ attemptId, kind }) => attemptId === id && shortKinds.some((one) => one === kind),
  )
  return payment.paidBy === undefined && own.length > 0 && own.every(({ closedAt }) => closedAt !== undefined)
}

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
  const isOver = isEnded(attempt) || isTimeOver(attempt, now)
  if (payment.paidBy !== undefined || !isOver || !agrees(attempt, newest)) return []
  const [totals] = totalsOf(attempt)
  const { received, currency } = totals
  if (received.eq(0) || netOf(totals).lte(0)) return []
  const level = { kind: 'underpaid' as const, attemptId: attempt.id, currency, received }
  // A refund that fails leaves money that was settled before.
  const failed = attempt.facts.filter(({ kind }) => kind === 'refund_failed').length
  const again = failed > 0 ? `, ${failed} failed refunds` : ''
  const event = `received ${roundToCurrency(received, currency)} ${currency}${again}`
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
  payment.status === 'paid' && totalsOf(attempt)[0].received.gte(required(attempt, attempt.amount))

/** When it is certain that more went back than came, or was won than was taken, and when an attempt ends whose money is back. */
export function moneyLook(payment: Payment, attempt: Attempt): number | undefined {
  if (tooMuchOf(attempt).length > 0) return lastMoneyAt(attempt) + awaitMoneyFor
  return !isEnded(attempt) && isMoneyBack(payment, attempt) ? attempt.expiresAt : undefined
}

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
    moneyLook(payment, attempt),
  ]
  const due = looks.filter((look) => look !== undefined && look > now) as number[]
  return due.length > 0 ? Math.min(...due) : undefined
}
