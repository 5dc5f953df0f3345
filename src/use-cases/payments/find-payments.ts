import type { PaymentStatus } from '../../contract/index.ts'
import type { OpenedAnomaly } from '../../payments/anomalies.ts'
import { type ContentSeal, hashPageToken } from '../../payments/page-tokens.ts'
import { type Attempt, newestAttempt, type Payment } from '../../payments/payment.ts'
import { isEnded } from '../../payments/status.ts'
import { ledgerOf } from '../../payments/totals.ts'
import { shortKinds } from '../../payments/waiting.ts'
import { time } from '../../printable.ts'
import { webhookId } from '../../shops/seal.ts'
import type {
  FoundOrder,
  KeptPush,
  LaneRecord,
  NamedBy,
  PushRecord,
  StorePort,
  WebhookState,
} from '../../store-port.ts'
import { allShops } from '../lane-view.ts'
import { openContent } from '../push-content.ts'
import { askedWords, type ServiceAsked, servicesAsked } from './asked-words.ts'
import { failingNow, outageWords, type ServiceOutage } from './service-failures.ts'

/** The number of latest changed payments to search for a webhook id, which is a hash. */
const webhooksLookedThrough = 100_000
const mostShown = 20
/** A push is named by 8 characters of its id or more, of 43. */
const pushId = /^[\w-]{8,43}$/
/** How many waiting pushes are looked through for the names of an attempt, the newest first. */
const pushesLookedThrough = 1_000
/** A start that runs for so long has ended without an outcome, in milliseconds. */
const startPatience = 60_000

interface FoundPayment {
  shop: string
  order: string
  /** The kind of id that matched. */
  by: NamedBy | 'webhook'
  status: PaymentStatus
  /** The reason that it waits, in words. */
  waitsFor: string
  next: string
}

export interface FindOptions {
  /** The provider's address, a part of webhook ids. */
  publicUrl: string
  now: number
  /** Opens waiting pushes. Without its key they are not looked through. */
  contents: ContentSeal
}

export interface Found {
  payments: FoundPayment[]
  /** More than are shown. */
  more: number
  /** Pushes that call a payment so, and matched none. Where nothing has this name, those whose ids begin with it. */
  pushes: PushRecord[]
  /** If it names a payment adapter whose starts fail. */
  failing: ServiceOutage | undefined
}

/**
 * Finds payments of all shops by any of their ids: order id or number, attempt id, reference at the payment service, id of a
 * transfer, refund or dispute there, idempotency key, page address, id of an anomaly or of a webhook. Pushes that name such a payment, and matched none, are found too,
 * and a push by its own id.
 */
