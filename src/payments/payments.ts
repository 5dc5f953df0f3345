import { authorOf, type By } from '../audit.ts'
import type { PaymentStatus } from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import type { PaymentChange } from '../store.ts'
import type { Starting } from './call-start.ts'
import { type PaymentRef, reportPayment } from './learn-payment.ts'
import type { OpenedAnomaly } from './ledger/anomalies.ts'
import type { OrderRef } from './ledger/payment.ts'
import type { PaymentReports } from './ledger/report.ts'
import { type MoneyMoveOptions, type MovedMoney, moveMoney } from './move-money.ts'
import { paymentTimeline, readChanges, type TimelineEvent } from './payment-timeline.ts'
import {
  checkQuery,
  listPayments,
  type PaymentList,
  type PaymentQuery,
  type PaymentView,
  readOrder,
  viewPayment,
} from './payment-views.ts'
import { askPayment } from './read-status.ts'

/** Which anomalies are listed. Default: open ones of all shops. */
export interface AnomalyQuery {
  /** The id of a shop. Default: every shop. */
  shop?: string
  /** The id of an order; without `shop` in every shop. Default: every order. */
  orderId?: string | number
  /** With `true` closed ones too. */
  closed?: boolean
  /** The most of them, at most 1,000. Default 100. */
  limit?: number
}

/** The payments of a provider, for its own code. */
export interface Payments {
  /**
   * Reports what happened to a payment. Everything else follows: the derived status, the webhook, its retries. On disk when it resolves;
   * repeating a report is harmless. With `by` it is a person's report, which the audit trail of the shop lists. Rejects with
   * `UNKNOWN_PAYMENT` if there is no such payment, and with `AUTHOR_INVALID` if `by` is not a valid name.
   */
  report(ref: PaymentRef, reports: PaymentReports, options?: By): Promise<PaymentStatus>
  /** The payment of an order with its ledger, attempts and anomalies; `undefined` if the shop has none. */
  get(order: OrderRef): Promise<PaymentView | undefined>
  /** All that happened to the payment of an order, in order; `undefined` if the shop has none. */
  timeline(order: OrderRef): Promise<TimelineEvent[] | undefined>
  /** Anomalies of payments, the oldest first: open ones, or with `closed` all of them. `limit` is 100 by default and 1,000 at most. */
  anomalies(query?: AnomalyQuery): Promise<OpenedAnomaly[]>
  /** Payments, the latest event first, page by page with `cursor`. With `q` those that have this name or amount. */
  list(query?: PaymentQuery): Promise<PaymentList>
  /**
   * The feed of what changed about payments, in the order of commits, behind the `cursor` of a change or from the beginning. Each change
   * is read at least once, on every node. `limit` is 100 by default and 1,000 at most.
   */
  changes(from?: {
    /** The `cursor` of a change. Default: from the beginning. */
    after?: string
    /** The most changes, at most 1,000. Default 100. */
    limit?: number
  }): Promise<PaymentChange[]>
  /** Asks the payment services of an order's attempts now. Rejects with `UNKNOWN_PAYMENT` if there is no such payment. */
  refresh(order: OrderRef): Promise<PaymentStatus>
  /**
   * Asks the payment service to send money back: of an order, from the attempt that was paid. The request is on disk with its idempotency
   * key first. Rejects with `MONEY_UNAVAILABLE`, `MONEY_UNKNOWN` or `UNKNOWN_PAYMENT`.
   */
  refund(ref: PaymentRef, options?: MoneyMoveOptions): Promise<MovedMoney>
  /** Asks the payment service to capture authorised money, in the same way. */
  capture(ref: PaymentRef, options?: MoneyMoveOptions): Promise<MovedMoney>
  /** Closes an anomaly by its id, with a note of what was done. `undefined` if there is none. */
  closeAnomaly(id: string, note: string, options?: By): Promise<OpenedAnomaly | undefined>
  /** Delivers the webhook of an order again. Resolves with whether there is such a payment. */
  redeliver(order: OrderRef, options?: By): Promise<boolean>
}

/** `unlock` opens the store with what is sealed in it, also for a script beside the running provider. */
export function paymentsOf(workings: Starting, unlock: () => Promise<void>): Payments {
  const { store, world, contents } = workings
  const opened = async () => {
    if (!contents.isOpen) await unlock()
    return workings
  }
  return {
    report: async (ref, reports, by) => reportPayment(await opened(), ref, reports, by),
    get: (order) => viewPayment(store, order),
    async timeline(order) {
      const { shop, orderId } = await readOrder(store, order)
      return (await paymentTimeline(store, shop, orderId))?.events
    },
    async anomalies(query = {}) {
      checkQuery('anomalies', query)
      const { shop, orderId, closed = false, limit = 100 } = query
      return store.anomalies({
        ...{ closed, limit: Math.min(1_000, limit), shopId: shop },
        orderId: orderId === undefined ? undefined : String(orderId),
      })
    },
    list: (query) => listPayments(store, query),
    changes: (from) => readChanges(store, from),
    async refresh(order) {
      const { shop, orderId } = await readOrder(store, order)
      return (await askPayment(await opened(), shop, orderId)).status
    },
    refund: async (ref, options) => moveMoney(await opened(), 'refund', ref, options),
    capture: async (ref, options) => moveMoney(await opened(), 'capture', ref, options),
    async closeAnomaly(id, note, { by } = {}) {
      if (typeof id !== 'string' || typeof note !== 'string')
        throw wrongCall('payments.closeAnomaly takes the id of an anomaly and a note, both as text')
      return store.closeAnomaly(id, note, world.now(), by === undefined ? undefined : authorOf(by))
    },
    async redeliver(order, { by } = {}) {
      const { shop, orderId } = await readOrder(store, order)
      const author = by === undefined ? undefined : authorOf(by)
      const found = await store.replayWebhook(shop, orderId, world.now(), author)
      if (found) workings.wake()
      return found
    },
  }
}
