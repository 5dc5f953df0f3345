import type { Anomaly } from '../../src/payments/ledger/anomalies.ts'
import { dueAnomalies } from '../../src/payments/ledger/levels.ts'
import { learn } from '../../src/payments/ledger/moves.ts'
import { type OpenAttempt, type Opened, openAttempt } from '../../src/payments/ledger/open.ts'
import type { FactSource, Payment } from '../../src/payments/ledger/payment.ts'
import { type MoneyWord, type PaymentReport, readReports } from '../../src/payments/ledger/report.ts'
import { open } from '../stores/cases/store-case.ts'
import { readReport } from './sequences/sequence.ts'

export const hour = 3_600_000
export const day = 24 * hour

type Start = Partial<
  Pick<OpenAttempt, 'amount' | 'currency' | 'mode' | 'methodId' | 'authorisedIsPaid' | 'startsAtZero'>
>

/** Reports as they are written, in eur: `paid 60.00 #t1, expired`. */
export const reportsOf = (text: string): PaymentReport[] =>
  text
    .split(', ')
    .filter(Boolean)
    .map((one) => readReport(one, 'eur'))

/** One order on the pure functions. Times are milliseconds since its first attempt, which expires after an hour. */
export class Order {
  #payment: Payment | undefined
  readonly anomalies: Anomaly[] = []
  /** The events of anomalies that a report has ended. */
  readonly ended: string[] = []

  /** Opens a first attempt of 100.00 eur. */
  constructor(start: Start = {}) {
    this.start(start)
  }

  get payment(): Payment {
    return this.#payment!
  }

  /** Kind, event and stake of what was opened. */
  get opened(): (string | undefined)[][] {
    return this.anomalies.map(({ kind, event, stake }) => [kind, event, stake])
  }

  start(start: Start = {}, now = 0): Opened {
    const number = (this.#payment?.attempts.length ?? 0) + 1
    const own = { orderId: '7', amount: '100.00', attemptId: `a${number}`, methodId: `method ${number}` }
    const times = { now, expiresAt: now + hour, checkAt: now }
    const opened = openAttempt(this.#payment, open({ ...own, ...times, ...start }))
    this.#payment = opened.payment
    this.anomalies.push(...opened.anomalies)
    return opened
  }

  /** Learns reports in one, as they are or as `says` has them: `paid 60.00 #t1, expired`. */
  learn(
    reports: PaymentReport | readonly PaymentReport[] | string,
    { attempt = 1, now = 0, source = 'push' }: { attempt?: number; now?: number; source?: FactSource } = {},
  ): this {
    const learned = learn(
      this.payment,
      `a${attempt}`,
      readReports(typeof reports === 'string' ? reportsOf(reports) : reports),
      { source, now },
    )
    this.#payment = learned.payment
    this.anomalies.push(...learned.anomalies)
    this.ended.push(...learned.ended.map(({ kind, event }) => `${kind}: ${event}`))
    return this
  }

  /** Learns one report after the other, at once: `paid 60.00 #t1` in eur, `expired`, or `2: expired` of the second attempt. */
  says(...reports: string[]): this {
    for (const report of reports) {
      const [said = '', attempt = 1] = report.split(': ').toReversed()
      this.learn(said, { attempt: Number(attempt) })
    }
    return this
  }

  due(now: number): (string | undefined)[][] {
    return dueAnomalies(this.payment, now).map(({ kind, event, stake }) => [kind, event, stake])
  }
}

/** A report of any word, with the event that a dispute or a name needs. */
export const named = <Report extends { status: string; event?: string | undefined }>(
  report: Report,
): Report =>
  ['disputed', 'named'].includes(report.status) ? { ...report, event: report.event ?? 'e1' } : report

export const money = (status: MoneyWord, amount: string, event?: string): PaymentReport => ({
  status,
  amount,
  currency: 'eur',
  event,
})
