import type { PaymentPush, PushedReport, Started } from '../../src/payments/adapter.ts'
import type { PaymentReport } from '../../src/payments/facts.ts'
import type { AnyPaymentAdapter } from '../../src/use-cases/workings.ts'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

export interface Session {
  reference: string
  key: string
  orderId: string
  amount: string
  currency: string
  status: 'open' | 'paid' | 'cancelled' | 'expired'
}

export interface PspHabits {
  idempotent: boolean
  finds: boolean
  givesStatus: boolean
  cancels: boolean
  /** Whether its pushes are signed, or only say whom to ask. */
  signs: boolean
}

/** A payment service with its own ledger, which no crash of ours touches. While `faulty` it loses, delays and repeats. */
export class Psp {
  readonly sessions: Session[] = []
  readonly habits: PspHabits
  faulty: boolean
  readonly #clock: Clock
  readonly #random: Random
  readonly #push: (push: PaymentPush) => Promise<boolean>

  constructor(options: {
    clock: Clock
    random: Random
    habits: PspHabits
    faulty: boolean
    /** Delivers a push to the provider; resolves with whether it was taken. */
    push: (push: PaymentPush) => Promise<boolean>
  }) {
    this.#clock = options.clock
    this.#random = options.random
    this.habits = options.habits
    this.faulty = options.faulty
    this.#push = options.push
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
      push: signs
        ? { verify: ({ headers }) => headers.signature === 'good', read: readPush }
        : { confirm: 'status', read: readPush },
    }
  }

  async #start(
    key: string,
    attempt: { orderId: string; amount: string; currency: string },
  ): Promise<Started> {
    await this.#network()
    const known = this.habits.idempotent ? this.sessions.find((session) => session.key === key) : undefined
    const session = known ?? this.#open(key, attempt)
    await this.#network()
    return startedAs(session)
  }

  #open(
    key: string,
    { orderId, amount, currency }: { orderId: string; amount: string; currency: string },
  ): Session {
    const reference = `tr_${this.sessions.length + 1}`
    const session: Session = { reference, key, orderId, amount, currency, status: 'open' }
    this.sessions.push(session)
    this.#clock.after(3_600_000, () => this.change(session, 'expired'))
    return session
  }

  async #find(key: string): Promise<Started | undefined> {
    await this.#network()
    const session = this.sessions.find((one) => one.key === key)
    return session && startedAs(session)
  }

  async #status(reference: string | undefined): Promise<PaymentReport> {
    await this.#network()
    return reportOf(this.get(reference ?? '')!)
  }

  async #cancel(reference: string | undefined): Promise<PaymentReport> {
    await this.#network()
    const session = this.get(reference ?? '')!
    this.change(session, 'cancelled')
    return reportOf(session)
  }

  /** A step of a session by the customer or the clock. A paid session stays paid; money may come after any other step. */
  change(session: Session, status: Session['status']): void {
    if (session.status === 'paid' || session.status === status) return
    if (status !== 'paid' && session.status !== 'open') return
    session.status = status
    const reliable = !this.habits.givesStatus || !this.faulty
    const times = reliable ? 1 : this.#random.pick([0, 1, 1, 2, 3])
    for (let copy = 0; copy < times; copy++) this.#announce(reportOf(session), session.reference)
  }

  /** A stranger reports that a session is paid. */
  forge(session: Session): void {
    const { amount, currency, reference } = session
    const body = Buffer.from(JSON.stringify({ reference, report: { status: 'paid', amount, currency } }))
    void this.#push({ body, headers: { signature: 'forged' }, query: '' })
  }

  #announce(report: PaymentReport, reference: string): void {
    const body = Buffer.from(JSON.stringify({ reference, report }))
    const push = { body, headers: { signature: 'good' }, query: '' }
    const delay = this.faulty ? this.#random.between(0, 20 * 60_000) : 1_000
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

const reportOf = ({ status, amount, currency }: Session): PaymentReport => {
  if (status === 'paid') return { status, amount, currency }
  return { status: status === 'open' ? 'pending' : status }
}

const readPush = ({ body }: PaymentPush) => JSON.parse(body.toString()) as PushedReport
