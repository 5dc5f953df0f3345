import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import type { MoneyMoveRequest, Started } from '../../src/payments/adapter.ts'
import type { PaymentPush, PushedReport } from '../../src/payments/adapter-context.ts'
import type { PaymentReport, PaymentReports } from '../../src/payments/ledger/report.ts'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

export interface Session {
  reference: string
  key: string
  orderId: string
  amount: string
  currency: string
  status: 'open' | 'pending' | 'paid' | 'cancelled' | 'expired'
  /** Since when and until when the service worked on it, such as a bank debit. */
  worked: { from: number; until: number } | undefined
  /** What moved money, in its order. No crash of ours touches it. */
  movements: Movement[]
}

export interface Movement {
  status: 'paid' | 'refunded' | 'refund_failed' | 'charged_back' | 'chargeback_won'
  amount: number
  event: string
  /** When it moved, and whether a push says so: without one it is learned when somebody asks. */
  at: number
  isPushed: boolean
}

export interface PspHabits {
  idempotent: boolean
  finds: boolean
  givesStatus: boolean
  cancels: boolean
  /** Whether money of a customer may come while a start is still under way, as with a wallet. */
  takesEarly: boolean
  /** Whether its pushes are signed, or only say whom to ask. */
  signs: boolean
  /** Whether its status and its pushes name each movement by its id, or totals alone; with `both` its pushes ids, and its status totals. */
  names: 'movements' | 'totals' | 'both'
}

type Money = Pick<Session, 'orderId' | 'amount' | 'currency'>
type Refused = { refused: string }

/** A payment service with its own ledger, which no crash of ours touches. While `faulty` it loses, delays and repeats. */
export class Psp {
  readonly sessions: Session[] = []
  /** Refunds that the provider asked for, by key: the same key moves money once. */
  readonly asked = new Map<string, { reference: string; outcome: Movement | Refused }>()
  readonly habits: PspHabits
  faulty: boolean
  readonly #clock: Clock
  readonly #random: Random
  readonly #push: (push: PaymentPush) => Promise<boolean>

  /** `push` delivers a push to the provider; it resolves with whether it was taken. */
  constructor(
    { clock, random }: { clock: Clock; random: Random },
    habits: PspHabits,
    faulty: boolean,
    push: (push: PaymentPush) => Promise<boolean>,
  ) {
    this.#clock = clock
    this.#random = random
    this.habits = habits
    this.faulty = faulty
    this.#push = push
  }

  get(reference: string): Session | undefined {
    return this.sessions.find((session) => session.reference === reference)
  }

