import type { PaymentStatus } from '../../contract/index.ts'
import { decimal } from '../../money/index.ts'
import { type Anomaly, anomalyAt, isSame } from './anomalies.ts'
import { dueAnomalies, levelsOf, risesOf } from './levels.ts'
import {
  type Attempt,
  type Fact,
  type FactSource,
  factKey,
  factOf,
  type LastWord,
  newestAttempt,
  newFact,
  type Payment,
} from './payment.ts'
import type { Statement } from './report.ts'
import { endsOf, settle, settledBy, totalsOf, versioned } from './status.ts'

// The moves of a payment, pure: a store loads a payment, makes a move, and writes what changed in one commit.

export interface Learned {
  payment: Payment
  added: Fact[]
  /** Whether anything is to be written: without a new fact it may still expire later, or wait for another reason. */
  changed: boolean
  from: PaymentStatus
  /** Anomalies that these facts open. */
  anomalies: Anomaly[]
  /** Those of disputes that these facts end, each with the event that does. */
  ended: (Pick<Anomaly, 'kind' | 'attemptId' | 'event'> & { by: string })[]
}

/** Notes what was said of an attempt and derives the status anew. A known report changes nothing. */
export function learn(
  payment: Payment,
  attemptId: string,
  statements: readonly Statement[],
  { source, now }: { source: FactSource; now: number },
): Learned {
  const from = payment.status
  const added: Fact[] = []
  const anomalies: Anomaly[] = []
  const ended: Learned['ended'] = []
  let current = payment
  let levels = levelsOf(payment)
  const hadEnded = payment.attempts.some((attempt) => attempt.id === attemptId && endsOf(attempt).length > 0)
  for (const statement of statements) {
    const attempt = current.attempts.find(({ id }) => id === attemptId)
    if (!attempt) break
    const fact = newFact(attempt.facts, factOf(statement, source, now), attempt.mode)
    const waited = waitOf(attempt, statement, now)
    if (!fact && waited === attempt) continue
    const facts = fact ? [...attempt.facts, fact] : attempt.facts
    const before = current
    current = settle(withAttempt(current, { ...waited, facts }))
    if (!fact) continue
    added.push(fact)
    const after = levelsOf(current)
    const event = factKey(fact)
    const moments = momentsOf({ before, after: current, attempt, hadEnded }, fact)
    anomalies.push(...risesOf(levels, after, { event, attemptId, answerBy: fact.answerBy }), ...moments)
    ended.push(...endedBy(fact, attempt))
    levels = after
  }
  if (current === payment) return { payment, added, changed: false, from, anomalies, ended }
  const due = dueAnomalies(payment, now)
  const overdue = dueAnomalies(current, now).filter((one) => !due.some((other) => isSame(one, other)))
  return {
    payment: versioned(current, payment, now),
    added,
    changed: true,
    from,
    anomalies: [...anomalies.filter((one) => !ended.some((end) => isSame(one, end))), ...overdue],
    ended,
  }
}

const endsDispute = ({ kind, conflicts }: Fact): boolean =>
  (kind === 'charged_back' || kind === 'chargeback_won') && !conflicts

/** The dispute that a fact ends, if it was open: it is lost or won. */
function endedBy(fact: Fact, { id: attemptId, facts }: Attempt): Learned['ended'] {
  const disputed = facts.find(({ kind, event }) => kind === 'disputed' && event === fact.event)
  if (!disputed || !endsDispute(fact)) return []
  return [{ kind: 'disputed', attemptId, event: factKey(disputed), by: factKey(fact) }]
}

const withAttempt = (payment: Payment, changed: Attempt): Payment => ({
  ...payment,
  attempts: payment.attempts.map((attempt) => (attempt.id === changed.id ? changed : attempt)),
})

/** How long the attempt waits and for whom, as its payment service said last. */
function waitOf(attempt: Attempt, statement: Statement, now: number): Attempt {
  const { word, happenedAt, expiresAt = 0, beside } = statement
  // The clock of a payment service may be ahead: what it says next would come too early to count.
  const at = Math.min(happenedAt ?? now, now)
  const is = beside ? undefined : waits[word]
  const { lastWord } = attempt
  const later = is !== undefined && isLater({ is, at }, lastWord, happenedAt !== undefined)
  if (!later && expiresAt <= attempt.expiresAt) return attempt
  return {
    ...attempt,
    lastWord: later ? { is, at } : lastWord,
    expiresAt: Math.max(attempt.expiresAt, expiresAt),
  }
}

/** The same word again changes nothing, unless the payment service gives it a later time. Of one moment, `working` is the last word. */
function isLater(word: LastWord, last: LastWord | undefined, isDated: boolean): boolean {
  if (!last) return true
  if (word.is === last.is) return isDated && word.at > last.at
  return word.at > last.at || (word.at === last.at && word.is === 'working')
}

const waits: Partial<Record<Statement['word'], LastWord['is']>> = {
  open: 'open',
  pending: 'working',
  authorised: 'working',
  unknown: 'working',
}

interface Moment {
  before: Payment
  after: Payment
  attempt: Attempt
  /** Whether an end was known before this report: the shop may hold it. */
  hadEnded: boolean
}

/** Anomalies of the moment: they depend on what was known before. */
function momentsOf({ before, after, attempt, hadEnded }: Moment, fact: Fact): Anomaly[] {
  const newest = newestAttempt(after)!
  const paying = after.attempts.find(({ id }) => id === after.paidBy)
  const [totals] = totalsOf(after.attempts.find(({ id }) => id === attempt.id)!)
  const open = (kind: Anomaly['kind'], stake = totals.received) => {
    const { currency } = attempt
    const level = { kind, attemptId: attempt.id, currency, expected: decimal(newest.amount) }
    return anomalyAt({ ...level, received: totals.received }, factKey(fact), stake)
  }
  const anomalies: Anomaly[] = []
  if (fact.conflicts) anomalies.push(conflictOf(attempt, fact))
  if (fact.kind === 'unknown') {
    anomalies.push({ kind: 'unknown_status', attemptId: attempt.id, event: factKey(fact) })
  }
  const hasEnded = () => attempt.facts.some((one) => endsDispute(one) && one.event === fact.event)
  if (fact.kind === 'disputed' && !fact.conflicts && !hasEnded()) {
    const { amount, currency, answerBy } = fact
    anomalies.push({ ...open('disputed'), stake: amount, currency, answerBy })
  }
  if (before.paidBy !== undefined || paying?.id !== attempt.id) return anomalies
  const settled = settledBy(paying, totals)
  if (hadEnded) anomalies.push(open('late_paid', settled))
  return anomalies
}

/** The amount of the event that stands is expected, the other one was received. */
function conflictOf(attempt: Attempt, fact: Fact): Anomaly {
  const first = attempt.facts.find(
    ({ kind, event, conflicts }) => kind === fact.kind && event === fact.event && !conflicts,
  )
  return {
    kind: 'event_changed',
    attemptId: attempt.id,
    event: factKey(fact),
    expected: first?.amount,
    received: fact.amount,
    stake: fact.amount,
    currency: fact.currency,
  }
}
