import { paymentStatuses } from '../../contract/payment.ts'
import { askedWords, findPayments, servicesAsked } from '../../payments/find-payments.ts'
import { anomalyWords } from '../../payments/ledger/anomalies.ts'
import { newestAttempt, type Payment } from '../../payments/ledger/payment.ts'
import type { TimelineEvent } from '../../payments/payment-timeline.ts'
import type { PushRecord } from '../../store-port.ts'
import { paymentNamed } from '../provider/store.ts'
import { standstill } from '../serve/nodes.ts'
import { type Command, limit, oneOf, onlyShop, onStore, paymentName, shopOfOrder } from '../table.ts'
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
    const { paymentTimeline } = await import('../../payments/payment-timeline.ts')
    const payment = await paymentNamed(store, name, named)
    const { shopId: shop, orderId: order, webhookUrl } = payment
    const { events = [], anomalies = [] } = (await paymentTimeline(store, shop, order)) ?? {}
    const services = servicesAsked(payment, now)
    const shown = summary(payment)
    const { status, amount, currency, webhook } = shown
    const money = amount === undefined ? '' : `${amount} ${currency}`
    print(json, { ...shown, webhookUrl, services, events, anomalies }, () => [
      `Order ${order} of shop ${shop}: ${status}, ${money}, webhook: ${webhook}`,
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

export const command: Command = {
  description: 'inspect payments and resolve anomalies',
  commands: {
    ...{ list, find, show, ask, explain, changes, export: exported },
    ...{ refund, capture, report, ...anomalyCommands },
  },
}

export const timelineWords = (event: TimelineEvent): string =>
  (words[event.type] as (event: TimelineEvent) => string)(event)

const words: { [Type in TimelineEvent['type']]: (event: TimelineEvent & { type: Type }) => string } = {
  opened({ attempt, amount, currency, mode, adapter, method, how, reference }) {
    const next = how ?? 'the outcome of the start is unknown'
    const named = reference === undefined ? '' : `, reference ${reference}`
    return `attempt ${attempt} opened: ${amount} ${currency} (${mode}) by ${adapter} ${method}; ${next}${named}`
  },
  reported({ attempt, word, amount, currency, mode, event, conflicts, source, answerBy, detail }) {
    const said = [
      ...[word, amount, currency, mode, event && `of ${event}`],
      conflicts && 'does not count: an earlier report of this event has other money',
      ...[answerBy && `answer by ${time(answerBy)}`, `(${source})`, detail],
    ]
    return `attempt ${attempt}: ${said.filter(Boolean).join(' ')}`
  },
  money_asked({ attempt, kind, amount, currency, key, outcome, detail }) {
    const unknown = 'its outcome is unknown; the same command asks again'
    const became = outcome === 'refused' ? `refused: ${detail ?? ''}` : (outcome ?? unknown)
    return `${kind} of ${amount} ${currency} of attempt ${attempt} asked for with key ${key}: ${became}`
  },
  delivery({ version, status, failure, ms, deliveries }) {
    const outcome = failure === undefined ? `answered ${status}` : `failed: ${failure}`
    const last = deliveries === undefined ? '' : ` (last of ${deliveries} deliveries)`
    return `webhook for status version ${version}: ${outcome} in ${ms} ms${last}`
  },
  read: ({ version }) => `the shop read status version ${version}`,
  anomaly_opened({ anomaly }) {
    const about = anomalyWords(anomaly)
    return `anomaly ${anomaly.kind} opened for attempt ${anomaly.attemptId}${about && `: ${about}`}`
  },
  anomaly_closed: ({ anomaly }) => `anomaly ${anomaly.kind} closed: ${anomaly.note}`,
}
