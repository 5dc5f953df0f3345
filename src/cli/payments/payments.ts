import { type PaymentStatus, paymentStatuses } from '../../contract/index.ts'
import { hasCode } from '../../errors.ts'
import { anomalyWords, type OpenedAnomaly } from '../../payments/anomalies.ts'
import { newestAttempt, type Payment } from '../../payments/payment.ts'
import { isMoneyWord, moneyWords, type PaymentReport, stateWords } from '../../payments/report.ts'
import { askedWords, servicesAsked } from '../../use-cases/payments/asked-words.ts'
import { reportPayment } from '../../use-cases/payments/learn-payment.ts'
import { paymentTimeline } from '../../use-cases/payments/payment-timeline.ts'
import { type Listing, paymentNamed, paymentOf, withShop } from '../shop-choice.ts'
import { contentsOf, storeTime, withStore } from '../store.ts'
import { systemUser } from '../system-user.ts'
import { print, table, time } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'
import { commandWorld } from '../world.ts'
import { timelineWords } from './timeline-words.ts'

const money = (payment: Payment): string => {
  const attempt = newestAttempt(payment)
  return attempt ? `${attempt.amount} ${attempt.currency}` : ''
}

export function list({ shop, status, limit, json }: Listing & { status?: string }): Promise<void> {
  if (status !== undefined && !paymentStatuses.includes(status as PaymentStatus)) {
    throw new UsageError(`--status takes ${paymentStatuses.join(', ')}.`)
  }
  return withShop(shop, async (store) => {
    const filter = { shopId: shop, status: status as PaymentStatus | undefined, limit }
    const payments = await store.payments(filter)
    print(json, payments.map(summary), () =>
      table(payments, 'There are no such payments.', {
        opened: ({ openedAt }) => time(openedAt),
        shop: ({ shopId }) => shopId,
        order: ({ orderId }) => orderId,
        amount: money,
        status: (payment) => payment.status,
        webhook: webhookState,
      }),
    )
  })
}

const summary = (payment: Payment) => {
  const { shopId, orderId, status, openedAt, changedAt } = payment
  const { amount, currency, adapter } = newestAttempt(payment) ?? {}
  return {
    shop: shopId,
    order: orderId,
    status,
    amount,
    currency,
    adapter,
    openedAt,
    changedAt,
    webhook: webhookState(payment),
  }
}

/** Whether the webhook of the status was delivered, and whether the shop has read the status since. */
function webhookState({ statusVersion, deliveredVersion, readVersion }: Payment): string {
  if (statusVersion === 0) return 'none due'
  if (deliveredVersion < statusVersion) return 'due'
  return readVersion >= statusVersion ? 'delivered and read' : 'delivered, not read yet'
}

export function show(name: string, options: { shop?: string; json?: boolean }): Promise<void> {
  return withStore(async (store) => {
    const payment = await paymentNamed(store, name, options.shop)
    const { shopId: shop, orderId: order, webhookUrl } = payment
    const { events = [], anomalies = [] } = (await paymentTimeline(store, shop, order)) ?? {}
    const services = await servicesAsked(store, payment, storeTime(store))
    print(options.json, { ...summary(payment), webhookUrl, services, events, anomalies }, () => [
      `Order ${order} of shop ${shop}: ${payment.status}, ${money(payment)}, webhook: ${webhookState(payment)}`,
      ...events.map((event) => `  ${time(event.at)}  ${timelineWords(event)}`),
      ...services.map((one) => `  ${one.adapter} about attempt ${one.attempt}: ${askedWords(one)}`),
      ...anomalies
        .filter(({ closedAt }) => closedAt === undefined)
        .map(
          (anomaly) =>
            `  Needs review: ${reviewWords(anomaly)} (purveyor explain ${anomaly.kind}). ${anomaly.remedy} To close it: purveyor payments close-anomaly ${anomaly.id}`,
        ),
    ])
  })
}

const reviewWords = (anomaly: OpenedAnomaly): string =>
  [anomaly.kind, anomalyWords(anomaly)].filter((words) => words !== '').join(': ')

const reportable = [...moneyWords, ...stateWords].filter((word) => word !== 'unknown')

export interface ReportOptions {
  shop?: string
  attempt?: string
  amount?: string
  currency?: string
  event?: string
  note?: string
  json?: boolean
}

export function report(order: string, status: string, options: ReportOptions): Promise<void> {
  if (!reportable.some((word) => word === status))
    throw new UsageError(`A report is one of ${reportable.join(', ')}.`)
  const { attempt, amount, currency, event, note, json } = options
  if (isMoneyWord(status) && !(amount && currency)) {
    throw new UsageError(
      `A report of "${status}" needs --amount and --currency: they are compared with the order's.`,
    )
  }
  return withStore(async (store) => {
    const { shopId: shop, attempts } = await paymentOf(store, order, options.shop)
    if (attempt && !attempts.some(({ id }) => id === attempt)) {
      throw new UsageError(`Order ${order} has no attempt ${attempt}. See: purveyor payments show ${order}`)
    }
    const said = { status, amount, currency, event, detail: note ?? 'reported by a person' } as PaymentReport
    const ref = attempt ? { attemptId: attempt } : { shop, orderId: order }
    // The end of the payment erases the input of its customer.
    const hasPage = attempts.some(({ pageState }) => pageState !== undefined)
    const world = commandWorld(store, hasPage ? await contentsOf(store) : undefined)
    const now = await reportPayment(world, ref, said, { by: systemUser() }).catch((error: unknown) => {
      throw hasCode(error, 'ARGUMENT_INVALID') ? new UsageError(`${error.message}.`) : error
    })
    const open = await store.anomalies({ shopId: shop, orderId: order, limit: 100 })
    const kinds = open.map(({ kind }) => kind)
    print(json, { shop, order, status: now, anomalies: kinds }, () => [
      `Order ${order} is ${now}.`,
      ...kinds.map((kind) => `Needs review: ${kind}`),
    ])
  })
}
