import { dueAnomalies, isMoneyBack, mayExpire } from '../../../src/payments/ledger/levels.ts'
import type { Fact, Payment } from '../../../src/payments/ledger/payment.ts'
import { type PaymentReport, readReports } from '../../../src/payments/ledger/report.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { reportOf, startOf, timeOf } from './play.ts'
import type { Moment, ReportStep, Sequence, Step } from './sequence.ts'

let orders = 0

/** One order of a sequence in a store, with its own id. */
export class OrderInStore {
  readonly #store: StorePort
  readonly #sequence: Sequence
  readonly #orderId = `${++orders}`
  #attempts = 0

  constructor(store: StorePort, sequence: Sequence) {
    this.#store = store
    this.#sequence = sequence
  }

  async payment(): Promise<Payment> {
    return (await this.#store.payment('default', this.#orderId))!
  }

  /** Kind, event and stake, as the store has them. */
  async anomalies(): Promise<string[]> {
    const opened = await this.#store.anomalies({ orderId: this.#orderId, limit: 100, closed: true })
    return opened.map(({ kind, event, stake }) => [kind, event, stake ?? ''].join(' ')).sort()
  }

  async start(at: Moment, starts: { amount?: string; currency?: string; method?: string }): Promise<void> {
    const number = ++this.#attempts
    const { outcome } = await this.#store.openAttempt(
      startOf(this.#sequence, { at, starts }, number, this.#orderId),
    )
    if (outcome !== 'opened') this.#attempts--
  }

  /** Every attempt of the sequence, each with a choice of its own. */
  async startAll(): Promise<this> {
    await this.start('0s', {})
    for (const step of this.#sequence.steps)
      if ('starts' in step) await this.start(step.at, { ...step.starts, method: `at ${step.at}` })
    return this
  }

  say({ attempt = 1, report }: ReportStep, at: Moment): Promise<unknown> {
    return this.#learn(attempt, reportOf(report), 'push', timeOf(at))
  }

  /** The steps in the order of their documentation, with what the clock does between them. */
  async play(): Promise<this> {
    const { steps, until } = this.#sequence
    await this.start('0s', {})
    for (const step of steps) await this.#step(step)
    await this.#clock(until ?? steps.at(-1)!.at)
    return this
  }

  async #step(step: Step): Promise<void> {
    await this.#clock(step.at)
    if ('starts' in step) await this.start(step.at, step.starts)
    else await this.say(step, step.at)
  }

  async #clock(until: Moment): Promise<void> {
    const now = timeOf(until)
    const { attempts } = await this.payment()
    const expiring = attempts
      .map(({ expiresAt }, index) => ({ expiresAt, number: index + 1 }))
      .filter(({ expiresAt }) => expiresAt <= now)
      .sort((one, other) => one.expiresAt - other.expiresAt)
    for (const { expiresAt, number } of expiring) {
      const payment = await this.payment()
      const attempt = payment.attempts[number - 1]!
      if (mayExpire(attempt, now, isMoneyBack(payment, attempt)))
        await this.#learn(number, { status: 'expired' }, 'expiry', expiresAt)
    }
    for (const anomaly of dueAnomalies(await this.payment(), now))
      await this.#store.openAnomaly('default', this.#orderId, anomaly, now)
  }

  #learn(number: number, report: PaymentReport, source: Fact['source'], now: number): Promise<unknown> {
    const { attemptId } = startOf(this.#sequence, { at: '0s', starts: {} }, number, this.#orderId)
    return this.#store.learn('default', this.#orderId, attemptId, readReports(report), { source, now })
  }
}
