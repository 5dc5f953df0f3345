import type { PaymentStatus } from '../contract/index.ts'
import { sameMoney } from '../money/index.ts'
import { onFirstHost } from '../shops/hosts.ts'
import { type Fact, factKey } from './facts.ts'
import { type Attempt, newestAttempt, type Payment } from './payment.ts'
import { type Anomaly, derive, owesWebhook } from './status.ts'

// The ledger's two moves are pure: a store loads a payment, makes a move, and writes the changes in one commit.

/** A POST /payment. Random values and times are chosen beforehand, so that the move stays pure. */
export interface OpenAttempt extends Omit<Attempt, 'id' | 'started' | 'openedAt' | 'facts' | 'asked'> {
  redirectUrl: string
  webhookUrl: string
  /** Whether both hosts are on the shop's closed list. Otherwise the hosts of the order's first call stay. */
  hostsListed?: boolean
  now: number
  /** Used if a new attempt is needed. */
  attemptId: string
  /** The time of its first check. */
  checkAt: number
}

export interface Opened {
  /**
   * `opened`: a new attempt. `repeated`: the live attempt of the same amount and method. `paid`: nothing left to pay. `full`: the order has
   * the most attempts allowed, and nothing changed.
   */
  outcome: 'opened' | 'repeated' | 'paid' | 'full'
  payment: Payment
  /** The new attempt with `opened`, otherwise the newest. */
  attempt: Attempt
  /** Anomalies that this call opens. */
  anomalies: Anomaly[]
}

/** The most attempts of one order. Each one makes every read of the payment larger. */
const mostAttempts = 100

/** Applies a POST /payment: repeats a live attempt, opens a new one, or finds the payment paid or full. */
export function openAttempt(payment: Payment | undefined, open: OpenAttempt): Opened {
  const current: Payment = payment
    ? { ...payment, ...addressesOf(payment, open) }
    : {
        shopId: open.shopId,
        orderId: open.orderId,
        status: 'pending',
        statusVersion: 0,
        deliveredVersion: 0,
        readVersion: 0,
        readAt: undefined,
        openedAt: open.now,
        changedAt: open.now,
        redirectUrl: open.redirectUrl,
        webhookUrl: open.webhookUrl,
        attempts: [],
      }
  const newest = newestAttempt(current)
  if (newest && current.status === 'paid') {
    const anomalies = sameMoney(newest, open)
      ? []
      : [{ kind: 'amount_changed_after_paid' as const, attemptId: newest.id }]
    return { outcome: 'paid', payment: current, attempt: newest, anomalies }
  }
  if (newest && isRepeat(newest, open)) {
    return { outcome: 'repeated', payment: current, attempt: newest, anomalies: [] }
  }
  if (payment && newest && current.attempts.length >= mostAttempts) {
    return { outcome: 'full', payment, attempt: newest, anomalies: [] }
  }

  const { redirectUrl, webhookUrl, hostsListed, now, attemptId, checkAt, ...given } = open
  const attempt: Attempt = {
    ...given,
    id: attemptId,
    started: undefined,
    openedAt: now,
    facts: [],
    asked: undefined,
  }
  const opened = rederive({ ...current, attempts: [...current.attempts, attempt] }, now)
  // The amount paid in an older attempt may be exactly the amount that is owed again.
  const outcome = opened.payment.status === 'paid' ? 'paid' : 'opened'
  return { outcome, payment: opened.payment, attempt, anomalies: newAnomalies(current, opened.anomalies) }
}

/** Anyone who knows the endpoint can repeat a call, so it must not send the customer and the webhook to another host. */
function addressesOf(
  payment: Payment,
  { redirectUrl, webhookUrl, hostsListed }: OpenAttempt,
): Pick<Payment, 'redirectUrl' | 'webhookUrl'> {
  if (hostsListed) return { redirectUrl, webhookUrl }
  return {
    redirectUrl: onFirstHost(payment.redirectUrl, redirectUrl),
    webhookUrl: onFirstHost(payment.webhookUrl, webhookUrl),
  }
}

function isRepeat(attempt: Attempt, open: OpenAttempt): boolean {
  const { urlExpiresAt } = attempt.started ?? {}
  return (
    isLive(attempt) &&
    sameMoney(attempt, open) &&
    attempt.adapter === open.adapter &&
    attempt.methodId === open.methodId &&
    (urlExpiresAt === undefined || urlExpiresAt > open.now)
  )
}

/** Whether the attempt was cancelled or has expired. Money may still come. */
export const isEnded = (attempt: Attempt): boolean =>
  attempt.facts.some(({ kind }) => kind === 'cancelled' || kind === 'expired')

export const isLive = (attempt: Attempt): boolean =>
  !isEnded(attempt) && !attempt.facts.some(({ kind }) => kind === 'paid')

export interface Learned {
  payment: Payment
  /** The facts that were new. */
  added: Fact[]
  from: PaymentStatus
  /** Anomalies that these facts open. */
  anomalies: Anomaly[]
}

/** Adds facts to an attempt and derives the status anew. Known facts change nothing. */
export function learn(payment: Payment, attemptId: string, facts: readonly Fact[], now: number): Learned {
  const attempt = payment.attempts.find(({ id }) => id === attemptId)
  const known = new Set(attempt?.facts.map(factKey))
  const added = attempt ? facts.filter((fact) => !known.has(factKey(fact)) && known.add(factKey(fact))) : []
  if (added.length === 0) return { payment, added, from: payment.status, anomalies: [] }

  const after = rederive(
    changeAttempt(payment, attemptId, (one) => ({ ...one, facts: [...one.facts, ...added] })),
    now,
  )
  return {
    payment: after.payment,
    added,
    from: payment.status,
    anomalies: newAnomalies(payment, after.anomalies),
  }
}

function newAnomalies(before: Payment, anomalies: Anomaly[]): Anomaly[] {
  const known = derive(before.attempts).anomalies.map(anomalyKey)
  return anomalies.filter((anomaly) => !known.includes(anomalyKey(anomaly)))
}

const anomalyKey = ({ kind, attemptId }: Anomaly) => `${kind} ${attemptId}`

function rederive(payment: Payment, now: number): { payment: Payment; anomalies: Anomaly[] } {
  const { status, anomalies } = derive(payment.attempts)
  const statusVersion = payment.statusVersion + (owesWebhook(payment.status, status) ? 1 : 0)
  const changedAt = status === payment.status ? payment.changedAt : now
  return { payment: { ...payment, status, statusVersion, changedAt }, anomalies }
}

const changeAttempt = (
  payment: Payment,
  attemptId: string,
  change: (attempt: Attempt) => Attempt,
): Payment => ({
  ...payment,
  attempts: payment.attempts.map((attempt) => (attempt.id === attemptId ? change(attempt) : attempt)),
})
