import type { PaymentStatus } from '../contract/index.ts'
import { type Decimal, sameMoney } from '../money/index.ts'
import { type Fact, factKey } from './facts.ts'
import { type Attempt, type AttemptStart, newestAttempt, type Payment } from './payment.ts'
import { type Anomaly, derive, owesNotification } from './status.ts'

// The ledger's three moves, pure: a store loads a payment, makes a move, and writes what changed in one commit.

/** A POST /payment, with all that is random or timed chosen beforehand so that the move stays pure. */
export interface OpenAttempt {
  shopId: string
  orderId: string
  orderNumber: string | undefined
  adapter: string
  methodId: string
  amount: Decimal
  currency: string
  language: string
  redirectUrl: string
  webhookUrl: string
  now: number
  /** For the attempt, should a new one be needed. */
  attemptId: string
  idempotencyKey: string
  pageToken: string
  expiresAt: number
}

export interface Opened {
  /** `opened`: a new attempt. `repeated`: the live attempt of the same amount and method. `paid`: nothing left to pay. */
  outcome: 'opened' | 'repeated' | 'paid'
  payment: Payment
  attempt: Attempt
}

/** What a POST /payment does to a payment (design 5): repeats a live attempt, opens a new one, or finds it paid. */
export function openAttempt(payment: Payment | undefined, open: OpenAttempt): Opened {
  const current: Payment = payment
    ? { ...payment, redirectUrl: open.redirectUrl, webhookUrl: open.webhookUrl }
    : {
        shopId: open.shopId,
        orderId: open.orderId,
        status: 'pending',
        statusVersion: 0,
        notifiedVersion: 0,
        redirectUrl: open.redirectUrl,
        webhookUrl: open.webhookUrl,
        attempts: [],
      }
  const newest = newestAttempt(current)
  if (newest && current.status === 'paid') return { outcome: 'paid', payment: current, attempt: newest }
  if (newest && isRepeat(newest, open)) return { outcome: 'repeated', payment: current, attempt: newest }

  const attempt: Attempt = {
    id: open.attemptId,
    shopId: open.shopId,
    orderId: open.orderId,
    orderNumber: open.orderNumber,
    adapter: open.adapter,
    methodId: open.methodId,
    amount: open.amount,
    currency: open.currency,
    language: open.language,
    idempotencyKey: open.idempotencyKey,
    pageToken: open.pageToken,
    started: undefined,
    openedAt: open.now,
    expiresAt: open.expiresAt,
    facts: [],
  }
  const opened = rederive({ ...current, attempts: [...current.attempts, attempt] })
  return { outcome: 'opened', payment: opened.payment, attempt }
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

export const isLive = (attempt: Attempt): boolean =>
  !attempt.facts.some(({ kind }) => kind === 'cancelled' || kind === 'expired' || kind === 'paid')

/** Notes how an attempt goes on. The first start that is noted stays: two that raced get the same answer. */
export function noteStart(
  payment: Payment,
  attemptId: string,
  started: AttemptStart,
  expiresAt: number,
): Payment {
  return changeAttempt(payment, attemptId, (attempt) =>
    attempt.started ? attempt : { ...attempt, started, expiresAt },
  )
}

export interface Learned {
  payment: Payment
  /** The facts that were new. */
  added: Fact[]
  from: PaymentStatus
  /** What contradicts itself since these facts. */
  anomalies: Anomaly[]
}

/** Adds facts to an attempt and derives the status anew. Facts that are known already change nothing. */
export function learn(payment: Payment, attemptId: string, facts: readonly Fact[]): Learned {
  const attempt = payment.attempts.find(({ id }) => id === attemptId)
  const known = new Set(attempt?.facts.map(factKey))
  const added = attempt ? facts.filter((fact) => !known.has(factKey(fact)) && known.add(factKey(fact))) : []
  if (added.length === 0) return { payment, added, from: payment.status, anomalies: [] }

  const before = derive(payment.attempts).anomalies.map(anomalyKey)
  const after = rederive(
    changeAttempt(payment, attemptId, (one) => ({ ...one, facts: [...one.facts, ...added] })),
  )
  return {
    payment: after.payment,
    added,
    from: payment.status,
    anomalies: after.anomalies.filter((anomaly) => !before.includes(anomalyKey(anomaly))),
  }
}

const anomalyKey = ({ kind, attemptId }: Anomaly) => `${kind} ${attemptId}`

function rederive(payment: Payment): { payment: Payment; anomalies: Anomaly[] } {
  const { status, anomalies } = derive(payment.attempts)
  const statusVersion = payment.statusVersion + (owesNotification(payment.status, status) ? 1 : 0)
  return { payment: { ...payment, status, statusVersion }, anomalies }
}

const changeAttempt = (
  payment: Payment,
  attemptId: string,
  change: (attempt: Attempt) => Attempt,
): Payment => ({
  ...payment,
  attempts: payment.attempts.map((attempt) => (attempt.id === attemptId ? change(attempt) : attempt)),
})
