import type { PaymentStatus } from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { FactSource } from '../payments/facts.ts'
import type { MoneyRequest, MoneyRequestKind } from '../payments/money-request.ts'
import type { Learned } from '../payments/moves.ts'
import type { OpenAttempt, Opened } from '../payments/open.ts'
import type { Attempt, AttemptStart, Payment, ServiceAnswer } from '../payments/payment.ts'
import type { ReportWord, Statement } from '../payments/report.ts'

export interface PaymentStore {
  openAttempt(open: OpenAttempt): Promise<Opened>
  /**
   * Stores the next step of an attempt, and makes the pushes due that wait for its reference: `pushesDue` says whether there are any, and
   * `isReplaced` whether a newer attempt was opened meanwhile.
   */
  noteStart(
    attempt: Attempt,
    started: AttemptStart,
    times: { expiresAt: number; checkAt: number },
  ): Promise<{ attempt: Attempt; pushesDue: boolean; isReplaced: boolean }>
  /** Adds what is new of a report; a change of status, the webhook it owes and the anomalies it opens are one commit with them. */
  learn(
    shopId: string,
    orderId: string,
    attemptId: string,
    statements: readonly Statement[],
    how: { source: FactSource; now: number; byHand?: HandReport | undefined },
  ): Promise<Learned>
  payment(shopId: string, orderId: string): Promise<Payment | undefined>
  attempt(shopId: string, attemptId: string): Promise<Attempt | undefined>
  /**
   * The newest one of an order, of any shop without `shopId`. Rejects with `ADAPTER_ANSWER_INVALID` where several orders have it, and with
   * `ARGUMENT_INVALID` where several shops do: money must not reach another order.
   */
  attemptByReference(
    shopId: string | undefined,
    adapter: string,
    reference: string,
  ): Promise<Attempt | undefined>
  attemptByPage(pageHash: string): Promise<{ attempt: Attempt; payment: Payment } | undefined>
  /**
   * Reserves the attempt's page for one caller until it is released or `until`, and stores where the customer is, sealed, as one commit. Does
   * neither while another caller has it, or where the state is another than the one `seen`. Resolves with whether this caller has it.
   */
  leasePage(shopId: string, attemptId: string, lease: PageLease): Promise<boolean>
  /** Ends the reservation `until` and stores where the customer is. Does neither, and resolves with `false`, once it is another caller's. */
  releasePage(shopId: string, attemptId: string, left: PageLeft): Promise<boolean>

  /** Payments, latest change of status first. */
  payments(filter: PaymentFilter): Promise<Payment[]>
  /** The same payments in the same order, without what they are made of. */
  paymentSummaries(filter: PaymentFilter): Promise<PaymentSummary[]>
  /** Orders of all shops with one of these ids: at most a hundred for each kind of id, newest first. */
  findOrders(names: PaymentNames): Promise<FoundOrder[]>
  /** Up to `limit` shops that have a payment for an order of this id, by their ids. */
  shopsOfOrder(orderId: string, limit: number): Promise<string[]>
  /** The latest changed orders of all shops, with the version of their status. */
  statusVersions(limit: number): Promise<StatusVersion[]>
  /** The platform has read the status up to `version`. */
  noteRead(shopId: string, orderId: string, version: number, now: number): Promise<void>

  /**
   * Stores a refund or a capture before its payment service is asked. Without `key` an open request of the same amount is asked again. Money
   * that the attempt does not have left is refused.
   */
  openMoneyRequest(open: OpenMoneyRequest): Promise<OpenedMoneyRequest>
  /** Stores the outcome. It stays as it was first settled. */
  settleMoneyRequest(request: MoneyRequest, outcome: 'done' | 'refused', detail?: string): Promise<void>
  /** Refunds and captures of an order, oldest first. */
  moneyRequests(shopId: string, orderId: string): Promise<MoneyRequest[]>

  /** Claims up to `limit` attempts that are due for a check, from `now` each until `leaseUntil`; none of the adapters in `without`. */
  claimChecks(claim: {
    now: number
    leaseUntil: number
    limit: number
    without?: readonly string[]
  }): Promise<Attempt[]>
  /** Sets the next check of the attempt; without `checkAt` there is none. */
  setCheck(shopId: string, attemptId: string, checkAt: number | undefined): Promise<void>
  /** The next checks of an order's attempts, by attempt id; attempts without one are left out. */
  nextChecks(shopId: string, orderId: string): Promise<Record<string, NextCheck>>
  /** Stores the last answer of an attempt's payment service. */
  noteAsked(shopId: string, attemptId: string, answer: ServiceAnswer): Promise<void>
  /** Counts a call of an adapter's `status` in this hour, unless `most` are counted already. Resolves with whether it may be made. */
  countAsk(adapter: string, hour: number, most: number): Promise<boolean>

  /** Erases all data of an order's payment. Resolves with whether there was one. */
  erasePayment(shopId: string, orderId: string, now: number, by?: string): Promise<boolean>
  /**
   * Erases up to `limit` ended payments: their status changed last before the given time and is not pending, nothing is owed, and no
   * anomaly is open. Resolves with their number; with `dryRun` it only counts. The audit trail lists only payments pruned `byHand`.
   */
  prunePayments(prune: PrunePayments): Promise<number>
}

export interface PageLeft {
  /** The end of the reservation: no two of a page have the same. */
  until: number
  state: string | undefined
}

export interface PageLease extends PageLeft {
  now: number
  seen: string | undefined
}

export interface OrderKey {
  shopId: string
  orderId: string
}

export interface NextCheck {
  /** When it is due. While a process makes it, the end of its lease. */
  at: number
  /** When that process claimed it. Not set where none makes it. */
  beganAt: number | undefined
}

export interface OpenMoneyRequest extends OrderKey {
  kind: MoneyRequestKind
  attemptId: string
  /** Without it: all that is left. */
  amount: Decimal | undefined
  /** The key of a request to repeat, and the one for a new request. */
  key: string | undefined
  newKey: string
  now: number
  by: string
}

type OpenedMoneyRequest =
  | { outcome: 'opened' | 'known'; request: MoneyRequest }
  /** The key belongs to another request. */
  | { outcome: 'other' }
  | { outcome: 'too much'; left: Decimal }

/** A person's report, for the audit trail. */
export interface HandReport {
  by: string
  status: ReportWord
}

/** One payment of a list. */
export interface PaymentSummary {
  shop: string
  orderId: string
  status: PaymentStatus
  /** The amount of the newest attempt. */
  amount: string
  currency: string
  adapter: string
  /** Milliseconds since 1970; `changedAt` is when the status last changed. */
  openedAt: number
  changedAt: number
}

export interface PaymentFilter {
  shopId?: string
  status?: PaymentStatus
  /** Only payments whose status changed then or later. */
  since?: number
  /** Only payments behind this one in the list. */
  after?: { changedAt: number; shopId: string; orderId: string }
  limit: number
}

export interface PaymentNames {
  /** The id or the number of the order, the id of the attempt or of an anomaly, a reference, an idempotency key. */
  name: string
  pageHash: string
  /** Of this shop alone. */
  shopId?: string | undefined
}

export type NamedBy =
  | 'order'
  | 'attempt'
  | 'order number'
  | 'reference'
  | 'idempotency key'
  | 'event'
  | 'amount'
  | 'page'
  | 'anomaly'

export interface FoundOrder extends OrderKey {
  by: NamedBy
}

interface StatusVersion extends OrderKey {
  version: number
}

export interface PrunePayments {
  before: number
  limit: number
  dryRun: boolean
  byHand?: { by: string; now: number } | undefined
}
