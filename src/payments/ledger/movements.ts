import { type Big, type Decimal, decimal, roundToCurrency } from '../../money/index.ts'
import { type Attempt, type Fact, factKey, isMoney } from './payment.ts'
import type { MoneyWord, PaymentMode } from './report.ts'
import { type Counted, netOf, required, type Totals, totalsOf } from './status.ts'

const zero = decimal(0)

/** The amounts of a ledger, as decimal text with the digits of their currency. */
export interface LedgerAmounts {
  currency: string
  mode: PaymentMode
  received: Decimal
  refunded: Decimal
  chargedBack: Decimal
  chargebackWon: Decimal
  /** The remaining money: received, less refunded and charged back, plus won. */
  net: Decimal
}

/** The money of an attempt in its own currency and mode, as decimal text with the digits of the currency. */
export interface Ledger extends LedgerAmounts {
  /** The missing part of the attempt's amount, where the adapter's `underpaidBy` lets it pass. Otherwise 0. */
  underpaid: Decimal
  /** Money that came in another currency or mode. It counts as nothing. */
  others: LedgerAmounts[]
}

export function ledgerOf(attempt: Counted): Ledger {
  const { amount = '0' } = attempt
  const [own, ...others] = totalsOf(attempt)
  const passes = own.received.lt(amount) && own.received.gte(required(attempt, amount))
  const underpaid = roundToCurrency(passes ? decimal(amount).minus(own.received) : zero, own.currency)
  return { ...amountsOf(own), underpaid, others: others.map(amountsOf) }
}

/** The money of all attempts of an order together, in the currency and mode of one of them. */
export function sumOf(attempts: readonly Counted[], one: Counted): LedgerAmounts {
  const [own] = totalsOf(one)
  const sum = { ...own }
  for (const totals of attempts.filter((other) => other !== one).flatMap(totalsOf)) {
    if (totals.currency !== own.currency || totals.mode !== own.mode) continue
    for (const name of ['received', 'refunded', 'chargedBack', 'chargebackWon'] as const)
      sum[name] = sum[name].plus(totals[name])
  }
  return amountsOf(sum)
}

function amountsOf(totals: Totals): LedgerAmounts {
  const { currency, mode, received, refunded, chargedBack, chargebackWon } = totals
  const text = (amount: Big) => roundToCurrency(amount, currency)
  return {
    currency,
    mode,
    received: text(received),
    refunded: text(refunded),
    chargedBack: text(chargedBack),
    chargebackWon: text(chargebackWon),
    net: text(netOf(totals)),
  }
}

/** One line of the books: what a fact added to a figure of the ledger. */
export interface Movement {
  /** Identifies the line in its attempt: `refunded #re_1`, or `paid =48.40 eur` for a total. */
  key: string
  kind: Exclude<MoneyWord, 'authorised' | 'disputed'>
  /** The payment service's own id. */
  event: string | undefined
  /**
   * The change of the figure: a total adds what is beyond the movements on record, a movement what is beyond a total. More than 0, except
   * where a later report says that less of a chargeback was won.
   */
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
  const known: Fact[] = []
  return attempt.facts.filter(isMoney).flatMap((fact) => {
    const mode = fact.mode ?? attempt.mode
    const before = totalsLike(attempt, known, fact, mode)
    known.push(fact)
    const after = totalsLike(attempt, known, fact, mode)!
    return figuresOf[fact.kind as MoneyWord].flatMap((figure) => {
      const change = after[figure].minus(before?.[figure] ?? 0)
      return change.eq(0) ? [] : [lineOf(fact, figure, mode, change)]
    })
  })
}

type Figure = 'received' | 'refunded' | 'chargedBack' | 'chargebackWon'

/** The figures that a fact may change: what a dispute took limits what was won of it. */
const figuresOf: Record<MoneyWord, readonly Figure[]> = {
  authorised: [],
  paid: ['received'],
  refunded: ['refunded'],
  refund_failed: ['refunded'],
  disputed: ['chargebackWon'],
  charged_back: ['chargedBack', 'chargebackWon'],
  chargeback_won: ['chargebackWon'],
}

/** The totals in the currency and mode of a fact. */
const totalsLike = (attempt: Counted, facts: readonly Fact[], { currency }: Fact, mode: PaymentMode) =>
  totalsOf({ ...attempt, facts }).find((totals) => totals.currency === currency && totals.mode === mode)

/** Refunds fall where one of them fails, or turns out smaller than its failure said. */
function kindOf(figure: Figure, change: Big): Movement['kind'] {
  if (figure === 'received') return 'paid'
  if (figure === 'refunded') return change.gt(0) ? 'refunded' : 'refund_failed'
  return figure === 'chargedBack' ? 'charged_back' : 'chargeback_won'
}

function lineOf(fact: Fact & { currency: string }, figure: Figure, mode: PaymentMode, change: Big): Movement {
  const kind = kindOf(figure, change)
  const isOwn = figuresOf[fact.kind as MoneyWord][0] === figure && fact.kind !== 'disputed'
  return {
    key: isOwn ? factKey(fact) : `${kind} by ${factKey(fact)}`,
    kind,
    event: fact.event,
    amount: roundToCurrency(kind === 'refund_failed' ? change.abs() : change, fact.currency),
    currency: fact.currency,
    mode,
    at: fact.at,
    happenedAt: fact.happenedAt,
  }
}

/** The kind of a request to a payment service about money. */
export type MoneyRequestKind = 'refund' | 'capture'

/**
 * A refund or a capture that the provider asks a payment service for. It is on disk with its key before the service is called, so that a
 * repeat after a crash moves no money twice.
 */
export interface MoneyRequest {
  /** The idempotency key that the payment service gets. */
  key: string
  kind: MoneyRequestKind
  shopId: string
  orderId: string
  attemptId: string
  amount: Decimal
  currency: string
  /** Milliseconds since 1970. */
  askedAt: number
  /** `undefined` while it is unknown: the call is under way, failed, or its process died. */
  outcome: 'done' | 'refused' | undefined
  /** Why the payment service refused; of one that is done, the amount that it reported where that is not `amount`. */
  detail: string | undefined
  /** The reason of the person who asked for it. */
  why: string | undefined
}

/** How much an attempt has left to refund or to capture, beside the requests whose outcome is unknown. */
export function moneyLeft(attempt: Attempt, kind: MoneyRequestKind, open: readonly MoneyRequest[]): Big {
  const [own] = totalsOf(attempt)
  const left = kind === 'refund' ? netOf(own) : own.authorised.minus(own.received)
  const asked = open.filter((one) => one.kind === kind && one.attemptId === attempt.id)
  return asked.reduce((sum, { amount }) => sum.minus(decimal(amount)), left)
}
