import type { PaymentStatus } from '../../../src/contract/index.ts'
import type { AnomalyKind } from '../../../src/payments/ledger/anomalies.ts'
import type { PaymentReport, Snapshot } from '../../../src/payments/ledger/report.ts'

/** A length of time, counted from the moment when the first attempt opens: `90s`, `15m`, `2h`, `4d`. */
export type Moment = `${number}${'s' | 'm' | 'h' | 'd'}`

/** Title and address of a page that describes the events, their order, ids, amounts or limits. All were read on 2026-11-22. */
type Source = readonly [title: string, url: `https://${string}`]

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
  adapter: { authorisedIsPaid?: true; expiresAfter?: Moment; mode?: 'test' | 'live' }
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
  others: string[]
  /** Kind, event and money at stake, in the order in which they open. */
  anomalies: [kind: AnomalyKind, event: string, stake?: string][]
  /** The statuses that owe the shop a webhook, in their order. */
  webhooks: PaymentStatus[]
}

/** A status and what stands behind it: an amount, a currency, an event, and figures such as `net=10.00`. */
function readWords(text: string) {
  const words = text.split(' ')
  const figures = words.filter((word) => word.includes('=')).map((word) => word.split('='))
  return {
    status: words[0],
    figures: Object.fromEntries(figures) as Record<string, string>,
    amount: words.find((word) => /^[\d.]+$/.test(word)),
    currency: words.find((word) => /^[a-z]{3}$/.test(word)),
    event: words.find((word) => word.startsWith('#'))?.slice(1),
    mode: words.find((word) => word === 'test' || word === 'live'),
  }
}

/** A report as it is written, in this currency if it names none. */
export function readReport(text: string, orders: string): PaymentReport {
  const { status, figures, amount, currency = orders, event, mode } = readWords(text)
  const totals = Object.keys(figures).length > 0 ? figures : undefined
  return {
    status,
    ...(totals && { totals, currency }),
    ...(amount && { amount, currency }),
    ...(event && { event }),
    ...(mode && { mode }),
  } as PaymentReport
}

const endOf = /^(?:until (?<until>\S+) )?= (?<expected>.+)$/

/**
 * The sequences of a payment service as they are written, each behind the page that describes it. The first line of a sequence has its name,
 * its order as `10.00 eur`, and what its adapter declares, as `expiresAfter=14d`. Under it stand its steps, what is expected of it as
 * `= status received=10.00 webhooks=paid` with money of other currencies behind that, and each anomaly behind a `!`.
 *
 * A step has its moment, what the service says, the report as `status`, `paid 10.00`, `paid 10.00 usd #event` or `paid received=10.00`, in the
 * currency of the order if it names none, and what else the report has, with its attempt. One with `start again` alone is of the shop.
 */
export function documented(text: string): Sequence[] {
  let source: Source
  const sequences: Sequence[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const [first = '', ...cells] = line.trim().split(' | ')
    const { groups } = endOf.exec(first) ?? {}
    const { steps, order, expected } = sequences.at(-1) ?? {}
    if (cells[0]?.startsWith('https:')) source = [first, cells[0] as Source[1]]
    else if (!line.startsWith(' ')) sequences.push(sequenceOf(source!, first, cells))
    else if (first.startsWith('! '))
      expected!.anomalies.push([first.slice(2), ...cells] as [AnomalyKind, string])
    else if (groups) {
      const { status, figures } = readWords(groups.expected!)
      const { webhooks = '', ...ledger } = figures
      Object.assign(sequences.at(-1)!, groups.until && { until: groups.until })
      Object.assign(expected!, {
        status,
        ledger,
        others: cells,
        webhooks: webhooks.split(',').filter(Boolean),
      })
    } else steps!.push(stepOf(first as Moment, cells, order!.currency))
  }
  return sequences
}

function sequenceOf(source: Source, name: string, [order = '', declared = '']: string[]): Sequence {
  const [amount = '', currency = ''] = order.split(' ')
  const { authorisedIsPaid, ...adapter } = readWords(declared).figures
  return {
    ...{ name, source, order: { amount, currency }, steps: [] },
    adapter: { ...adapter, ...(authorisedIsPaid && { authorisedIsPaid: true }) },
    expected: { status: 'pending', ledger: {}, others: [], anomalies: [], webhooks: [] },
  }
}

function stepOf(at: Moment, [says = '', report, more = '']: string[], currency: string): Step {
  if (report === undefined) return { at, starts: readWords(says).figures }
  const { attempt, ...rest } = readWords(more).figures
  return {
    ...{ at, says, ...(attempt && { attempt: Number(attempt) }) },
    report: { ...readReport(report, currency), ...rest } as TimedReport,
  }
}
