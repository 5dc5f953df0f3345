import type { PaymentStatus } from '../../contract/index.ts'
import { type Big, type Decimal, decimal } from '../../money/index.ts'
import { type Attempt, type Fact, isMoney, newestAttempt, type Payment } from './payment.ts'
import type { MoneyWord, PaymentMode } from './report.ts'

/** The sums of an attempt's facts in one currency and mode. Gross: a refund makes `received` no smaller. */
export type Totals = ReturnType<typeof addUp>

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

function addUp({ currency, mode, facts }: { currency: string; mode: PaymentMode; facts: Money[] }) {
  const of = (word: MoneyWord) => facts.filter(({ kind }) => kind === word)
  const chargebacks = of('charged_back')
  return {
    currency,
    mode,
    authorised: figure(of('authorised')),
    received: figure(of('paid')),
    /** Without refunds that failed. */
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
 * service gives each step an id of its own. A dispute that ended before it took anything won nothing, as it should. `wonTooMuch` is the surplus
 * that was reported as won: it counts as nothing.
 */
function wonOf(wins: readonly Money[], chargebacks: readonly Money[], disputes: readonly Money[]) {
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

/** The facts that ended the attempt. */
export const endsOf = ({ facts }: Attempt): Fact[] =>
  facts.filter(({ kind }) => kind === 'failed' || kind === 'cancelled' || kind === 'expired')

const isOfClock = ({ source }: Fact): boolean => source === 'expiry'

/**
 * Whether the attempt failed, was cancelled or has expired. Money may still come. An end of our own clock counts no more once the payment
 * service works on the payment: the shop reads `pending` then.
 */
export const isEnded = (attempt: Attempt): boolean => {
  const ends = endsOf(attempt)
  return attempt.lastWord?.is === 'working' ? !ends.every(isOfClock) : ends.length > 0
}

export const hasReceived = (attempt: Attempt): boolean =>
  totalsOf(attempt).some(({ received }) => received.gt(0))

/**
 * Whether the page of an attempt may still take money: it goes on, no newer attempt has taken its place, and the order is not
 * paid, by whichever attempt.
 */
export const takesMoney = (payment: Payment, attempt: Attempt): boolean =>
  payment.status !== 'paid' && newestAttempt(payment)?.id === attempt.id && !isEnded(attempt)

/**
 * The attempts to cancel at their payment service: those that a newer one has taken the place of, whose order another one paid, or that
 * our clock has ended. Not those of which the service itself reported the end, and none that has received money.
 */
export function toCancel(payment: Payment): Attempt[] {
  const keeps = payment.paidBy ?? newestAttempt(payment)?.id
  return payment.attempts.filter((attempt) => {
    const isOver = attempt.id !== keeps || isEnded(attempt)
    return isOver && attempt.started && endsOf(attempt).every(isOfClock) && !hasReceived(attempt)
  })
}

/** The money that counts towards an order: received, and with `authorisedIsPaid` also authorised. */
export const settledBy = ({ authorisedIsPaid }: Attempt, { received, authorised }: Totals): Big =>
  authorisedIsPaid && authorised.gt(received) ? authorised : received

/** Whether money of the attempt is money for what the newest one owes. */
export const agrees = (attempt: Attempt, newest: Attempt): boolean =>
  attempt.currency.toLowerCase() === newest.currency.toLowerCase() && attempt.mode === newest.mode

/**
 * Whether an attempt settles the order: it received at least its own amount and that of the newest one, gross and but for its tolerance,
 * in the currency and mode of both. So nobody settles an order of 100 through a page of 10 that was left open.
 */
function settles(attempt: Attempt, newest: Attempt): boolean {
  if (!agrees(attempt, newest) || !attempt.facts.some(isMoney)) return false
  const [own] = totalsOf(attempt)
  const settled = settledBy(attempt, own)
  // An order of 0 is paid once the payment service says so.
  const said = attempt.facts.some(
    ({ kind, conflicts }) =>
      conflicts === undefined && (kind === 'paid' || (kind === 'authorised' && attempt.authorisedIsPaid)),
  )
  return said && [attempt, newest].every(({ amount }) => settled.gte(required(attempt, amount)))
}

/**
 * The status of a payment (spec 3.1), and the attempt that paid it. Once an attempt settles the order it is `paid` for good. Otherwise
 * an attempt that goes on makes it `pending`, otherwise the newest one says how it ended.
 */
export function derive(payment: Pick<Payment, 'paidBy' | 'attempts'>): {
  status: PaymentStatus
  paidBy: string | undefined
} {
  const { attempts } = payment
  const newest = attempts.at(-1)
  const paidBy = payment.paidBy ?? (newest && attempts.find((attempt) => settles(attempt, newest))?.id)
  if (paidBy !== undefined) return { status: 'paid', paidBy }
  if (!newest || attempts.some((attempt) => !isEnded(attempt))) return { status: 'pending', paidBy }
  return { status: isCancelled(newest) ? 'cancelled' : 'expired', paidBy }
}

/** An attempt that our clock ended has expired, also once it is cancelled at its payment service for that. */
function isCancelled({ facts }: Attempt): boolean {
  const isOfClock = facts.some(({ kind, source }) => kind === 'expired' && source === 'expiry')
  return facts.some(
    ({ kind, source }) => (kind === 'cancelled' || kind === 'failed') && !(isOfClock && source === 'cancel'),
  )
}

/** Whose ledger is the payment's: that of the attempt that paid it, otherwise of the newest one. */
export const countingAttempt = (payment: Payment): Attempt | undefined =>
  payment.attempts.find(({ id }) => id === payment.paidBy) ?? newestAttempt(payment)

/**
 * Whether a change of status owes the platform a webhook: every change does except a new attempt, which the platform knows. `cancelled`
 * after `expired` counts too: otherwise the platform would keep the older status forever.
 */
export const owesWebhook = (from: PaymentStatus, to: PaymentStatus): boolean =>
  from !== to && to !== 'pending'

/** Derives status and paying attempt anew, after facts or attempts were added. A paid payment stays paid, whatever its facts say. */
export function settle(payment: Payment): Payment {
  const { status, paidBy } = derive(payment)
  if (payment.status === 'paid' && status !== 'paid') return payment
  return status === payment.status && paidBy === payment.paidBy ? payment : { ...payment, status, paidBy }
}

/** Counts the change of status since `before`, if it owes the platform a call. */
export function versioned(payment: Payment, before: Payment, now: number): Payment {
  if (payment.status === before.status) return payment
  const owed = owesWebhook(before.status, payment.status) ? 1 : 0
  return { ...payment, statusVersion: before.statusVersion + owed, changedAt: now }
}
