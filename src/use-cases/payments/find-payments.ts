import type { PaymentStatus } from '../../contract/index.ts'
import type { OpenedAnomaly } from '../../payments/anomalies.ts'
import { isLive } from '../../payments/ledger.ts'
import { hashPageToken } from '../../payments/page-tokens.ts'
import { newestAttempt, type Payment } from '../../payments/payment.ts'
import { time } from '../../printable.ts'
import { webhookId } from '../../shops/webhook-signature.ts'
import type { FoundOrder, LaneRecord, NamedBy, PushRecord, StorePort, WebhookState } from '../../store.ts'

/** The number of latest changed payments to search for a webhook id, which is a hash. */
const webhooksLookedThrough = 100_000
/** The most payments to show. */
const mostShown = 20

/** A found payment with its next step. */
interface FoundPayment {
  shop: string
  order: string
  /** The kind of id that matched. */
  by: NamedBy | 'webhook'
  status: PaymentStatus
  /** The reason that it waits, in words. */
  waitsFor: string
  /** The command for the next step. */
  next: string
}

export interface Found {
  payments: FoundPayment[]
  /** More than are shown. */
  more: number
  /** Pushes that call a payment so, and matched none. */
  pushes: PushRecord[]
}

/**
 * Finds payments of all shops by any of their ids: order id or number, attempt id, reference at the payment service, idempotency key,
 * address of a hosted page, id of an anomaly or of a webhook. `publicUrl` is the provider's address, a part of webhook ids. Pushes that
 * name such a payment, and matched none, are found too.
 */
export async function findPayments(
  store: StorePort,
  text: string,
  { publicUrl, now }: { publicUrl: string; now: number },
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
    const standing = { payment, ...(await aroundOf(store, payment, now)), now }
    payments.push({ shop: shopId, order: orderId, by, status: payment.status, ...waitOf(standing) })
  }
  const pushes = await store.pushes({ name, limit: mostShown })
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

interface Standing {
  payment: Payment
  anomalies: readonly OpenedAnomaly[]
  webhook: WebhookState | undefined
  /** The lane of the payment service's pushes; set if it is closed or something waits in it. */
  pushLane: LaneRecord | undefined
  now: number
}

async function aroundOf(
  store: StorePort,
  { shopId, orderId, attempts }: Payment,
  now: number,
): Promise<Pick<Standing, 'anomalies' | 'webhook' | 'pushLane'>> {
  const adapter = attempts.at(-1)?.adapter
  const [anomalies, [webhook], lanes] = await Promise.all([
    store.anomalies({ shopId, orderId, limit: 100 }),
    store.webhooks({ shopId, orderId, limit: 1 }),
    store.lanes({ shopId, kind: 'push', now, limit: 100 }),
  ])
  return { anomalies, webhook, pushLane: lanes.find(({ to }) => to === adapter) }
}

/** The reason that a payment waits and the next command, most urgent first. */
function waitOf({ payment, anomalies, webhook, pushLane, now }: Standing): {
  waitsFor: string
  next: string
} {
  const { shopId, orderId, status, statusVersion, readVersion } = payment
  const about = `${orderId} --shop ${shopId}`
  const next = (moment: number | undefined) => time(Math.max(moment ?? now, now))
  const [anomaly] = anomalies
  if (anomaly) {
    const others = anomalies.length > 1 ? ` and ${anomalies.length - 1} more` : ''
    return {
      waitsFor: `a person: ${anomaly.kind}${others} (purveyor explain ${anomaly.kind})`,
      next: `purveyor payments show ${about}`,
    }
  }
  if (webhook?.state === 'dead') {
    return {
      waitsFor: 'a person: its webhook was given up',
      next: `purveyor webhooks replay ${about}`,
    }
  }
  if (webhook?.state === 'owed') {
    const host = URL.parse(webhook.webhookUrl)?.host ?? ''
    return webhook.laneClosed
      ? {
          waitsFor: `the shop: the lane of webhooks to ${host} is closed; next try ${next(webhook.dueAt)}`,
          next: `purveyor lanes show webhook ${shopId} ${host}`,
        }
      : {
          waitsFor: `its webhook to ${host}; next try ${next(webhook.dueAt)}`,
          next: `purveyor webhooks show ${about}`,
        }
  }
  if (status === 'pending') {
    const attempt = newestAttempt(payment)
    if (pushLane) {
      const state = pushLane.probeAt === undefined ? 'open' : 'closed'
      return {
        waitsFor: `the payment service: ${pushLane.waiting} pushes through ${pushLane.to} wait, the lane is ${state}`,
        next: `purveyor lanes show push ${shopId} ${pushLane.to}`,
      }
    }
    const what =
      attempt && isLive(attempt)
        ? attempt.started
          ? `the customer or the payment service (${attempt.adapter}); expires ${next(attempt.expiresAt)}`
          : `the payment service (${attempt.adapter}): its start has no answer yet`
        : 'a report of its payment service'
    return { waitsFor: what, next: `purveyor payments show ${about}` }
  }
  if (readVersion < statusVersion) {
    return {
      waitsFor: 'the shop: it accepted the webhook and has not read the status',
      next: `purveyor webhooks show ${about}`,
    }
  }
  return { waitsFor: 'nothing', next: `purveyor payments show ${about}` }
}
