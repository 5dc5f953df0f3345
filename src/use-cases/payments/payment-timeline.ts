import { anomalyWords, type OpenedAnomaly } from '../../payments/anomalies.ts'
import type { Fact } from '../../payments/facts.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import type { Deliveries, DeliveryCall, StorePort } from '../../store.ts'

interface PaymentEvent {
  /** Milliseconds since 1970. */
  at: number
  /** A sentence for people. */
  what: string
}

export interface PaymentTimeline {
  payment: Payment
  /** All known events, in order. */
  events: PaymentEvent[]
  anomalies: OpenedAnomaly[]
}

/** The history of an order's payment. `undefined` if the shop has none. */
export async function paymentTimeline(
  store: StorePort,
  shopId: string,
  orderId: string,
): Promise<PaymentTimeline | undefined> {
  const payment = await store.payment(shopId, orderId)
  if (!payment) return undefined
  const anomalies = await store.anomalies({ shopId, orderId, closed: true, limit: 1000 })
  const calls = await store.deliveries(shopId, orderId)
  const events = [
    ...payment.attempts.flatMap(attemptEvents),
    ...calls.flatMap(callEvents),
    ...anomalies.flatMap(anomalyEvents),
    ...(payment.readAt === undefined
      ? []
      : [{ at: payment.readAt, what: `the shop read status version ${payment.readVersion}` }]),
  ]
  return { payment, events: events.sort((one, other) => one.at - other.at), anomalies }
}

function attemptEvents(attempt: Attempt): PaymentEvent[] {
  const { id, adapter, methodId, amount, currency, mode, started, openedAt, facts } = attempt
  const how = started
    ? `${started.how}${started.reference === undefined ? '' : `, reference ${started.reference}`}`
    : 'the outcome of the start is unknown'
  return [
    {
      at: openedAt,
      what: `attempt ${id} opened: ${amount} ${currency} (${mode}) by ${adapter} ${methodId}; ${how}`,
    },
    ...facts.map((fact) => ({ at: fact.at, what: `attempt ${id}: ${factWords(fact)}` })),
  ]
}

const factWords = ({ kind, amount, currency, mode, event, conflicts, source, detail }: Fact): string =>
  [
    kind,
    amount,
    currency,
    mode,
    event === undefined ? undefined : `of ${event}`,
    conflicts ? 'does not count: the event has other money' : undefined,
    `(${source})`,
    detail,
  ]
    .filter((word) => word !== undefined)
    .join(' ')

function callEvents({ calls, first, last }: Deliveries): PaymentEvent[] {
  const events = [callEvent(first)]
  if (last) {
    const { at, what } = callEvent(last)
    events.push({ at, what: `${what} (last of ${calls} deliveries)` })
  }
  return events
}

function callEvent({ at, version, status, failure, ms }: DeliveryCall): PaymentEvent {
  const outcome = failure === undefined ? `answered ${status}` : `failed: ${failure}`
  return { at, what: `webhook for status version ${version}: ${outcome} in ${ms} ms` }
}

function anomalyEvents(anomaly: OpenedAnomaly): PaymentEvent[] {
  const { kind, attemptId, openedAt, closedAt, note } = anomaly
  const about = anomalyWords(anomaly)
  const opened = {
    at: openedAt,
    what: `anomaly ${kind} opened for attempt ${attemptId}${about === '' ? '' : `: ${about}`}`,
  }
  return closedAt === undefined
    ? [opened]
    : [opened, { at: closedAt, what: `anomaly ${kind} closed: ${note}` }]
}
