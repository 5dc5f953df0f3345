import { type Big, decimal, roundToCurrency } from '../../money/index.ts'
import type { Anomaly } from './anomalies.ts'
import { type Attempt, type Fact, isMoney, newestAttempt, type Payment } from './payment.ts'
import { agrees, isEnded, settledBy } from './status.ts'
import { netOf, required, returned, type Totals, totalsOf } from './totals.ts'

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
    const isShort = () => own.received.lt(required(attempt, newest.amount))
    return [
      level('overpaid', atLeastZero(own.received.minus(owed))),
      level('paid_but_returned', returned(own).gt(0) ? missingWhenPaid(attempt, newest) : zero),
      level('authorisation_lost', isEnded(attempt) && isShort() ? owed.minus(own.received) : zero),
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

type About = Pick<Level, 'kind' | 'currency' | 'expected' | 'received'> & { attemptId: string }

export function anomalyAt(level: About, event: string, stake: Big): Anomaly {
  const { kind, attemptId, currency } = level
  const text = (amount: Big) => roundToCurrency(amount, currency)
  return {
    kind,
    attemptId,
    event,
    expected: text(level.expected),
    received: text(level.received),
    stake: text(stake),
    currency: currency.toLowerCase(),
  }
}

/** Money that went back and had not come, and that was won and had not been taken, by currency and mode. */
export const tooMuchOf = (
  attempt: Attempt,
): { kind: 'over_refunded' | 'over_won'; of: Totals; amount: Big }[] =>
  totalsOf(attempt)
    .flatMap((of) => [
      { kind: 'over_refunded' as const, of, amount: returned(of).minus(of.received) },
      { kind: 'over_won' as const, of, amount: of.wonTooMuch },
    ])
    .filter(({ amount }) => amount.gt(0))
