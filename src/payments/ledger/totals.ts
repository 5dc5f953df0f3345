import { type Big, type Decimal, decimal, roundToCurrency } from '../../money/index.ts'
import { type Fact, isMoney } from './payment.ts'
import type { MoneyWord, PaymentMode } from './report.ts'

/** The sums of an attempt's facts in one currency and mode. Gross: a refund makes `received` no smaller. */
export interface Totals {
  currency: string
  mode: PaymentMode
  authorised: Big
  received: Big
  /** Without refunds that failed. */
  refunded: Big
  chargedBack: Big
  /** At most what was charged back. */
  chargebackWon: Big
  /** The surplus that was reported as won. It counts as nothing. */
  wonTooMuch: Big
}

/** The part of an attempt from which totals are counted. */
export interface Counted {
  amount?: Decimal
  underpaidBy?: Decimal | undefined
  currency: string
  mode: PaymentMode
  facts: readonly Fact[]
}

const zero = decimal(0)

/** The totals of an attempt by currency and mode: those of its own first, also while they are nothing. */
export function totalsOf(attempt: Counted): [Totals, ...Totals[]] {
  const own = { currency: attempt.currency.toLowerCase(), mode: attempt.mode }
  const facts = attempt.facts.filter(isMoney)
  const byMoney = new Map<string, { currency: string; mode: PaymentMode; facts: typeof facts }>()
  for (const fact of facts) {
    const { currency, mode = own.mode } = fact
    const name = `${currency} ${mode}`
    const known = byMoney.get(name)
    if (known) known.facts.push(fact)
    else byMoney.set(name, { currency, mode, facts: [fact] })
  }
  const ownName = `${own.currency} ${own.mode}`
  const others = [...byMoney].filter(([name]) => name !== ownName).map(([, one]) => addUp(one))
  return [addUp(byMoney.get(ownName) ?? { ...own, facts: [] }), ...others.sort(byName)]
}

const byName = (one: Totals, other: Totals) =>
  `${one.currency} ${one.mode}` < `${other.currency} ${other.mode}` ? -1 : 1

type Money = Fact & { amount: Decimal }

function addUp({ currency, mode, facts }: { currency: string; mode: PaymentMode; facts: Money[] }): Totals {
  const of = (word: MoneyWord) => facts.filter(({ kind }) => kind === word)
  const chargebacks = of('charged_back')
  return {
    currency,
    mode,
    authorised: figure(of('authorised')),
    received: figure(of('paid')),
    refunded: refundedOf(of('refunded'), of('refund_failed')),
    chargedBack: figure(chargebacks),
    ...wonOf(of('chargeback_won'), chargebacks, of('disputed')),
  }
}

/** The larger of the sum of the movements and the largest total: so neither order nor repetition matters. */
function figure(facts: readonly Money[]): Big {
  let sum = zero
  let largest = zero
  for (const { event, amount } of facts) {
    const money = decimal(amount)
    if (event !== undefined) sum = sum.plus(money)
    else if (money.gt(largest)) largest = money
  }
  return sum.gt(largest) ? sum : largest
}

/** A refund that failed takes back what it took and no more, also where no refund was reported before its failure. */
function refundedOf(refunds: readonly Money[], failures: readonly Money[]): Big {
  const took = new Map(refunds.map(({ event, amount }) => [event, amount]))
  const unreported = failures.filter(({ event }) => event !== undefined && !took.has(event))
  const backs = failures.map((failure) => {
    const most = failure.event === undefined ? undefined : took.get(failure.event)
    return most !== undefined && decimal(failure.amount).gt(most) ? { ...failure, amount: most } : failure
  })
  const net = figure([...refunds, ...unreported]).minus(figure(backs))
  return net.gt(0) ? net : zero
}

/**
 * Of a dispute at most what it took is won, and of all disputes at most what was charged back. Where no win has the id of a dispute, the
 * service gives each step an id of its own. A dispute that ended before it took anything won nothing, as it should.
 */
function wonOf(
  wins: readonly Money[],
  chargebacks: readonly Money[],
  disputes: readonly Money[],
): Pick<Totals, 'chargebackWon' | 'wonTooMuch'> {
  if (wins.length === 0) return { chargebackWon: zero, wonTooMuch: zero }
  const took = new Map(disputes.map(({ event }) => [event, '0' as Decimal]))
  for (const { event, amount } of chargebacks) if (event !== undefined) took.set(event, amount)
  const ofDisputes = wins.filter(({ event }) => took.has(event))
  const capped = ofDisputes.map((win) =>
    decimal(win.amount).gt(took.get(win.event)!) ? { ...win, amount: took.get(win.event)! } : win,
  )
  const counting =
    ofDisputes.length > 0 ? [...capped, ...wins.filter(({ event }) => event === undefined)] : wins
  const chargebackWon = smaller(figure(counting), figure(chargebacks))
  // Money that is in a total and in no dispute may be of any of them.
  const allOfDisputes = figure(chargebacks).eq(figure(chargebacks.filter(({ event }) => event !== undefined)))
  const surely = wins.filter(({ event }) => !allOfDisputes || took.get(event) !== '0')
  const wonTooMuch = figure(surely).minus(chargebackWon)
  return { chargebackWon, wonTooMuch: wonTooMuch.gt(0) ? wonTooMuch : zero }
}

const smaller = (one: Big, other: Big): Big => (one.lt(other) ? one : other)

/** Refunds and chargebacks, without chargebacks that were won. */
export const returned = ({ refunded, chargedBack, chargebackWon }: Totals): Big =>
  refunded.plus(chargedBack).minus(chargebackWon)

export const netOf = (totals: Totals): Big => totals.received.minus(returned(totals))

/** Whether a tolerance is at most half of an amount. A larger one counts as none. */
export const isTolerable = (underpaidBy: Decimal, amount: Decimal): boolean =>
  decimal(underpaidBy).times(2).lte(amount)

/** The money that an attempt needs to pay this amount: all of it, or less by its tolerance, which is half of it at most. */
export const required = ({ underpaidBy = '0' }: Pick<Counted, 'underpaidBy'>, amount: Decimal): Big =>
  isTolerable(underpaidBy, amount) ? decimal(amount).minus(underpaidBy) : decimal(amount)

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
