import type { PaymentStatus } from '../contract/index.ts'
import { time } from '../printable.ts'
import type { LaneRecord, NamedBy, StorePort, WebhookState } from '../store-port.ts'
import { hashPageToken } from './addresses.ts'
import { newestAttempt, type Payment } from './ledger/payment.ts'
import { isEnded } from './ledger/status.ts'

const mostShown = 20
/** A push is named by 8 characters of its id or more, of 43. */
const pushId = /^[\w-]{8,43}$/

/**
 * Finds payments of all shops by any of their ids, and how many `more` there are than it shows: order id or number, attempt id or code, reference
 * at the payment service, id of a transfer, refund or dispute there, idempotency key, page address, or id of an anomaly. Pushes that call a
 * payment so, and matched none, are found too; where nothing has this name, those whose ids begin with it.
 */
export async function findPayments(store: StorePort, text: string, now: number) {
  const name = text.trim()
  const named = await store.findOrders({ name, pageHash: hashPageToken(pageTokenIn(name)) })
  const orders = [...new Map(named.toReversed().map((one) => [`${one.shopId} ${one.orderId}`, one])).values()]
  // `by` is the kind of id that matched.
  const payments: ({ shop: string; order: string; by: NamedBy; status: PaymentStatus } & Wait)[] = []
  for (const { shopId, orderId, by } of orders.reverse().slice(0, mostShown)) {
    const payment = await store.payment(shopId, orderId)
    if (!payment) continue
    const wait = await waitOf(store, payment, now)
    payments.push({ shop: shopId, order: orderId, by, status: payment.status, ...wait })
  }
  const naming = await store.pushes({ name, limit: mostShown })
  const isUnknown = payments.length + naming.length === 0
  const pushes = isUnknown && pushId.test(name) ? await store.pushes({ key: name, limit: mostShown }) : naming
  return { payments, more: Math.max(0, orders.length - mostShown), pushes }
}

