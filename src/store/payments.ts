import type { PaymentStatus } from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { AnomalyKind } from '../payments/anomalies.ts'
import type { MoneyRequest, MoneyRequestKind } from '../payments/movements.ts'
import type { ReportWord } from '../payments/report.ts'

/** Anomalies of one kind and adapter have one cause while no pause between them is longer than this, in milliseconds. */
export const sameCauseWithin = 30 * 60_000

export interface AnomalyFilter {
  shopId?: string
  orderId?: string
  /** Includes closed anomalies. */
  closed?: boolean
  limit: number
}

/** Open anomalies of one kind and adapter share a cause if each opened within `within` milliseconds after the one before. */
export interface CauseFilter {
  shopId?: string | undefined
  within: number
  limit: number
}

export interface AnomalyCause {
  kind: AnomalyKind
  /** Not set if the attempt no longer exists. */
  adapter: string | undefined
  count: number
  /** The number of shops. */
  shops: number
  /** Set if it is in one shop, and of one order. */
  shopId: string | undefined
  orderId: string | undefined
  /** Set if it is one anomaly. */
  id: string | undefined
  /** When the first and the last of them opened, in milliseconds since 1970. */
  openedAt: number
  lastOpenedAt: number
  /** The money of one anomaly; not set where it has none, or there are several. */
  expected?: string | undefined
  received?: string | undefined
  stake?: string | undefined
  currency?: string | undefined
  /** The next step, for a person. */
  remedy: string
}

export interface AnomalyChoice {
  kind: AnomalyKind
  adapter?: string | undefined
  shopId?: string | undefined
  /** Only those opened before this moment. */
  before: number
  limit: number
}

/** One thing that changed about a payment: an attempt was opened, or something was reported about it. */
export interface PaymentChange {
  /** Its place in the feed: give it as `after` to read what follows. */
  cursor: string
  shop: string
  orderId: string
  attempt: string
  /** Milliseconds since 1970. */
  at: number
  kind: 'opened' | ReportWord
  /** The payment service's id of the movement. */
  event: string | undefined
  /** The amount of the attempt with `opened`, otherwise that of the report. */
  amount: string | undefined
  currency: string | undefined
  /** The payment's status after it. */
  status: PaymentStatus
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
