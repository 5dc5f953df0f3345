import type { PaymentStatus } from '../contract/index.ts'
import type { ReportWord } from '../payments/report.ts'

/** The feed of what changed about payments, in the order of commits. */
export interface ChangeStore {
  /** Gives new changes their places in the feed, some thousand at a time. Resolves with whether there may be more. */
  placeChanges(): Promise<boolean>
  /** The changes behind a place, in order. */
  changes(filter: { after: number; limit: number }): Promise<PaymentChange[]>
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
