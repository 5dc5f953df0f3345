import { wrongCall } from '../errors/errors.ts'
import { time } from '../printable.ts'
import type { DeliveryCall, StorePort } from '../store-port.ts'
import { anomalyWords, type OpenedAnomaly } from './ledger/anomalies.ts'
import type { MoneyRequest } from './ledger/movements.ts'
import type { Attempt, Fact, FactSource } from './ledger/payment.ts'
import type { PaymentMode, ReportWord } from './ledger/report.ts'
import { checkQuery } from './payment-views.ts'

/** Something that happened to a payment. `at` is in milliseconds since 1970. */
export type TimelineEvent = { at: number } & (
  | ({
      /** A POST /payment opened an attempt. */
      type: 'opened'
      attempt: string
      method: string
      /** The next step; not set while the outcome of the start is unknown. */
      how: 'redirect' | 'page' | 'later' | undefined
      reference: string | undefined
    } & Pick<Attempt, 'adapter' | 'amount' | 'currency' | 'mode'>)
  | {
      /** Something was learned about an attempt. */
      type: 'reported'
      attempt: string
      word: ReportWord
      source: FactSource
      amount: string | undefined
      currency: string | undefined
      mode: PaymentMode | undefined
      /** The payment service's own id. */
      event: string | undefined
      /** Until when a dispute can be answered. */
      answerBy?: number | undefined
      detail: string | undefined
      /** The process that learned it. */
      node: string | undefined
      /** The event is on record with other money: this report counts as nothing. */
      conflicts: boolean
    }
  | ({
      /** A refund or a capture was asked for. The moved money is reported in an event of its own. */
      type: 'money_asked'
      attempt: string
    } & Pick<MoneyRequest, 'kind' | 'amount' | 'currency' | 'key' | 'outcome' | 'detail' | 'why'>)
  | {
      /** The webhook of a status was delivered, or its delivery failed. Of a version the first and the last one are kept. */
      type: 'delivery'
      version: number
      status: number | undefined
      failure: string | undefined
      ms: number
      /** Set with the last one: the number of all. */
      deliveries?: number
    }
  | {
      /** The shop read a version of the status. */
      type: 'read'
      version: number
    }
  | { type: 'anomaly_opened' | 'anomaly_closed'; anomaly: OpenedAnomaly }
)

/** The history of an order's payment: all known events, in order, and what they were read from. `undefined` if the shop has none. */
export async function paymentTimeline(store: StorePort, shopId: string, orderId: string) {
  const payment = await store.payment(shopId, orderId)
  if (!payment) return undefined
  const anomalies = await store.anomalies({ shopId, orderId, closed: true, limit: 1000 })
  const calls = await store.deliveries(shopId, orderId)
  const requests = await store.moneyRequests(shopId, orderId)
  const { readAt, readVersion: version } = payment
  const events: TimelineEvent[] = [
    ...payment.attempts.flatMap(attemptEvents),
    ...requests.map(asked),
    ...calls.flatMap(({ calls: deliveries, first, last }) =>
      last ? [delivery(first), { ...delivery(last), deliveries }] : [delivery(first)],
    ),
    ...anomalies.flatMap(anomalyEvents),
    ...(readAt === undefined ? [] : [{ type: 'read' as const, at: readAt, version }]),
  ]
  return { payment, calls, requests, anomalies, events: events.sort((one, other) => one.at - other.at) }
}

function attemptEvents(one: Attempt): TimelineEvent[] {
  const { id: attempt, adapter, methodId: method, amount, currency, mode, started, openedAt: at } = one
  const { how, reference } = started ?? {}
  const opened = { adapter, method, amount, currency, mode, how, reference }
  return [{ type: 'opened', at, attempt, ...opened }, ...one.facts.map((fact) => reported(attempt, fact))]
}

function reported(attempt: string, { kind: word, at, source, conflicts, ...fact }: Fact): TimelineEvent {
  const { amount, currency, mode, event, answerBy, detail, node } = fact
  const said = { amount, currency, mode, event, answerBy, detail, node }
  return { type: 'reported', at, attempt, word, source, ...said, conflicts: conflicts === true }
}

function asked({ attemptId: attempt, askedAt: at, ...request }: MoneyRequest): TimelineEvent {
  const { kind, amount, currency, key, outcome, detail, why } = request
  return { type: 'money_asked', at, attempt, kind, amount, currency, key, outcome, detail, why }
}

const delivery = ({ at, version, status, failure, ms }: DeliveryCall) =>
  ({ type: 'delivery', at, version, status, failure, ms }) as const

function anomalyEvents(anomaly: OpenedAnomaly): TimelineEvent[] {
  const { openedAt, closedAt } = anomaly
  const opened = { type: 'anomaly_opened', at: openedAt, anomaly } as const
  return closedAt === undefined ? [opened] : [opened, { type: 'anomaly_closed', at: closedAt, anomaly }]
}

/** An event as one line. */
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

/** Reads the feed of what changed about payments. Each change is read at least once: keep a cursor once what you made of it is on disk. */
export async function readChanges(store: StorePort, from: { after?: string; limit?: number } = {}) {
  checkQuery('changes', from)
  const { after = '0', limit = 100 } = from
  if (!/^\d{1,15}$/.test(after)) throw wrongCall('`after` must be the cursor of a change')
  while (await store.placeChanges()) {
    // There may be more than fit into one commit.
  }
  return store.changes({ after: Number(after), limit: Math.min(1_000, limit) })
}
