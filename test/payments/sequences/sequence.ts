import type { PaymentStatus } from '../../../src/contract/index.ts'
import type { AnomalyKind } from '../../../src/payments/anomaly-kinds.ts'
import type { PaymentReport, Snapshot } from '../../../src/payments/report.ts'

/** A length of time, counted from the moment when the first attempt opens: `90s`, `15m`, `2h`, `4d`. */
export type Moment = `${number}${'s' | 'm' | 'h' | 'd'}`

/** A page of public documentation that describes the events, their order, ids, amounts or limits. */
export interface Source {
  title: string
  url: string
  /** The day on which it was read. */
  read: string
}

type Timed<R> = R extends unknown ? Omit<R, 'at' | 'expiresAt'> & { at?: Moment; expiresAt?: Moment } : never
/** What an adapter reports, with times as moments of the sequence. */
export type TimedReport = Timed<Exclude<PaymentReport, Snapshot>> | Timed<Snapshot>

export interface ReportStep {
  at: Moment
  /** The payment service's own name for what it says. */
  says: string
  /** Which attempt it is about, counted from 1. Default: 1. */
  attempt?: number
  report: TimedReport
}

/** The shop starts the order again. */
export interface StartStep {
  at: Moment
  starts: { amount?: string; currency?: string; method?: string }
}

export type Step = ReportStep | StartStep

/** An order as a payment service lives through it, and what must come of it. */
export interface Sequence {
  name: string
  source: Source
  order: { amount: string; currency: string }
  /** What the adapter declares and answers to a start. `expiresAfter` is 1 h where it says nothing. */
  adapter?: { authorisedIsPaid?: true; expiresAfter?: Moment; mode?: 'test' | 'live' }
  steps: Step[]
  /** How long the clock goes on behind the last step. */
  until?: Moment
  expected: Expected
}

interface Expected {
  status: PaymentStatus
  /** Of the attempt that counts. What is left out is 0. */
  ledger: Partial<Record<'received' | 'refunded' | 'chargedBack' | 'chargebackWon' | 'net', string>>
  /** Money in another currency or mode: what was received of it. */
  others?: string[]
  /** Kind, event and money at stake, in the order in which they open. */
  anomalies?: [kind: AnomalyKind, event: string, stake?: string][]
  /** The statuses that owe the shop a webhook, in their order. */
  webhooks: PaymentStatus[]
}
