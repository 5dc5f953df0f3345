import { paymentStatuses } from '../../contract/payment.ts'
import { askedWords, findPayments, servicesAsked } from '../../payments/find-payments.ts'
import { anomalyWords } from '../../payments/ledger/anomalies.ts'
import { newestAttempt, type Payment } from '../../payments/ledger/payment.ts'
import type { PushRecord } from '../../store-port.ts'
import { paymentNamed } from '../provider/store.ts'
import { standstill } from '../serve/nodes.ts'
import { group, limit, oneOf, onlyShop, onStore, paymentName, shopOfOrder } from '../table.ts'
import { print, printTable, table, time } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'
import { shortKey } from '../webhooks/pushes.ts'
import { anomalyCommands } from './anomalies.ts'
import { changes, exported } from './books.ts'
import { ask, capture, explain, refund, report } from './service.ts'

const list = onStore({
  description: 'list payments, newest first',
  examples: ['purveyor payments list --status pending --shop bikes'],
  options: { '--status <status>': oneOf('only these', paymentStatuses), ...onlyShop, ...limit },
  async run({ shop, status, limit, json }, store) {
    const payments = await store.payments({ shopId: shop, status, limit })
    printTable(json, payments.map(summary), 'No payments found.', {
      ...{ opened: 'openedAt', shop: 'shop', order: 'order' },
      amount: ({ amount, currency }) => amount && `${amount} ${currency}`,
      ...{ status: 'status', webhook: 'webhook' },
    })
  },
})

const summary = (payment: Payment) => {
  const { shopId: shop, orderId: order, status, openedAt, changedAt } = payment
  const { amount, currency, adapter } = newestAttempt(payment) ?? {}
  const webhook = webhookState(payment)
  return { shop, order, status, amount, currency, adapter, openedAt, changedAt, webhook }
}

/** Whether the webhook of the status was delivered, and whether the shop has read the status since. */
function webhookState({ statusVersion, deliveredVersion, readVersion }: Payment): string {
  if (statusVersion === 0) return 'none due'
  if (deliveredVersion < statusVersion) return 'due'
  return readVersion >= statusVersion ? 'delivered and read' : 'delivered, not read yet'
}

const find = onStore({
  description: 'find payments of all shops, with what each waits for and the next step',
  examples: ['purveyor payments find ORD1042'],
  arguments: {
    '<name>':
      'order id or number, attempt id, code on a payment page, reference, event (transfer, refund or dispute), idempotency key, page address, or the id of an anomaly or push. A request id is not stored: its log line `answered` has the order',
  },
  async run({ name, json }, store, now) {
    if (name.trim() === '') throw new UsageError('Name an id of the payment, such as the id of its order.')
    const found = await findPayments(store, name, now)
    const { payments, pushes } = found
    if (payments.length + pushes.length === 0) process.exitCode = 1
    const none =
      'No payment has this id: no order, attempt, code, reference, event, idempotency key, page, anomaly or push. Request ids are not stored: the line `answered` in the log has the shop and the order of a request.'
    // A person can act, also where no provider runs.
    const waits = payments.some(({ waitsFor }) => !/^(?:nothing|a person)/.test(waitsFor))
    const still = waits ? await standstill(store) : []
    const listed = table(payments, none, {
      ...{ shop: 'shop', order: 'order', 'found by': 'by', status: 'status', 'waits for': 'waitsFor' },
    })
    print(json, found, () => [
      ...(payments.length === 0 && pushes.length > 0 ? [] : listed),
      found.more > 0 && `${found.more} more have this id.`,
      ...payments.map(({ next }) => `Next: ${next}`),
      ...pushes.map((push) => pushLine(push, name)),
      ...still,
    ])
  },
})

function pushLine({ key, shopId, adapter, receivedAt, ...push }: PushRecord, text: string): string {
  const next = `Next: purveyor pushes show ${shortKey(key)}`
  const at = time(receivedAt)
  if (push.names.includes(text.trim()))
    return `A push of ${adapter} to shop ${shopId} named it at ${at} and matched no payment. ${next}`
  const detail = push.detail === undefined ? '' : ` (${push.detail})`
  return `The push of ${adapter} to shop ${shopId} at ${at} is ${push.outcome}${detail}. ${next}`
}

const show = onStore({
  description: "show the history of an order's payment",
  examples: ['purveyor payments show 1042'],
  arguments: { '<name>': paymentName },
  options: shopOfOrder,
  async run({ name, shop: named, json }, store, now) {
    const { paymentTimeline, timelineWords } = await import('../../payments/payment-timeline.ts')
    const { situationOf } = await import('../../payments/situation.ts')
    const payment = await paymentNamed(store, name, named)
    const { shopId: shop, orderId: order, webhookUrl } = payment
    const { events = [], anomalies = [] } = (await paymentTimeline(store, shop, order)) ?? {}
    const services = servicesAsked(payment, now)
    const [owed] = await store.webhooks({ shopId: shop, orderId: order, limit: 1 })
    const open = anomalies.filter(({ closedAt }) => closedAt === undefined)
    const situation = situationOf(payment, { anomalies: open, webhook: owed, now })
    const shown = summary(payment)
    const { status, amount, currency, webhook } = shown
    const money = amount === undefined ? '' : `${amount} ${currency}`
    print(json, { ...shown, situation, webhookUrl, services, events, anomalies }, () => [
      `Order ${order} of shop ${shop}: ${status}, ${money}, webhook: ${webhook}`,
      `${situation.sentence} ${situation.more}`.trim(),
      ...events.map((event) => `  ${time(event.at)}  ${timelineWords(event)}`),
      ...services.map((one) => `  ${one.adapter} about attempt ${one.attempt}: ${askedWords(one)}`),
      ...anomalies.map((one) => {
        const { id, kind, remedy, closedAt } = one
        const what = [kind, anomalyWords(one)].filter(Boolean).join(': ')
        const close = `To close it: purveyor payments close-anomaly ${id}`
        return (
          closedAt === undefined && `  Needs review: ${what} (purveyor explain ${kind}). ${remedy} ${close}`
        )
      }),
    ])
  },
})

export const command = group('inspect payments and resolve anomalies', {
  ...{ list, find, show, ask, explain, changes, export: exported },
  ...{ refund, capture, report, ...anomalyCommands },
})