  /** The adapter that a developer would write for this payment service. */
  adapter(): AnyPaymentAdapter {
    const { idempotent, finds, givesStatus, cancels, signs } = this.habits
    return {
      name: 'psp',
      methods: () => [{ id: 'card', title: 'Card' }],
      start: (attempt) => this.#start(attempt.idempotencyKey, attempt),
      ...(idempotent && { idempotency: { ttl: 24 * 3_600_000 } }),
      ...(finds && { find: (key: string) => this.#find(key) }),
      ...(givesStatus && { status: ({ reference }: { reference?: string }) => this.#status(reference) }),
      ...(cancels && { cancel: ({ reference }: { reference?: string }) => this.#cancel(reference) }),
      refund: ({ reference }, request) => this.#refund(reference!, request),
      push: signs
        ? { verify: ({ headers }) => headers.signature === 'good', read: readPush }
        : { confirm: 'status', read: readPush },
    }
  }

  async #start(key: string, attempt: Money): Promise<Started> {
    await this.#network()
    const known = this.habits.idempotent ? this.sessions.find((session) => session.key === key) : undefined
    const session = known ?? this.#open(key, attempt)
    await this.#network()
    return startedAs(session)
  }

  #open(key: string, { orderId, amount, currency }: Money): Session {
    const reference = `tr_${this.sessions.length + 1}`
    const money = { orderId, amount, currency, movements: [] }
    const session: Session = { reference, key, ...money, status: 'open', worked: undefined }
    this.sessions.push(session)
    this.#clock.after(3_600_000, () => this.change(session, 'expired'))
    if (this.habits.takesEarly && this.sessions.length % 2 === 0) this.#moveAndSay(session, 'paid', 2, 0)
    return session
  }

  async #find(key: string): Promise<Started | undefined> {
    await this.#network()
    const session = this.sessions.find((one) => one.key === key)
    return session && startedAs(session)
  }

  async #status(reference: string | undefined): Promise<PaymentReports> {
    await this.#network()
    return this.#reportsOf(this.get(reference ?? '')!)
  }

  async #cancel(reference: string | undefined): Promise<PaymentReports> {
    await this.#network()
    const session = this.get(reference ?? '')!
    this.change(session, 'cancelled')
    return this.#reportsOf(session)
  }

  /** It pushes nothing about a refund that it was asked for: its answer says what it did, to every call with the key. */
  async #refund(reference: string, request: MoneyMoveRequest): Promise<PaymentReports | Refused> {
    await this.#network()
    const session = this.get(reference)!
    const known = this.asked.get(request.idempotencyKey)
    const outcome = known?.outcome ?? this.#refundOnce(session, Number(request.amount))
    this.asked.set(request.idempotencyKey, { reference, outcome })
    await this.#network()
    return 'refused' in outcome ? outcome : this.#reportOf(session, outcome)
  }

