import type { PaymentStatus } from '../contract/index.ts'
import type { ReportWord } from '../payments/report.ts'

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
