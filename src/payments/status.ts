import type { PaymentStatus } from '../contract/index.ts'
import { type Decimal, sameMoney } from '../money/index.ts'
import type { Fact } from './facts.ts'

/** What contradicts itself and needs a person. */
export type AnomalyKind =
  | 'paid_other_amount'
  | 'underpaid'
  | 'double_paid'
  | 'late_paid'
  | 'reversed'
  | 'unknown_status'

export interface Anomaly {
  kind: AnomalyKind
  attemptId: string
}

export interface Derived {
  status: PaymentStatus
  anomalies: Anomaly[]
}

interface AttemptFacts {
  id: string
  amount: Decimal
  currency: string
  facts: readonly Pick<Fact, 'kind' | 'amount' | 'currency'>[]
}

/**
 * The status of a payment from the facts of all its attempts, oldest attempt first (spec 3.1). Any order and any repetition
 * of an attempt's facts give the same answer.
 *
 * A `paid` fact counts when its amount and currency are those of its own attempt and of the newest one, so that nobody
 * settles an order of 100 through a page of 10 that was left open. Once one counts the payment is `paid` for good. Otherwise
 * a live attempt makes it `pending`, otherwise the newest attempt says how it ended.
 */
export function derive(attempts: readonly AttemptFacts[]): Derived {
  const newest = attempts.at(-1)
  const anomalies: Anomaly[] = []
  let paid = 0
  let live = false

  for (const attempt of attempts) {
    const tell = (kind: AnomalyKind) => anomalies.push({ kind, attemptId: attempt.id })
    const has = (kind: Fact['kind']) => attempt.facts.some((fact) => fact.kind === kind)
    const payments = attempt.facts.filter((fact) => fact.kind === 'paid')
    const counts = payments.some((fact) => settles(fact, attempt) && newest && settles(fact, newest))

    if (counts) {
      paid++
      if (paid > 1) tell('double_paid')
      if (has('cancelled') || has('expired')) tell('late_paid')
    }
    for (const fact of payments) {
      if (settles(fact, attempt) && newest && settles(fact, newest)) continue
      tell(isPart(fact, attempt) ? 'underpaid' : 'paid_other_amount')
    }
    if (has('reversed')) tell('reversed')
    if (has('unknown')) tell('unknown_status')
    if (!has('cancelled') && !has('expired')) live = true
  }

  if (paid > 0) return { status: 'paid', anomalies }
  if (live || !newest) return { status: 'pending', anomalies }
  return {
    status: newest.facts.some((fact) => fact.kind === 'cancelled') ? 'cancelled' : 'expired',
    anomalies,
  }
}

type Amount = Pick<Fact, 'amount' | 'currency'>

const settles = (fact: Amount, owed: { amount: Decimal; currency: string }) =>
  fact.amount !== undefined &&
  fact.currency !== undefined &&
  sameMoney({ amount: fact.amount, currency: fact.currency }, owed)

const isPart = (fact: Amount, owed: { amount: Decimal; currency: string }) =>
  fact.currency === owed.currency && Number(fact.amount) < Number(owed.amount)

/** Whether a change of status owes the platform a call: leaving `pending` does, and so does a late `paid`. */
export const owesNotification = (from: PaymentStatus, to: PaymentStatus): boolean =>
  from !== to && (from === 'pending' || to === 'paid')
