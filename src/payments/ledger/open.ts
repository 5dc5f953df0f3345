import { decimal, roundToCurrency, sameMoney } from '../../money/index.ts'
import { onFirstHost } from '../../shops/shop.ts'
import { type Anomaly, anomalyAt } from './anomalies.ts'
import { levelsOf, risesOf } from './levels.ts'
import { type Learned, learn } from './moves.ts'
import { type Attempt, newestAttempt, type Payment } from './payment.ts'
import { countingAttempt, isEnded, required, settle, settledBy, totalsOf, versioned } from './status.ts'

/** A POST /payment. Random values and times are chosen beforehand, so that the move stays pure. */
export interface OpenAttempt
  extends Omit<Attempt, 'id' | 'started' | 'openedAt' | 'facts' | 'lastWord' | 'asked' | 'pageState'> {
  redirectUrl: string
  webhookUrl: string
  /** Whether both hosts are on the shop's closed list. Otherwise the hosts of the order's first call stay. */
  hostsListed?: boolean
  /** Whether the payment service is called for an order of 0 as well. */
  startsAtZero?: boolean
  now: number
  /** Used if a new attempt is needed. */
  attemptId: string
}

export interface Opened {
  /**
   * `opened`: a new attempt. `repeated`: the live attempt of the same amount and method. `paid`: nothing left to pay. `less`: it is paid
   * with less than is asked for. `full`: there are as many attempts as an order may have, and nothing was changed.
   */
  outcome: 'opened' | 'repeated' | 'paid' | 'less' | 'full'
  payment: Payment
  /** With `opened` the new one, otherwise the newest. */
  attempt: Attempt
  /** Anomalies that this call opens. */
  anomalies: Anomaly[]
  /** With `less`: the money that pays the order, such as `43.29 eur`. */
  received?: string
  /** The payment of a new attempt with nothing to pay. */
  learned?: Learned
}

/** The most attempts of one order. Each one makes every read of the payment larger. */
const mostAttempts = 100

/** Takes a POST /payment: repeats a live attempt, opens a new one, or finds the payment paid or full. */
export function openAttempt(payment: Payment | undefined, open: OpenAttempt): Opened {
  const current = payment ? { ...payment, ...addressesOf(payment, open) } : newPayment(open)
  const newest = newestAttempt(current)
  if (newest && current.status === 'paid') {
    const anomalies = changedAmount(current, open)
    if (covers(current, open)) return { outcome: 'paid', payment: current, attempt: newest, anomalies }
    const counting = countingAttempt(current)!
    const { currency } = counting
    const received = `${roundToCurrency(settledBy(counting, totalsOf(counting)[0]), currency)} ${currency.toLowerCase()}`
    return { outcome: 'less', payment: current, attempt: newest, anomalies, received }
  }
  if (newest && isRepeat(newest, open)) {
    return { outcome: 'repeated', payment: current, attempt: newest, anomalies: [] }
  }
  if (payment && newest && current.attempts.length >= mostAttempts) {
    return { outcome: 'full', payment, attempt: newest, anomalies: [] }
  }

  const attempt = newAttempt(open)
  const settled = settle({ ...current, attempts: [...current.attempts, attempt] })
  const opened = versioned(settled, current, open.now)
  const event = { event: `attempt ${attempt.id}`, attemptId: attempt.id }
  // A first attempt raises no level.
  const anomalies = payment ? risesOf(levelsOf(current), levelsOf(opened), event) : []
  // Money of an older attempt may be the very amount that is owed again.
  if (opened.status === 'paid') return { outcome: 'paid', payment: opened, attempt, anomalies }
  if (open.startsAtZero || !decimal(open.amount).eq(0))
    return { outcome: 'opened', payment: opened, attempt, anomalies }
  const nothing = { word: 'paid', amount: open.amount, currency: open.currency.toLowerCase() } as const
  const learned = learn(opened, attempt.id, [nothing], { source: 'start', now: open.now })
  const { payment: paid } = learned
  return { outcome: 'paid', payment: paid, attempt, anomalies: [...anomalies, ...learned.anomalies], learned }
}

/** Whether a paid payment covers what is asked for: its newest attempt was of as much, or one has received it. */
function covers({ attempts }: Payment, { amount, currency }: OpenAttempt): boolean {
  const newest = attempts.at(-1)
  return attempts.some((attempt) => {
    if (attempt.currency.toLowerCase() !== currency.toLowerCase()) return false
    const received = settledBy(attempt, totalsOf(attempt)[0])
    return (
      received.gte(required(attempt, amount)) || (attempt === newest && decimal(amount).lte(attempt.amount))
    )
  })
}

const newPayment = (open: OpenAttempt): Payment => ({
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
  paidBy: undefined,
  attempts: [],
})

function newAttempt(open: OpenAttempt): Attempt {
  const { redirectUrl, webhookUrl, hostsListed, now, attemptId, ...given } = open
  const unknown = { started: undefined, lastWord: undefined, asked: undefined, pageState: undefined }
  return { ...given, ...unknown, id: attemptId, openedAt: now, facts: [] }
}

/** Anyone who knows the endpoint can repeat a call, so it must not send the customer and the webhook to another host. */
function addressesOf(payment: Payment, { redirectUrl, webhookUrl, hostsListed }: OpenAttempt) {
  if (hostsListed) return { redirectUrl, webhookUrl }
  return {
    redirectUrl: onFirstHost(payment.redirectUrl, redirectUrl),
    webhookUrl: onFirstHost(payment.webhookUrl, webhookUrl),
  }
}

function isRepeat(attempt: Attempt, open: OpenAttempt): boolean {
  const { urlExpiresAt } = attempt.started ?? {}
  return (
    !isEnded(attempt) &&
    sameMoney(attempt, open) &&
    attempt.adapter === open.adapter &&
    attempt.methodId === open.methodId &&
    attempt.mode === open.mode &&
    (urlExpiresAt === undefined || urlExpiresAt > open.now)
  )
}

/** The shop starts a paid order again: with another amount that needs review. */
function changedAmount(payment: Payment, open: OpenAttempt): Anomaly[] {
  const newest = newestAttempt(payment)!
  if (sameMoney(newest, open)) return []
  const { id: attemptId } = newest
  const { received } = totalsOf(countingAttempt(payment)!)[0]
  const expected = decimal(open.amount)
  const level = { kind: 'amount_changed_after_paid' as const, attemptId, currency: open.currency }
  const event = `amount ${open.amount} ${open.currency.toLowerCase()}`
  return [anomalyAt({ ...level, expected, received }, event, expected.minus(newest.amount).abs())]
}
