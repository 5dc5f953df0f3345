import { type Big, decimal, roundToCurrency } from '../money/index.ts'
import { type Fact, factKey, isMoney } from './facts.ts'
import type { MoneyWord, PaymentMode } from './report.ts'
import { type Counted, type Totals, totalsOf } from './totals.ts'

/** One line of the books: what a fact added to a figure of the ledger. */
export interface Movement {
  /** Identifies the line in its attempt: `refunded #re_1`, or `paid =48.40 eur` for a total. */
  key: string
  kind: Exclude<MoneyWord, 'authorised'>
  /** The payment service's own id. */
  event: string | undefined
  /** More than 0: what a total adds to the movements that are on record already, or a movement to a total. */
  amount: string
  currency: string
  mode: PaymentMode
  /** When it was learned, and when it happened by the payment service, in milliseconds since 1970. */
  at: number
  happenedAt: number | undefined
}

/**
 * The movements of an attempt in the order in which they were learned. They add up to its ledger: received, refunded less
 * `refund_failed`, charged back and won. A later fact adds lines and never changes one that is there.
 */
export function movementsOf(attempt: Counted): Movement[] {
  const facts = attempt.facts.filter(isMoney).filter(({ kind }) => kind !== 'authorised')
  const known: Fact[] = []
  return facts.flatMap((fact) => {
    const mode = fact.mode ?? attempt.mode
    const before = figureOf(attempt, known, fact, mode)
    known.push(fact)
    const change = figureOf(attempt, known, fact, mode).minus(before)
    return change.eq(0) ? [] : [lineOf(fact, mode, change)]
  })
}

type Kind = Movement['kind']

const figures = {
  paid: 'received',
  refunded: 'refunded',
  refund_failed: 'refunded',
  charged_back: 'chargedBack',
  chargeback_won: 'chargebackWon',
} as const satisfies Record<Kind, keyof Totals>

/** The figure that a fact is about. */
function figureOf(
  attempt: Counted,
  facts: readonly Fact[],
  { kind, currency }: Fact,
  mode: PaymentMode,
): Big {
  const all = totalsOf({ ...attempt, facts })
  const of = all.find((totals) => totals.currency === currency && totals.mode === mode)
  return of?.[figures[kind as Kind]] ?? decimal(0)
}

/** Refunds alone fall: where one of them fails, or turns out smaller than its failure said. */
function kindOf({ kind }: Fact, change: Big): Kind {
  if (figures[kind as Kind] !== 'refunded') return kind as Kind
  return change.gt(0) ? 'refunded' : 'refund_failed'
}

const lineOf = (fact: Fact & { currency: string }, mode: PaymentMode, change: Big): Movement => ({
  key: factKey(fact),
  kind: kindOf(fact, change),
  event: fact.event,
  amount: roundToCurrency(change.abs(), fact.currency),
  currency: fact.currency,
  mode,
  at: fact.at,
  happenedAt: fact.happenedAt,
})
