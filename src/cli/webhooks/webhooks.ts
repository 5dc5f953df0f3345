import { webhookWait } from '../../payments/find-payments.ts'
import type { Payment } from '../../payments/ledger/payment.ts'
import { counted } from '../../printable.ts'
import { countUnreadFor, remindAfter } from '../../queue/schedule.ts'
import type { Deliveries, DeliveryCall, WebhookState } from '../../store-port.ts'
import { paymentNamed } from '../provider/store.ts'
import { standstill } from '../serve/nodes.ts'
import { group, limit, moment, onlyShop, onStore, parsed, paymentName, shopOfOrder } from '../table.ts'
import { print, printTable, time, when } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'

const list = onStore({
  description: 'list the webhooks that are due or were given up',
  examples: ['purveyor webhooks list', 'purveyor webhooks list --since 2h --shop bikes'],
  options: {
    '--since <time>': parsed('list all statuses that changed since then instead: 2h, 7d or a date', moment),
    ...onlyShop,
    ...limit,
  },
  async run({ shop, since, limit, json }, store, now) {
    const states = await store.webhooks({ shopId: shop, since: since?.(now), limit })
    const dueOf = ({ dueAt }: WebhookState) => (dueAt === undefined ? undefined : Math.max(dueAt, now))
    const found = states.map((one) => ({ ...one, dueAt: dueOf(one) }))
    const none = since === undefined ? 'No webhook is due.' : 'No status has changed since then.'
    printTable(json, found, none, {
      ...{ changed: 'changedAt', shop: 'shopId', order: 'orderId', status: 'status' },
      ...{ webhook: callState, failed: 'tries' },
      // A closed lane calls one of its orders at a time, so the time is that of the lane.
      next: ({ dueAt, waitsForLane }) =>
        waitsForLane && dueAt !== undefined ? `lane probe ${time(dueAt)}` : when(dueAt),
      to: ({ webhookUrl }) => URL.parse(webhookUrl)?.host,
      'last failure': 'lastFailure',
    })
  },
})

function callState({ state, confirmed, laneClosed }: WebhookState): string {
  if (state === 'delivered') return confirmed ? 'delivered and read' : 'delivered, not read yet'
  if (state === 'owed') return laneClosed ? 'due, lane closed' : 'due'
  return state === 'dead' ? 'given up' : state
}

const show = onStore({
  description: 'show the deliveries for an order, what its webhook waits for and the next try',
  examples: ['purveyor webhooks show 1042'],
  arguments: { '<name>': paymentName },
  options: shopOfOrder,
  async run({ name, shop: named, json }, store, now) {
    const payment = await paymentNamed(store, name, named)
    const { shopId: shop, orderId: order, webhookUrl, statusVersion } = payment
    const { deliveredVersion, readVersion, readAt } = payment
    const versions = { webhookUrl, statusVersion, deliveredVersion, readVersion, readAt }
    const deliveries = await store.deliveries(shop, order)
    const [unread] = await store.unread({ shopId: shop, orderId: order, limit: 1 })
    const { acceptedAt, remindAt } = unread ?? awaited(payment, deliveries) ?? {}
    const [webhook] = await store.webhooks({ shopId: shop, orderId: order, limit: 1 })
    const wait = webhookWait(webhook, now)
    const waits = wait && { says: wait.waitsFor, next: wait.next.replace('webhooks show', 'webhooks replay') }
    const still = waits ? await standstill(store) : []
    const delivered = deliveredVersion === 0 ? 'none delivered' : `delivered version ${deliveredVersion}`
    const read = `the shop read ${readVersion === 0 ? 'none' : `version ${readVersion}`}`
    print(json, { shop, order, ...versions, acceptedAt, remindAt, waits, calls: deliveries }, () => [
      `Order ${order} of shop ${shop}: status version ${statusVersion}; ${delivered}; ${read}`,
      `  ${webhookUrl}`,
      ...deliveries.flatMap(callLines),
      acceptedAt !== undefined && `  ${reminderOf(acceptedAt, remindAt, now)}`,
      ...(waits ? [`  Waits for ${waits.says}`, `Next: ${waits.next}`] : []),
      ...still,
    ])
  },
})

/** The first reminder of a webhook that the shop accepted a moment ago. */
function awaited(payment: Payment, deliveries: readonly Deliveries[]) {
  const { statusVersion, deliveredVersion, readVersion } = payment
  if (deliveredVersion < statusVersion || readVersion >= deliveredVersion) return undefined
  const last = deliveries.find(({ version }) => version === deliveredVersion)
  const accepted = [last?.first, last?.last].find((call) => call && call.failure === undefined)
  if (!accepted) return undefined
  const acceptedAt = accepted.at + accepted.ms
  return { acceptedAt, remindAt: acceptedAt + remindAfter }
}

function reminderOf(acceptedAt: number, remindAt: number | undefined, now: number): string {
  const since = `The shop accepted it at ${time(acceptedAt)} and has not read the status.`
  if (remindAt === undefined)
    return `${since} It gets no more reminders; Purveyor counts it until ${time(acceptedAt + countUnreadFor)}.`
  return `${since} Purveyor sends it again at ${time(Math.max(remindAt, now))}, as a reminder.`
}

function callLines({ version, calls, first, last }: Deliveries) {
  const line = ({ at, status, failure = `status ${status}`, ms }: DeliveryCall) =>
    `  ${time(at)}  version ${version}  ${failure}  ${ms} ms`
  return [line(first), last && `${line(last)}  (the last of ${calls} calls)`]
}

/** Makes webhooks due now: of the order that has this name, of every status since a moment, or every dead letter. */
const replay = onStore({
  description:
    'send webhooks again: for one order, since a time, or all that were given up; this opens their lanes',
  examples: ['purveyor webhooks replay 1042', 'purveyor webhooks replay --since 2h --dry-run'],
  arguments: { '[name]': paymentName },
  options: {
    '--since <time>': parsed('for every status that changed since then: 2h, 7d or a date', moment),
    '--dry-run': 'list the webhooks without sending them',
    ...onlyShop,
  },
  async run({ name, shop, since, dryRun = false, json, by }, store, now) {
    if (name !== undefined && since !== undefined)
      throw new UsageError('Name an order, or --since with a time, and not both.')
    const all = { shopId: shop, since: since?.(now), limit: 1_000_000 }
    const chosen =
      name === undefined
        ? (await store.webhooks(all)).filter(({ state }) => since !== undefined || state === 'dead')
        : [await paymentNamed(store, name, shop)]
    const orders = chosen.map(({ shopId, orderId }) => ({ shop: shopId, order: orderId }))
    if (!dryRun) for (const { shop, order } of orders) await store.replayWebhook(shop, order, now, by)
    print(json, { dryRun, replayed: orders }, () => [
      `${counted(orders.length, 'webhook')} ${dryRun ? 'would be sent again' : 'will be sent now'}:`,
      ...orders.map(({ shop, order }) => `  shop ${shop}, order ${order}`),
    ])
  },
})

export const command = group('inspect webhooks to shops, and send them again', { list, show, replay })
