import { paymentStatuses } from '../../contract/payment.ts'
import { anomalyWords } from '../../payments/anomalies.ts'
import { newestAttempt, type Payment } from '../../payments/payment.ts'
import type { TimelineEvent } from '../../use-cases/payments/payment-timeline.ts'
import { paymentNamed } from '../provider/store.ts'
import { type Command, limit, oneOf, onlyShop, onStore, paymentName, shopOfOrder } from '../table.ts'
import { print, table, time } from '../terminal/print.ts'
import { list as pushes } from '../webhooks/pushes.ts'

import { anomalyCommands } from './anomalies.ts'
import { changes, exported } from './books.ts'
import { find } from './find.ts'
import { ask, capture, explain, refund, report } from './service.ts'

const money = (payment: Payment): string => {
  const attempt = newestAttempt(payment)
  return attempt ? `${attempt.amount} ${attempt.currency}` : ''
}

const list = onStore({
  description: 'list payments, newest first',
  examples: ['purveyor payments list --status pending --shop bikes'],
  options: { '--status <status>': oneOf('only these', paymentStatuses), ...onlyShop, ...limit },
  async run({ shop, status, limit, json }, store) {
    const payments = await store.payments({ shopId: shop, status, limit })
    print(json, payments.map(summary), () =>
      table(payments, 'There are no such payments.', {
        opened: ({ openedAt }) => time(openedAt),
        ...{ shop: 'shopId', order: 'orderId', amount: money, status: 'status', webhook: webhookState },
      }),
    )
  },
})

const summary = (payment: Payment) => {
  const { shopId, orderId, status, openedAt, changedAt } = payment
  const { amount, currency, adapter } = newestAttempt(payment) ?? {}
  const webhook = webhookState(payment)
  return { shop: shopId, order: orderId, status, amount, currency, adapter, openedAt, changedAt, webhook }
}

/** Whether the webhook of the status was delivered, and whether the shop has read the status since. */
function webhookState({ statusVersion, deliveredVersion, readVersion }: Payment): string {
  if (statusVersion === 0) return 'none due'
  if (deliveredVersion < statusVersion) return 'due'
  return readVersion >= statusVersion ? 'delivered and read' : 'delivered, not read yet'
}

const show = onStore({
  description: "show the history of an order's payment",
  examples: ['purveyor payments show 1042'],
  arguments: { '<name>': paymentName },
  options: shopOfOrder,
  async run({ name, shop: named, json }, store, now) {
    const { paymentTimeline } = await import('../../use-cases/payments/payment-timeline.ts')
    const { askedWords, servicesAsked } = await import('../../use-cases/payments/wait-words.ts')
    const payment = await paymentNamed(store, name, named)
    const { shopId: shop, orderId: order, webhookUrl } = payment
    const { events = [], anomalies = [] } = (await paymentTimeline(store, shop, order)) ?? {}
    const services = await servicesAsked(store, payment, now)
    print(json, { ...summary(payment), webhookUrl, services, events, anomalies }, () => [
      `Order ${order} of shop ${shop}: ${payment.status}, ${money(payment)}, webhook: ${webhookState(payment)}`,
      ...events.map((event) => `  ${time(event.at)}  ${timelineWords(event)}`),
      ...services.map((one) => `  ${one.adapter} about attempt ${one.attempt}: ${askedWords(one)}`),
      ...anomalies
        .filter(({ closedAt }) => closedAt === undefined)
        .map(
          (anomaly) =>
            `  Needs review: ${[anomaly.kind, anomalyWords(anomaly)].filter(Boolean).join(': ')} (purveyor explain ${anomaly.kind}). ${anomaly.remedy} To close it: purveyor payments close-anomaly ${anomaly.id}`,
        ),
    ])
  },
})

export const command: Command = {
  description: 'inspect payments and resolve anomalies',
  commands: {
    ...{ list, find, show, ask, explain, changes, export: exported },
    pushes: { ...pushes, examples: ['purveyor payments pushes --outcome unmatched'] },
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
      conflicts && 'does not count: the event has other money',
      ...[answerBy && `answer by ${time(answerBy)}`, `(${source})`, detail],
    ]
    return `attempt ${attempt}: ${said.filter(Boolean).join(' ')}`
  },
  money_asked({ attempt, kind, amount, currency, key, outcome, detail }) {
    const unknown = 'its outcome is unknown, and the same command asks again'
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
