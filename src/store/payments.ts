import type { PaymentStatus } from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { MoneyRequest, MoneyRequestKind } from '../payments/money-request.ts'
import type { ReportWord } from '../payments/report.ts'

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

export type OpenedMoneyRequest =
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

export interface StatusVersion extends OrderKey {
  version: number
}

export interface PrunePayments {
  before: number
  limit: number
  dryRun: boolean
  byHand?: { by: string; now: number } | undefined
}
