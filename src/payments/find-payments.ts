import type { PaymentStatus } from '../contract/index.ts'
import { time } from '../printable.ts'
import { checkLease } from '../queue/schedule.ts'
import { webhookId } from '../shops/seal.ts'
import type { FoundOrder, LaneRecord, NamedBy, NextCheck, StorePort, WebhookState } from '../store-port.ts'
import { hashPageToken } from './addresses.ts'
import { type Attempt, newestAttempt, type Payment } from './ledger/payment.ts'
import { isEnded } from './ledger/status.ts'

/** The number of latest changed payments to search for a webhook id, which is a hash. */
const webhooksLookedThrough = 100_000
const mostShown = 20
/** A push is named by 8 characters of its id or more, of 43. */
const pushId = /^[\w-]{8,43}$/

/**
 * Finds payments of all shops by any of their ids, and how many `more` there are than it shows: order id or number, attempt id, reference at
 * the payment service, id of a transfer, refund or dispute there, idempotency key, page address, id of an anomaly or of a webhook. Pushes
 * that call a payment so, and matched none, are found too; where nothing has this name, those whose ids begin with it. `publicUrl` is the
 * provider's address, a part of webhook ids.
 */
export async function findPayments(
  store: StorePort,
  text: string,
  { publicUrl, now }: { publicUrl: string; now: number },
) {
  const name = text.trim()
  /** `by` is the kind of id that matched. */
  const named: (Omit<FoundOrder, 'by'> & { by: NamedBy | 'webhook' })[] = name.startsWith('msg_')
    ? await ordersOfWebhook(store, name, publicUrl)
    : await store.findOrders({ name, pageHash: hashPageToken(pageTokenIn(name)) })
  const orders = [...new Map(named.toReversed().map((one) => [`${one.shopId} ${one.orderId}`, one])).values()]
  const payments: ({ shop: string; order: string; by: NamedBy | 'webhook'; status: PaymentStatus } & Wait)[] =
    []
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

async function ordersOfWebhook(store: StorePort, id: string, publicUrl: string) {
  const found = (await store.statusVersions(webhooksLookedThrough)).filter(({ shopId, orderId, version }) =>
    Array.from({ length: version }, (_, before) => version - before).some(
      (one) => webhookId(publicUrl, shopId, orderId, one) === id,
    ),
  )
  return found.map(({ shopId, orderId }) => ({ shopId, orderId, by: 'webhook' as const }))
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

/** No check takes longer, in milliseconds: its process may have died. */
const longestCheck = 60_000

type ServiceAsked = Awaited<ReturnType<typeof servicesAsked>>[number]

/**
 * Of the attempts that were asked about or will be, the newest first: when the payment service was asked last, what it answered, and when it
 * is asked next. Times are milliseconds since 1970.
 */
export async function servicesAsked(store: StorePort, payment: Payment, now: number) {
  const next = await store.nextChecks(payment.shopId, payment.orderId)
  const isShown = ({ id, asked }: Attempt) => asked !== undefined || next[id] !== undefined
  return payment.attempts
    .toReversed()
    .filter(isShown)
    .map(({ id, adapter, asked }) => ({
      attempt: id,
      adapter,
      askedAt: asked?.at,
      answer: asked?.answer,
      ...nextOf(next[id], now),
    }))
}

/**
 * Since when a process asks now, and when it is asked next: never in the past, and not while it is asked, unless that takes over a minute. The
 * time of a check that is under way is the end of its lease.
 */
function nextOf(next: NextCheck | undefined, now: number) {
  if (!next) return { underWaySince: undefined, nextAt: undefined }
  const { at, beganAt } = next
  if (beganAt === undefined || at !== beganAt + checkLease || now >= at)
    return { underWaySince: undefined, nextAt: Math.max(at, now) }
  return { underWaySince: beganAt, nextAt: now - beganAt > longestCheck ? at : undefined }
}

/** `asked 2026-03-02 10:00:05: pending; next 2026-03-02 10:05:00`, or `...; check under way since 2026-03-02 10:05:00`. */
export function askedWords(asked: ServiceAsked): string {
  const { askedAt, answer } = asked
  return `${askedAt === undefined ? 'not asked yet' : `asked ${time(askedAt)}: ${answer}`}; ${nextWords(asked)}`
}

function nextWords({ underWaySince, nextAt }: ServiceAsked): string {
  if (underWaySince === undefined) return nextAt === undefined ? 'not asked again' : `next ${time(nextAt)}`
  const died = nextAt === undefined ? '' : `; if its process has died, another one asks ${time(nextAt)}`
  return `check under way since ${time(underWaySince)}${died}`
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
  const asked = (await servicesAsked(store, payment, now)).find((one) => one.attempt === id)
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