export async function findPayments(
  store: StorePort,
  text: string,
  { publicUrl, now, contents }: FindOptions,
): Promise<Found> {
  const name = text.trim()
  const named: (Omit<FoundOrder, 'by'> & { by: FoundPayment['by'] })[] = name.startsWith('msg_')
    ? await ordersOfWebhook(store, name, publicUrl)
    : await store.findOrders({ name, pageHash: hashPageToken(pageTokenIn(name)) })
  const orders = [...new Map(named.toReversed().map((one) => [`${one.shopId} ${one.orderId}`, one])).values()]
  const payments: FoundPayment[] = []
  for (const { shopId, orderId, by } of orders.reverse().slice(0, mostShown)) {
    const payment = await store.payment(shopId, orderId)
    if (!payment) continue
    const standing = { payment, ...(await aroundOf(store, payment, { now, contents })), now }
    payments.push({ shop: shopId, order: orderId, by, status: payment.status, ...waitOf(standing) })
  }
  const naming = await store.pushes({ name, limit: mostShown })
  const isUnknown = payments.length + naming.length === 0
  const pushes = isUnknown && pushId.test(name) ? await store.pushes({ key: name, limit: mostShown }) : naming
  const failing = await failingNow(store, name, now)
  return { payments, more: Math.max(0, orders.length - mostShown), pushes, failing }
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

interface Standing {
  payment: Payment
  anomalies: readonly OpenedAnomaly[]
  webhook: WebhookState | undefined
  /** The lane of the payment service's pushes; set if it is closed or something waits in it. */
  pushLane: LaneRecord | undefined
  /** Whether a push waits in it that names the attempt that is waited for. */
  pushWaits: boolean
  /** Of the same attempt. */
  asked: ServiceAsked | undefined
  /** Set while starts of its adapter fail. */
  outage: ServiceOutage | undefined
  now: number
}

async function aroundOf(
  store: StorePort,
  payment: Payment,
  { now, contents }: Pick<FindOptions, 'now' | 'contents'>,
): Promise<Omit<Standing, 'payment' | 'now'>> {
  const { shopId, orderId } = payment
  const attempt = awaited(payment)
  const [anomalies, [webhook], [pushLane]] = await Promise.all([
    store.anomalies({ shopId, orderId, limit: 100 }),
    store.webhooks({ shopId, orderId, limit: 1 }),
    attempt ? store.lanes({ shopId, kind: 'push', to: attempt.adapter, now, limit: 1 }) : [],
  ])
  const pushWaits =
    attempt !== undefined && (pushLane?.waiting ?? 0) > 0 && (await hasPush(store, attempt, contents))
  const services = await servicesAsked(store, payment, now)
  const asked = services.find((one) => one.attempt === attempt?.id)
  const isUnsure = attempt !== undefined && !attempt.started
  const outage = isUnsure ? await failingNow(store, attempt.adapter, now) : undefined
  return { anomalies, webhook, pushLane, pushWaits, asked, outage }
}

/** The attempt that is waited for: the newest one that goes on. */
const awaited = (payment: Payment): Attempt | undefined =>
  payment.attempts.findLast((attempt) => !isEnded(attempt)) ?? newestAttempt(payment)

/** Whether a push that is not processed yet names the attempt: a push belongs to no order before its adapter has read it. */
async function hasPush(
  store: StorePort,
  { shopId, adapter, id, ...attempt }: Attempt,
  contents: ContentSeal,
): Promise<boolean> {
  const names = [id, attempt.idempotencyKey, attempt.started?.reference].filter((name) => name !== undefined)
  const named = new RegExp(
    `(?<![\\w-])(?:${names.map((name) => name.replace(/\W/g, '\\$&')).join('|')})(?![\\w-])`,
  )
  const waiting = await store.waitingPushes({ adapter, shopId }, pushesLookedThrough)
  return waiting.some((push) => named.test(textOf(push, contents)))
}

function textOf(push: KeptPush, contents: ContentSeal): string {
  try {
    const { body, query } = openContent(contents, push)
    return `${Buffer.from(body, 'base64').toString()} ${query}`
  } catch {
    return ''
  }
}

type Wait = Pick<FoundPayment, 'waitsFor' | 'next'>

/** The command is one of `purveyor`. */
const waitFor = (waitsFor: string, command: string): Wait => ({ waitsFor, next: `purveyor ${command}` })

/** The reason that a payment waits and the next command, most urgent first. */
function waitOf(standing: Standing): Wait {
  const { payment, anomalies, webhook, now } = standing
  const { shopId, orderId, status, statusVersion, readVersion } = payment
  const about = `${orderId} --shop ${shopId}`
  const [anomaly] = anomalies
  if (anomaly) {
    const others = anomalies.length > 1 ? ` and ${anomalies.length - 1} more` : ''
    const kind = `${anomaly.kind}${others} (purveyor explain ${anomaly.kind})`
    return shortOf(standing, kind) ?? waitFor(`a person: ${kind}`, `payments show ${about}`)
  }
  const owed = webhookWait(webhook, now)
  if (owed) return owed
  if (status === 'pending') return pendingOn(standing)
  if (readVersion < statusVersion)
    return waitFor('the shop: it accepted the webhook and has not read the status', `webhooks show ${about}`)
  return waitFor('nothing', `payments show ${about}`)
}

/** The two commands that end an attempt whose money does not pay the order. */
function shortOf({ payment, anomalies }: Standing, kind: string): Wait | undefined {
  const anomaly = anomalies.find((one) => shortKinds.some((short) => short === one.kind))
  const holding = payment.attempts.find(({ id }) => id === anomaly?.attemptId)
  if (!anomaly || !holding || payment.status === 'paid') return undefined
  const { shopId, orderId } = payment
  const { net, currency } = ledgerOf(holding)
  const close = `purveyor payments close-anomaly ${anomaly.id} --note <note>`
  if (Number(net) <= 0)
    return waitFor(`a person: ${kind}; to end it: ${close}`, `payments show ${orderId} --shop ${shopId}`)
  return waitFor(
    `a person: ${kind}; a refund of the ${net} ${currency} ends it, and so does ${close}`,
    `payments refund ${orderId} --shop ${shopId} --attempt ${holding.id}`,
  )
}

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

/** How the start of a payment ended that has no answer of its service, and what happens next. */
function startedOn({ payment, asked, outage, now }: Standing, attempt: Attempt): Wait {
  const about = `${payment.orderId} --shop ${payment.shopId}`
  const service = `the payment service (${attempt.adapter})`
  const { fails, words } = outage
    ? { fails: `; ${outageWords(outage)}`, words: `lanes show starts ${allShops} ${attempt.adapter}` }
    : { fails: '', words: `payments show ${about}` }
  const began = time(attempt.openedAt)
  if (!asked?.answer && now - attempt.openedAt < startPatience)
    return waitFor(`${service}: its start began ${began} and has no answer yet${fails}`, words)
  const ended =
    asked?.answer && asked.askedAt !== undefined
      ? `${time(asked.askedAt)}: ${asked.answer}`
      : `its start of ${began} has no outcome that was stored`
  return waitFor(`${service}; ${ended}; ${afterStart(attempt, asked, now)}${fails}`, words)
}

/** A look-up by `find` comes before the attempt expires. */
function afterStart({ expiresAt }: Attempt, asked: ServiceAsked | undefined, now: number): string {
  const end = `the customer may try again until it expires ${time(Math.max(expiresAt, now))}`
  if (asked?.underWaySince !== undefined)
    return `being looked up there since ${time(asked.underWaySince)}; ${end}`
  return asked?.nextAt !== undefined && asked.nextAt < expiresAt
    ? `looked up there ${time(asked.nextAt)}; ${end}`
    : end
}

/** The reason why a payment is pending: its own state first, and the lane of pushes only where a push of this order waits in it. */
function pendingOn(standing: Standing): Wait {
  const { payment, pushLane, pushWaits, asked, now } = standing
  const { shopId, orderId } = payment
  const attempt = awaited(payment)
  const show = `payments show ${orderId} --shop ${shopId}`
  if (!attempt || isEnded(attempt)) return waitFor('a report of its payment service', show)
  const { adapter } = attempt
  if (!attempt.started) return startedOn(standing, attempt)
  const own = `the customer or the payment service (${adapter}); expires ${time(Math.max(attempt.expiresAt, now))}`
  // Without `status` the first check is the one that ends the attempt.
  const isAsked = asked && (asked.nextAt !== attempt.expiresAt || asked.askedAt !== undefined)
  const answered = isAsked ? `; ${askedWords(asked)}` : ''
  const next = isAsked ? `payments ask ${orderId} --shop ${shopId}` : show
  if (!pushLane || !pushWaits) return waitFor(`${own}${answered}`, next)
  const why = pushLane.lastFailure === undefined ? '' : ` (${pushLane.lastFailure})`
  const state = pushLane.probeAt === undefined ? 'open' : 'closed'
  const nextAt = Math.max(pushLane.dueAt ?? now, pushLane.probeAt ?? now, now)
  const probe = `the lane's next ${state === 'open' ? 'try' : 'probe, with one push,'} ${time(nextAt)}`
  return waitFor(
    `${own}${answered}; a push of it waits in the lane of pushes through ${adapter}, which is ${state}${why}; ${probe}`,
    `lanes show push ${shopId} ${adapter}`,
  )
}
