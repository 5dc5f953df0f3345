import { type Big, decimal, roundToCurrency } from '../../money/index.ts'
import { nextCheck } from '../../queue/schedule.ts'
import { type Anomaly, type AnomalyKind, anomalyAt, type OpenedAnomaly } from './anomalies.ts'
import { type Attempt, type Fact, isMoney, newestAttempt, type Payment } from './payment.ts'
import {
  agrees,
  hasReceived,
  isEnded,
  netOf,
  required,
  returned,
  settledBy,
  type Totals,
  totalsOf,
} from './status.ts'

// Anomalies of money have levels: so much is overpaid, so much was charged back. An event that raises a level opens an
// anomaly, and the rise is its stake. So the stakes add up to the figures of the ledger, in whatever order reports come.

export interface Level {
  kind: Anomaly['kind']
  /** Not set where it is of the whole payment: its anomalies are about the attempt of the event. */
  attemptId: string | undefined
  currency: string
  /** Levels of the same name are compared. */
  name: string
  amount: Big
  expected: Big
  received: Big
}

const zero = decimal(0)
const atLeastZero = (amount: Big): Big => (amount.gt(0) ? amount : zero)

/** The levels that are above nothing. */
export function levelsOf(payment: Payment): Level[] {
  const newest = newestAttempt(payment)
  if (!newest || !payment.attempts.some(({ facts }) => facts.length > 0)) return []
  const levels = payment.attempts.flatMap((attempt) => levelsOfAttempt(payment, attempt, newest))
  return [...levels, ...partsOf(payment, newest)].filter(({ amount }) => amount.gt(0))
}

function levelsOfAttempt(payment: Payment, attempt: Attempt, newest: Attempt): Level[] {
  if (attempt.facts.length === 0) return []
  const [own, ...others] = totalsOf(attempt)
  const owed = decimal(newest.amount)
  const settled = settledBy(attempt, own)
  const level = (kind: Level['kind'], amount: Big, of: Totals = own): Level => ({
    kind,
    attemptId: attempt.id,
    currency: of.currency,
    name: `${kind} ${attempt.id} ${of.currency} ${of.mode}`,
    amount,
    // In another currency or mode nothing is owed.
    expected: of === own && agrees(attempt, newest) ? owed : zero,
    received: of.received,
  })
  const foreign = (of: Totals, mode: boolean) =>
    level(mode ? 'paid_other_mode' : 'paid_other_currency', settledBy(attempt, of), of)

  return [
    ...[own, ...others].map((of) => level('charged_back', of.chargedBack, of)),
    ...others.map((of) => foreign(of, of.mode !== attempt.mode)),
    ...standing(),
  ]

  /** The levels of money in the attempt's own currency and mode. */
  function standing(): Level[] {
    if (payment.paidBy === undefined) {
      return agrees(attempt, newest) ? [] : [foreign(own, attempt.mode !== newest.mode)]
    }
    if (payment.paidBy !== attempt.id) return [level('double_paid', settled)]
    const lacks = () => own.received.lt(required(attempt, newest.amount))
    return [
      level('overpaid', atLeastZero(own.received.minus(owed))),
      level('paid_but_returned', returned(own).gt(0) ? missingWhenPaid(attempt, newest) : zero),
      level('authorisation_lost', isEnded(attempt) && lacks() ? owed.minus(own.received) : zero),
    ]
  }
}

/** The part of the amount that had gone back when the order became paid, by the times of the payment service where it gives them. */
function missingWhenPaid(attempt: Attempt, newest: Attempt): Big {
  const timeOf = ({ happenedAt, at }: Fact) => happenedAt ?? at
  const facts = attempt.facts.filter(isMoney).sort((one, other) => timeOf(one) - timeOf(other))
  for (let count = 1; count <= facts.length; count++) {
    const [then] = totalsOf({ ...attempt, facts: facts.slice(0, count) })
    const settled = settledBy(attempt, then)
    if ([attempt, newest].some(({ amount }) => settled.lt(required(attempt, amount)))) continue
    const net = netOf({ ...then, received: settled })
    return net.lt(required(attempt, newest.amount)) ? decimal(newest.amount).minus(net) : zero
  }
  return zero
}

/** Parts of the amount on several attempts, none of which settles the order. */
function partsOf(payment: Payment, newest: Attempt): Level[] {
  if (payment.paidBy !== undefined || payment.attempts.length < 2) return []
  const parts = payment.attempts
    .filter((attempt) => agrees(attempt, newest))
    .map((attempt) => totalsOf(attempt)[0].received)
    .filter((received) => received.gt(0))
  if (parts.length < 2) return []
  const amount = parts.reduce((sum, received) => sum.plus(received), zero)
  const [expected, name] = [decimal(newest.amount), 'paid_in_parts'] as const
  const { currency } = newest
  return [{ kind: name, attemptId: undefined, currency, name, amount, expected, received: amount }]
}

/** The anomalies that an event of an attempt opens by raising levels. */
export function risesOf(
  before: readonly Level[],
  after: readonly Level[],
  { event, attemptId, answerBy }: { event: string; attemptId: string; answerBy?: number | undefined },
): Anomaly[] {
  return after.flatMap((level) => {
    const earlier = before.find(({ name }) => name === level.name)?.amount ?? zero
    if (level.amount.lte(earlier)) return []
    const about = { ...level, attemptId: level.attemptId ?? attemptId }
    return [{ ...anomalyAt(about, event, level.amount.minus(earlier)), answerBy }]
  })
}

/** Money that went back and had not come, and that was won and had not been taken, by currency and mode. */
const tooMuchOf = (attempt: Attempt) =>
  totalsOf(attempt)
    .flatMap((of) => [
      { kind: 'over_refunded' as const, of, amount: returned(of).minus(of.received) },
      { kind: 'over_won' as const, of, amount: of.wonTooMuch },
    ])
    .filter(({ amount }) => amount.gt(0))

// Attempts and anomalies become due here while nothing is reported.

const hour = 3_600_000
const day = 24 * hour

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
const shortKinds: readonly AnomalyKind[] = ['underpaid', 'paid_other_currency', 'paid_other_mode']
export const isShort = (kind: AnomalyKind): boolean => shortKinds.includes(kind)

/** Whether a person has settled the money of an attempt; `anomalies` are those of its order, closed ones included. */
export function isSettled(payment: Payment, { id }: Attempt, anomalies: readonly OpenedAnomaly[]): boolean {
  const own = anomalies.filter(({ attemptId, kind }) => attemptId === id && isShort(kind))
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
