import type { OpenedAnomaly } from '../../src/payments/ledger/anomalies.ts'
import { ledgerOf, movementsOf } from '../../src/payments/ledger/movements.ts'
import type { Attempt, Payment } from '../../src/payments/ledger/payment.ts'
import { derive, endsOf } from '../../src/payments/ledger/status.ts'
import type { StorePort } from '../../src/store-port.ts'
import type { FeedReader } from './feed-reader.ts'
import { lastDelivered } from './last-delivered.ts'
import type { Order } from './platform.ts'
import { type Psp, type Session, totalOf } from './psp.ts'

interface Rest {
  order: Order
  payment: Payment | undefined
  store: StorePort
  psp: Psp
  feed: FeedReader
}

/** The invariants that must hold once everything is at rest. */
export async function broken({ order, payment, store, psp, feed }: Rest): Promise<string[]> {
  const said: string[] = []
  const sessions = psp.sessions.filter(({ orderId }) => orderId === order.id)
  if (!payment) {
    if (order.paymentUrl !== undefined) said.push('I1 a payment that was acknowledged is gone')
    return said
  }
  const open = await store.anomalies({ orderId: order.id, limit: 100 })
  const all = await store.anomalies({ orderId: order.id, limit: 1_000, closed: true })
  const newest = payment.attempts.at(-1)!
  const paidSessions = sessions.filter(({ status }) => status === 'paid')

  if (derive({ paidBy: undefined, attempts: payment.attempts }).status !== payment.status)
    said.push('I2 the status is not what the facts say')
  const paidAt = order.read.indexOf('paid')
  if (paidAt >= 0 && order.read.slice(paidAt).some((status) => status !== 'paid'))
    said.push('I3 paid was left')
  const covers = (session: Session) =>
    totalOf(session, 'paid') >= Math.max(Number(session.amount), Number(newest.amount))
  if (payment.status === 'paid' && !sessions.some(covers)) said.push('I4 paid without the money')
  const dead = (await store.webhooks({ limit: 100 })).some(
    ({ orderId, state }) => orderId === order.id && state === 'dead',
  )
  const delivered = lastDelivered(await store.deliveries(payment.shopId, order.id))
  if (delivered !== payment.statusVersion && !dead) said.push('I5 a webhook is not delivered at rest')
  if (payment.deliveredVersion !== payment.statusVersion && !dead) said.push('I5 a webhook is owed at rest')
  if (dead) said.push('I5 a webhook is given up after hours')
  const given = order.paymentUrl?.split('/').at(-1) ?? ''
  if (psp.get(given) && !payment.attempts.some(({ started }) => started?.reference === given))
    said.push('I1 the address that was given to the customer is not known')
  if (newest.amount !== order.amount) {
    if (payment.status !== 'paid') said.push('I4 the newest attempt is not over what the order owes')
    else if (!open.some(({ kind }) => kind === 'amount_changed_after_paid'))
      said.push('I8 the amount changed after it was paid, and no anomaly is open')
  }
  if (sessions.some(({ key }) => !payment.attempts.some(({ idempotencyKey }) => idempotencyKey === key)))
    said.push('I6 a session with the key of no attempt')
  const keys = sessions.map(({ key }) => key)
  if (new Set(keys).size !== keys.length) said.push('I6 two sessions with one key')
  if (payment.status !== 'pending' && order.status !== payment.status)
    said.push(`I7 the platform holds ${order.status} for ${payment.status}`)
  const known = paidSessions.filter((session) => reachable(payment, session))
  said.push(...feed.faults(payment))
  for (const session of sessions) {
    const attempt = payment.attempts.find(({ started }) => started?.reference === session.reference)
    if (attempt)
      said.push(...moneyFaults(session, attempt, { anomalies: all, givesStatus: psp.habits.givesStatus }))
  }
  if (payment.status !== 'paid' && sessions.some((one) => reachable(payment, one) && covers(one)))
    said.push('I8 enough was paid at the payment service, and the order is not paid')
  const paying = payment.attempts.find(({ id }) => id === payment.paidBy)
  const has = (kind: string) => all.some((one) => one.kind === kind && one.attemptId === paying?.id)
  if (paying) {
    if (Number(ledgerOf(paying).received) > Number(newest.amount) && !has('overpaid'))
      said.push('I8 more was paid than is owed, and no anomaly is open')
    // A call of the shop may make the order owe what an ended attempt has received: it is answered that the order is paid.
    const byShop = payment.attempts.some(({ openedAt }) => openedAt === payment.changedAt)
    if (!byShop && endsOf(paying).some(({ at }) => at < payment.changedAt) && !has('late_paid'))
      said.push('I8 it was paid after its end, and no anomaly is open')
  }
  if (known.length > 0 && payment.status !== 'paid' && open.length === 0)
    said.push('I8 paid at the payment service, and no anomaly is open')
  if (known.length > 1 && !open.some(({ kind }) => kind === 'double_paid' || kind === 'paid_in_parts'))
    said.push('I8 paid twice, and no anomaly is open')
  return said
}