  #refundOnce(session: Session, amount: number): Movement | Refused {
    if (amount > leftOf(session, 'refunded')) return { refused: 'not enough money is left' }
    return this.#move(session, 'refunded', amount, false)
  }

  /** A step of a session by the customer or the clock. A paid session stays paid; money may come after any other step. */
  change(session: Session, status: Session['status'], ended = false): void {
    if (session.status === 'paid' || session.status === status) return
    if (status !== 'paid' && session.status !== 'open' && !(session.status === 'pending' && ended)) return
    if (session.worked && status !== 'pending')
      session.worked.until = Math.min(session.worked.until, this.#clock.now)
    session.status = status
    const reliable = !this.habits.givesStatus || !this.faulty
    const times = reliable ? 1 : this.#random.pick([0, 1, 1, 2, 3])
    const missing = Number(session.amount) - totalOf(session, 'paid')
    if (status === 'paid') this.#move(session, 'paid', missing, times > 0)
    const reports = status === 'paid' ? this.#reportOf(session, session.movements.at(-1)!) : { status }
    for (let copy = 0; copy < times; copy++) this.#announce(reports, session.reference)
  }

  /** The customer has finished, and the service works on the payment for a while: it comes, or fails. */
  work(session: Session, time: number, end: 'paid' | 'cancelled'): void {
    if (session.status !== 'open') return
    session.worked = { from: this.#clock.now, until: this.#clock.now + time }
    this.change(session, 'pending')
    this.#clock.after(time, () => this.change(session, end, true))
  }

  /** A part of the amount by a transfer of its own: of an open session, or late. */
  payPart(session: Session, amount: number): void {
    if (session.status === 'paid') return
    this.#moveAndSay(session, 'paid', amount)
    if (totalOf(session, 'paid') >= Number(session.amount)) session.status = 'paid'
  }

  /** What becomes of money that came: some of it goes back, and some of that comes again. */
  after(session: Session, status: Exclude<Movement['status'], 'paid'>, amount: number): void {
    const left = leftOf(session, status)
    if (left > 0) this.#moveAndSay(session, status, Math.min(left, amount))
  }

  #move(session: Session, status: Movement['status'], amount: number, isPushed: boolean): Movement {
    // A refund that fails is known by the id of the refund.
    const failed = status === 'refund_failed' ? failing(session) : undefined
    const event = failed?.event ?? `${session.reference}-${session.movements.length + 1}`
    const movement = { status, amount: failed?.amount ?? amount, event, at: this.#clock.now, isPushed }
    session.movements.push(movement)
    return movement
  }

  /** Such a push is never lost for good: late, doubled and in any order, but a service repeats it for days. */
  #moveAndSay(session: Session, status: Movement['status'], amount: number, delay?: number): void {
    const report = this.#reportOf(session, this.#move(session, status, amount, true))
    const times = this.faulty ? this.#random.pick([1, 1, 2, 3]) : 1
    for (let copy = 0; copy < times; copy++) this.#announce(report, session.reference, delay)
  }

  /** A movement by its id, or what it comes to. A total never falls, so a refund that fails has an id in any case. */
  #reportOf(session: Session, { status, amount, event }: Movement): PaymentReport {
    const { currency } = session
    const failable = status === 'refunded' || status === 'refund_failed'
    if (this.habits.names !== 'totals' || failable) return { status, amount, currency, event }
    return { status, amount: totalOf(session, status), currency }
  }

  #reportsOf(session: Session): PaymentReports {
    const { status, currency, movements } = session
    const reports = movements.map((movement) => this.#reportOf(session, movement))
    if (this.habits.names === 'movements') return status === 'paid' ? reports : [...reports, { status }]
    const totals = {
      received: totalOf(session, 'paid'),
      chargedBack: totalOf(session, 'charged_back'),
      chargebackWon: totalOf(session, 'chargeback_won'),
    }
    return [...reports.filter(({ status }) => status.startsWith('refund')), { status, totals, currency }]
  }

  /** A stranger reports that a session is paid. */
  forge(session: Session): void {
    const { amount, currency, reference } = session
    const body = Buffer.from(JSON.stringify({ reference, report: { status: 'paid', amount, currency } }))
    void this.#push({ body, headers: { signature: 'forged' }, query: '' })
  }

  #announce(report: PaymentReports, reference: string, soon?: number): void {
    const body = Buffer.from(JSON.stringify({ reference, report }))
    const push = { body, headers: { signature: 'good' }, query: '' }
    const delay = soon ?? (this.faulty ? this.#random.between(0, 20 * 60_000) : 1_000)
    const send = async () => {
      // A payment service repeats what was not taken.
      if (!(await this.#push(push))) this.#clock.after(10 * 60_000, () => void send())
    }
    this.#clock.after(delay, () => void send())
  }

  /** The way there and the way back: slow, and now and then lost. */
  async #network(): Promise<void> {
    if (!this.faulty) return
    await this.#clock.wait(this.#random.between(0, 1_500))
    if (this.#random.chance(0.12)) throw new Error('connection reset')
    if (this.#random.chance(0.05)) await this.#clock.wait(60_000)
  }
}

const startedAs = ({ reference }: Session): Started => ({
  redirect: `https://psp.example/${reference}`,
  reference,
})

/** All movements of a session of one kind; `refunded` without refunds that failed. */
export function totalOf({ movements }: Pick<Session, 'movements'>, status: Movement['status']): number {
  const sum = (kind: Movement['status']) =>
    movements.filter((one) => one.status === kind).reduce((all, { amount }) => all + amount, 0)
  return status === 'refunded' ? sum('refunded') - sum('refund_failed') : sum(status)
}

function failing({ movements }: Session): Movement | undefined {
  const of = (kind: Movement['status']) => movements.filter(({ status }) => status === kind)
  const failed = of('refund_failed').map(({ event }) => event)
  return of('refunded').find(({ event }) => !failed.includes(event))
}

/** How much may still move so. */
function leftOf(session: Session, status: Movement['status']): number {
  if (status === 'refund_failed') return failing(session)?.amount ?? 0
  if (status === 'chargeback_won')
    return totalOf(session, 'charged_back') - totalOf(session, 'chargeback_won')
  return totalOf(session, 'paid') - totalOf(session, 'refunded') - totalOf(session, 'charged_back')
}

const readPush = ({ body }: PaymentPush) => JSON.parse(body.toString()) as PushedReport
