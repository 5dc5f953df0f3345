import type { PaymentStatus } from '../contract/index.ts'
import { type Decimal, decimal, sameMoney } from '../money/index.ts'
import type { AnomalyKind } from './anomaly-kinds.ts'
import type { Fact, PaymentMode } from './facts.ts'

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
  mode: PaymentMode
  facts: readonly Pick<Fact, 'kind' | 'amount' | 'currency' | 'mode' | 'at'>[]
}

/**
 * The status of a payment from the facts of all its attempts, oldest attempt first (spec 3.1). Any order and any repetition of an attempt's
 * facts give the same answer.
 *
 * A `paid` fact counts when its amount, currency and mode are those of its own attempt and of the newest one, so that an order of 100
 * cannot be settled through an open page of 10. Once one counts the payment is `paid` for good. Otherwise a live attempt makes it
 * `pending`; otherwise the end of the newest attempt counts.
 */
export function derive(attempts: readonly AttemptFacts[]): Derived {
  const newest = attempts.at(-1)
  const anomalies: Anomaly[] = []
  let paid = 0
  let live = false

  for (const attempt of attempts) {
    const open = (kind: AnomalyKind) => anomalies.push({ kind, attemptId: attempt.id })
    const has = (kind: Fact['kind']) => attempt.facts.some((fact) => fact.kind === kind)
    const payments = attempt.facts.filter((fact) => fact.kind === 'paid')
    const counting = payments.filter((fact) => settles(fact, attempt) && newest && settles(fact, newest))
    const ended = attempt.facts.filter(({ kind }) => kind === 'cancelled' || kind === 'expired')

    if (counting.length > 0) {
      paid++
      if (paid > 1) open('double_paid')
      const since = Math.min(...counting.map(({ at }) => at))
      if (ended.some(({ at }) => at < since)) open('late_paid')
    }
    for (const fact of payments) {
      if (!counting.includes(fact)) open(whyNot(fact, attempt))
    }
    if (has('reversed')) open('reversed')
    if (has('unknown')) open('unknown_status')
    if (ended.length === 0) live = true
  }

  if (paid > 0) return { status: 'paid', anomalies }
  if (live || !newest) return { status: 'pending', anomalies }
  return {
    status: newest.facts.some((fact) => fact.kind === 'cancelled') ? 'cancelled' : 'expired',
    anomalies,
  }
}

type Paid = Pick<Fact, 'amount' | 'currency' | 'mode'>
type Owed = Pick<AttemptFacts, 'amount' | 'currency' | 'mode'>

const settles = (fact: Paid, owed: Owed) =>
  fact.amount !== undefined &&
  fact.currency !== undefined &&
  sameMoney({ amount: fact.amount, currency: fact.currency }, owed) &&
  inMode(fact, owed)

const inMode = (fact: Paid, owed: Owed) => fact.mode === undefined || fact.mode === owed.mode

function whyNot(fact: Paid, owed: Owed): AnomalyKind {
  if (!inMode(fact, owed)) return 'paid_other_mode'
  const part = fact.currency === owed.currency && decimal(fact.amount ?? 0).lt(owed.amount)
  return part ? 'underpaid' : 'paid_other_amount'
}

/**
 * Whether a change of status owes the platform a webhook: every change does except a new attempt, which the platform knows. `cancelled`
 * after `expired` counts too: otherwise the platform would keep the older status forever.
 */
export const owesWebhook = (from: PaymentStatus, to: PaymentStatus): boolean =>
  from !== to && to !== 'pending'
