import type { PaymentStatus } from '../contract/index.ts'
import { type ContentSeal, openContent, webhookId } from '../shops/seal.ts'
import type { FoundOrder, KeptPush, NamedBy, StorePort } from '../store-port.ts'
import { hashPageToken } from './addresses.ts'
import type { Attempt, Payment } from './ledger/payment.ts'
import { failingNow } from './service-failures.ts'
import { awaited, type Standing, servicesAsked, type Wait, waitOf } from './wait-words.ts'

/** The number of latest changed payments to search for a webhook id, which is a hash. */
const webhooksLookedThrough = 100_000
const mostShown = 20
/** A push is named by 8 characters of its id or more, of 43. */
const pushId = /^[\w-]{8,43}$/
/** How many waiting pushes are looked through for the names of an attempt, the newest first. */
const pushesLookedThrough = 1_000

interface FindOptions {
  /** The provider's address, a part of webhook ids. */
  publicUrl: string
  now: number
  /** Opens waiting pushes. Without its key they are not looked through. */
  contents: ContentSeal
}

/**
 * Finds payments of all shops by any of their ids, and how many `more` there are than it shows: order id or number, attempt id, reference at
 * the payment service, id of a transfer, refund or dispute there, idempotency key, page address, id of an anomaly or of a webhook. Pushes
 * that call a payment so, and matched none, are found too; where nothing has this name, those whose ids begin with it. A payment adapter
 * whose starts fail is found by its name.
 */
export async function findPayments(
  store: StorePort,
  text: string,
  { publicUrl, now, contents }: FindOptions,
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
