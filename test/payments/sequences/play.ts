import { type Anomaly, isSame } from '../../../src/payments/ledger/anomalies.ts'
import { dueAnomalies, isMoneyBack, mayExpire } from '../../../src/payments/ledger/levels.ts'
import { learn } from '../../../src/payments/ledger/moves.ts'
import { openAttempt } from '../../../src/payments/ledger/open.ts'
import type { FactSource, Payment } from '../../../src/payments/ledger/payment.ts'
import { type PaymentReport, readReports } from '../../../src/payments/ledger/report.ts'
import { open } from '../../stores/cases/store-case.ts'
import type { Moment, ReportStep, Sequence, StartStep, Step, TimedReport } from './sequence.ts'

/** When the first attempt opens. */
const begin = Date.UTC(2027, 0, 4, 9)
const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const inMilliseconds = (moment: Moment): number =>
  Number(moment.slice(0, -1)) * units[moment.at(-1) as keyof typeof units]
const timeOf = (moment: Moment): number => begin + inMilliseconds(moment)

/** A report as an adapter gives it, at the times of the sequence. */
export function reportOf({ at, expiresAt, ...rest }: TimedReport): PaymentReport {
  const times = {
    ...(at !== undefined && { at: new Date(timeOf(at)) }),
    ...(expiresAt !== undefined && { expiresAt: new Date(timeOf(expiresAt)) }),
  }
  return { ...rest, ...times } as PaymentReport
}

export interface Played {
  payment: Payment
  /** In the order in which they opened. */
  anomalies: Anomaly[]
  /** The statuses that owed a webhook, in their order. */
  webhooks: Payment['status'][]
}

/** One order, its clock and its payment service, on the pure functions. */
class Play {
  readonly #sequence: Sequence
  readonly #anomalies: Anomaly[] = []
  readonly #webhooks: Payment['status'][] = []
  #payment: Payment

  constructor(sequence: Sequence) {
    this.#sequence = sequence
    const first = openAttempt(undefined, startOf(sequence, { at: '0s', starts: {} }, 1))
    this.#payment = first.payment
  }

  get played(): Played {
    return { payment: this.#payment, anomalies: this.#anomalies, webhooks: this.#webhooks }
  }

  step(step: Step): this {
    this.clock(step.at)
    return 'starts' in step ? this.start(step) : this.report(step)
  }

  start(step: StartStep): this {
    const number = this.#payment.attempts.length + 1
    this.#take(openAttempt(this.#payment, startOf(this.#sequence, step, number)))
    return this
  }

  report({ at, attempt = 1, report }: ReportStep): this {
    this.#learn(attempt, reportOf(report), 'push', timeOf(at))
    return this
  }

  /** What the clock does until then: attempts expire, and what has waited too long is opened. */
  clock(until: Moment): this {
    const now = timeOf(until)
    const expiring = this.#payment.attempts
      .map(({ expiresAt }, index) => ({ expiresAt, number: index + 1 }))
      .sort((one, other) => one.expiresAt - other.expiresAt)
    for (const { expiresAt, number } of expiring) {
      const attempt = this.#payment.attempts[number - 1]!
      if (expiresAt <= now && mayExpire(attempt, now, isMoneyBack(this.#payment, attempt)))
        this.#learn(number, { status: 'expired' }, 'expiry', expiresAt)
    }
    this.#open(dueAnomalies(this.#payment, now))
    return this
  }

  #learn(number: number, report: PaymentReport, source: FactSource, now: number): void {
    const { id } = this.#payment.attempts[number - 1]!
    this.#take(learn(this.#payment, id, readReports(report), { source, now }))
  }

  #take({ payment, anomalies }: { payment: Payment; anomalies: Anomaly[] }): void {
    if (payment.statusVersion > this.#payment.statusVersion) this.#webhooks.push(payment.status)
    this.#payment = payment
    this.#open(anomalies)
  }

  #open(anomalies: readonly Anomaly[]): void {
    for (const anomaly of anomalies) {
      if (!this.#anomalies.some((one) => isSame(one, anomaly))) this.#anomalies.push(anomaly)
    }
  }
}

/** Plays a sequence in the order of its documentation. */
export function play(sequence: Sequence): Played {
  const playing = new Play(sequence)
  for (const step of sequence.steps) playing.step(step)
  const { at } = sequence.steps.at(-1)!
  return playing.clock(sequence.until ?? at).played
}

/** Every attempt of a sequence, open before anything is reported: where reports of any order begin. */
export function opened(sequence: Sequence): Payment {
  const playing = new Play(sequence)
  for (const step of sequence.steps) {
    // With a choice of its own, because a repeated call opens nothing while the first attempt goes on.
    if ('starts' in step) playing.start({ ...step, starts: { ...step.starts, method: `at ${step.at}` } })
  }
  return playing.played.payment
}

/** The POST /payment of a step. */
function startOf({ order, adapter }: Sequence, { at, starts }: StartStep, number: number) {
  const now = timeOf(at)
  return open({
    orderId: '7',
    methodId: starts.method ?? 'card',
    amount: starts.amount ?? order.amount,
    currency: starts.currency ?? order.currency,
    mode: adapter.mode ?? 'live',
    authorisedIsPaid: adapter.authorisedIsPaid ?? false,
    attemptId: `default.7-${number}`,
    idempotencyKey: `key-7-${number}`,
    pageHash: `page-7-${number}`,
    ...{ now, expiresAt: now + inMilliseconds(adapter.expiresAfter ?? '1h'), checkAt: now },
  })
}