/** Whether the ledger of an attempt is that of its session, movement by movement, with an anomaly for each chargeback. */
function moneyFaults(
  session: Session,
  attempt: Attempt,
  { anomalies, givesStatus }: { anomalies: readonly OpenedAnomaly[]; givesStatus: boolean },
): string[] {
  const { reference } = session
  const ledger = ledgerOf(attempt)
  const figures = {
    paid: ledger.received,
    refunded: ledger.refunded,
    charged_back: ledger.chargedBack,
    chargeback_won: ledger.chargebackWon,
  }
  const lines = movementsOf(attempt)
  const summed = (kind: string) =>
    lines.filter((line) => line.kind === kind).reduce((sum, { amount }) => sum + Number(amount), 0)
  const said = Object.entries(figures).flatMap(([kind, figure]) => {
    const expected = totalOf(session, kind as keyof typeof figures)
    const books = summed(kind) - (kind === 'refunded' ? summed('refund_failed') : 0)
    const [what, money] = [`I13 ${kind} ${expected} of ${reference}`, Number(figure)]
    if (money !== expected) return [`${what}, and the ledger has ${figure}`]
    return books === expected ? [] : [`${what}, and its movements add up to ${books}`]
  })
  const disputed = anomalies
    .filter(({ kind, attemptId }) => kind === 'charged_back' && attemptId === attempt.id)
    .reduce((sum, { stake }) => sum + Number(stake), 0)
  const chargedBack = totalOf(session, 'charged_back')
  const expired = attempt.facts.find(({ source }) => source === 'expiry')
  const { from = 0, until = 0 } = session.worked ?? {}
  if (givesStatus && expired && expired.at > from && expired.at < until)
    said.push(`I14 ${reference} expired while the service worked on it`)
  if (disputed !== chargedBack)
    said.push(`I8 ${chargedBack} charged back of ${reference}, anomalies of ${disputed}`)
  return said
}

const hour = 3_600_000

/** Money that a push has reported is on record within hours once all is well, also where its push came before its start had answered. */
export function lateMoney(payment: Payment, sessions: readonly Session[], now: number): string[] {
  return sessions.flatMap((session) => {
    const attempt = payment.attempts.find(({ started }) => started?.reference === session.reference)
    if (!attempt) return []
    const movements = session.movements.filter(({ at, isPushed }) => isPushed && at < now - 4 * hour)
    const { received, chargedBack } = ledgerOf(attempt)
    const [came, disputed] = [totalOf({ movements }, 'paid'), totalOf({ movements }, 'charged_back')]
    return Number(received) >= came && Number(chargedBack) >= disputed
      ? []
      : [
          `I13 hours after ${came} was paid and ${disputed} charged back of ${session.reference} the ledger has ${received} and ${chargedBack}`,
        ]
  })
}

/** A customer cannot pay a session whose address was never sent. */
const reachable = (payment: Payment, { reference }: Session) =>
  payment.attempts.some(({ started }) => started?.reference === reference)
