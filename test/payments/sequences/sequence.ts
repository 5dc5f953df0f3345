import type { PaymentStatus } from '../../../src/contract/index.ts'
import type { AnomalyKind } from '../../../src/payments/anomalies.ts'
import type { PaymentReport, Snapshot } from '../../../src/payments/report.ts'

/** A length of time, counted from the moment when the first attempt opens: `90s`, `15m`, `2h`, `4d`. */
export type Moment = `${number}${'s' | 'm' | 'h' | 'd'}`

/** Title and address of a page that describes the events, their order, ids, amounts or limits. All were read on 2026-11-22. */
export type Source = readonly [title: string, url: `https://${string}`]

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

interface Written {
  adapter?: Sequence['adapter']
  steps: readonly (
    | readonly [at: Moment, starts: StartStep['starts']]
    | readonly [at: Moment, says: string, report: string, more?: Record<string, unknown>]
  )[]
  until?: Moment
  /** Status, ledger and the webhooks in their order: `paid received=10.00 net=10.00 webhooks=expired,paid`. */
  expected: string
  others?: string[]
  anomalies?: Expected['anomalies']
}

/** A status and what stands behind it: an amount, a currency, an event, and figures such as `net=10.00`. */
function readWords(text: string) {
  const [status, ...words] = text.split(' ')
  const figures = words.filter((word) => word.includes('=')).map((word) => word.split('='))
  return {
    status,
    figures: Object.fromEntries(figures) as Record<string, string>,
    amount: words.find((word) => /^[\d.]+$/.test(word)),
    currency: words.find((word) => /^[a-z]{3}$/.test(word)),
    event: words.find((word) => word.startsWith('#'))?.slice(1),
  }
}

/** A report as it is written, in this currency if it names none. */
export function readReport(text: string, orders: string): PaymentReport {
  const { status, figures, amount, currency = orders, event } = readWords(text)
  const totals = Object.keys(figures).length > 0 ? figures : undefined
  return {
    status,
    ...(totals && { totals, currency }),
    ...(amount && { amount, currency }),
    ...(event && { event }),
  } as PaymentReport
}

/**
 * Sequences that a page describes, as they are written: the order is `10.00 eur`, a report `status`, `paid 10.00`, `paid 10.00 usd #event` or
 * `paid received=10.00`, in the currency of the order if it names none. What else a report has stands behind it, with its attempt.
 */
export const documented =
  (...source: Source) =>
  (name: string, order: string, written: Written): Sequence => {
    const { adapter, steps, until, expected, others, anomalies } = written
    const [amount, currency] = order.split(' ') as [string, string]
    const { status, figures } = readWords(expected)
    const { webhooks = '', ...ledger } = figures
    return {
      name,
      source,
      order: { amount, currency },
      ...(adapter && { adapter }),
      steps: steps.map((step) => {
        if (step.length === 2) return { at: step[0], starts: step[1] }
        const [at, says, report, { attempt, ...more } = {}] = step
        return {
          at,
          says,
          ...(attempt !== undefined && { attempt }),
          report: { ...readReport(report, currency), ...more },
        }
      }) as Step[],
      ...(until && { until }),
      expected: {
        status,
        ledger,
        ...(others && { others }),
        ...(anomalies && { anomalies }),
        webhooks: webhooks.split(',').filter(Boolean),
      } as Expected,
    }
  }