/** The token in a page's address, or the text itself, which may be just the token. */
function pageTokenIn(name: string): string {
  const [, token] = /\/p\/([\w-]+)(?:[/?#]|$)/.exec(name) ?? []
  return token ?? name
}

/** The reason that a payment waits and the next command, most urgent first. */
async function waitOf(store: StorePort, payment: Payment, now: number): Promise<Wait> {
  const { shopId, orderId, status, statusVersion, readVersion } = payment
  const anomalies = await store.anomalies({ shopId, orderId, limit: 100 })
  const about = `${orderId} --shop ${shopId}`
  const [anomaly] = anomalies
  if (anomaly) {
    const others = anomalies.length > 1 ? ` and ${anomalies.length - 1} more` : ''
    const kind = `${anomaly.kind}${others} (purveyor explain ${anomaly.kind})`
    return waitFor(`a person: ${kind}`, `payments show ${about}`)
  }
  const [webhook] = await store.webhooks({ shopId, orderId, limit: 1 })
  const owed = webhookWait(webhook, now)
  if (owed) return owed
  if (status === 'pending') return pendingOn(store, payment, now)
  if (readVersion < statusVersion)
    return waitFor('the shop: it accepted the webhook and has not read the status', `webhooks show ${about}`)
  return waitFor('nothing', `payments show ${about}`)
}

export interface Wait {
  /** The reason that a payment waits, in words. */
  waitsFor: string
  next: string
}

/** The command is one of `purveyor`. */
const waitFor = (waitsFor: string, command: string): Wait => ({ waitsFor, next: `purveyor ${command}` })

/** The reason that a webhook is not delivered yet. `undefined` where none is owed. */
export function webhookWait(webhook: WebhookState | undefined, now: number): Wait | undefined {
  if (!webhook || webhook.state === 'delivered') return undefined
  const { shopId, orderId, state, webhookUrl, laneClosed, waitsForLane, dueAt = now, lastFailure } = webhook
  const about = `${orderId} --shop ${shopId}`
  const failed = lastFailure === undefined ? '' : `; last failure: ${lastFailure}`
  if (state === 'dead')
    return waitFor(`a person: its webhook was given up${failed}`, `webhooks replay ${about}`)
  const host = URL.parse(webhookUrl)?.host ?? ''
  const at = time(Math.max(dueAt, now))
  if (!laneClosed) return waitFor(`its webhook to ${host}; next try ${at}${failed}`, `webhooks show ${about}`)
  const next = waitsForLane ? `the lane's next probe, which calls one order, ${at}` : `next try ${at}`
  return waitFor(
    `the shop: the lane of webhooks to ${host} is closed; ${next}${failed}`,
    `lanes show webhook ${shopId} ${host}`,
  )
}

type ServiceAsked = ReturnType<typeof servicesAsked>[number]

/**
 * Of the attempts that were asked about or will be, the newest first: when the payment service was asked last, what it answered, and when it
 * is asked next. Times are milliseconds since 1970.
 */
export const servicesAsked = ({ attempts }: Payment, now: number) =>
  attempts
    .toReversed()
    .filter(({ asked, checkAt }) => asked !== undefined || checkAt !== undefined)
    .map(({ id, adapter, asked, checkAt }) => ({
      ...{ attempt: id, adapter, askedAt: asked?.at, answer: asked?.answer },
      nextAt: checkAt === undefined ? undefined : Math.max(checkAt, now),
    }))

/** `asked 2026-03-02 10:00:05: pending; next 2026-03-02 10:05:00` */
export function askedWords({ askedAt, answer, nextAt }: ServiceAsked): string {
  const asked = askedAt === undefined ? 'not asked yet' : `asked ${time(askedAt)}: ${answer}`
  return `${asked}; ${nextAt === undefined ? 'not asked again' : `next ${time(nextAt)}`}`
}

/** The reason why a payment is pending: the state of the newest attempt that goes on, and a lane of its pushes in which calls fail. */
async function pendingOn(store: StorePort, payment: Payment, now: number): Promise<Wait> {
  const { shopId, orderId } = payment
  const attempt = payment.attempts.findLast((one) => !isEnded(one)) ?? newestAttempt(payment)
  const show = `payments show ${orderId} --shop ${shopId}`
  if (!attempt || isEnded(attempt)) return waitFor('a report of its payment service', show)
  const { id, adapter, started, openedAt } = attempt
  const expires = `expires ${time(Math.max(attempt.expiresAt, now))}`
  const own = started
    ? `the customer or the payment service (${adapter}); ${expires}`
    : `the payment service (${adapter}): its start began ${time(openedAt)} and has no answer; the customer may try again until it ${expires}`
  const asked = servicesAsked(payment, now).find((one) => one.attempt === id)
  // Without `status` the first check is the one that ends the attempt.
  const isAsked = asked && (asked.nextAt !== attempt.expiresAt || asked.askedAt !== undefined)
  const answered = isAsked ? `; ${askedWords(asked)}` : ''
  const [lane] = await store.lanes({ shopId, kind: 'push', to: adapter, now, limit: 1 })
  const next = isAsked && started ? `payments ask ${orderId} --shop ${shopId}` : show
  return waitFor(`${own}${answered}${laneWords(lane)}`, next)
}

function laneWords(lane: LaneRecord | undefined): string {
  if (!lane || lane.waiting === 0 || lane.failures === 0) return ''
  const { waiting, to, shopId, lastFailure, probeAt } = lane
  const why = lastFailure === undefined ? '' : ` (${lastFailure})`
  const state = probeAt === undefined ? 'open' : 'closed'
  const pushes = waiting === 1 ? '1 push waits' : `${waiting} pushes wait`
  return `; ${pushes} in its lane of pushes, which is ${state}${why}: purveyor lanes show push ${shopId} ${to}`
}
