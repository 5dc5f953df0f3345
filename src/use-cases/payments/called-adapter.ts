import { readRetryAfter } from '../../contract/texts.ts'
import { hasCode } from '../../errors.ts'
import type { AttemptContext, PaymentContext } from '../../payments/adapter.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { PaymentReports } from '../../payments/report.ts'
import type { MaybePromise } from '../../world.ts'
import { callAdapter, Deadline, DeadlinePassed, deadlineFetch } from '../call-adapter.ts'
import { isConnection } from '../rates/cause-of.ts'
import { earlierSettings, OpenedSettings, settingsFor } from '../shops/shop-settings.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { reportPayment } from './learn-payment.ts'

/** A payment adapter's context, valid until the deadline. */
export async function paymentContext(called: CalledAdapter): Promise<PaymentContext> {
  const { workings, adapter, shopId, deadline } = called
  const { name, network } = adapter
  const settings = called.settings ?? (await settingsFor(workings, shopId, adapter))
  const guarded = deadlineFetch(workings.world, deadline, { name, network, shop: shopId, kind: 'payments' })
  return {
    shop: { id: shopId },
    get settings() {
      return settings?.of(adapter)
    },
    get signal() {
      return deadline.signal
    },
    fetch: (...call) => called.watch(guarded(...call)),
    now: workings.world.now,
    log: workings.world.log,
  }
}

export const leftAlone = 'the payment service answered 429 and is left alone'

/** The payment service of an adapter failed. */
export class ServiceFailed extends Error {
  override readonly name = 'ServiceFailed'
  /** How long it wants to be left alone, in milliseconds. */
  readonly pause: number
  constructor(failure: string, pause: number, cause?: unknown) {
    super(failure, { cause })
    this.pause = pause
  }
}

/** A payment adapter that is called for a shop, with one deadline for all its calls: milliseconds from now, or that of other work. */
export class CalledAdapter {
  readonly workings: Workings
  readonly adapter: AnyPaymentAdapter
  readonly shopId: string
  readonly deadline: Deadline
  /** Earlier settings of the shop; not set for those of now. */
  readonly settings: OpenedSettings | undefined
  /** The status that the last call of its `ctx.fetch` was answered: 0 where there was no answer. */
  lastStatus: number | undefined

  constructor(
    workings: Workings,
    adapter: AnyPaymentAdapter,
    shopId: string,
    within: number | Deadline,
    settings?: OpenedSettings,
  ) {
    this.settings = settings
    this.workings = workings
    this.adapter = adapter
    this.shopId = shopId
    this.deadline = typeof within === 'number' ? new Deadline(workings.world, within) : within
  }

  /** The same within the same deadline, with earlier settings. */
  with(settings: OpenedSettings): CalledAdapter {
    return new CalledAdapter(this.workings, this.adapter, this.shopId, this.deadline, settings)
  }

  /** Calls a member, such as `start`. */
  async ask<A>(call: string, into: () => MaybePromise<A>): Promise<A> {
    const { workings, adapter, shopId: shop, deadline } = this
    return callAdapter(workings, { adapter, call, shop, deadline }, into)
  }

  /** Notes what the payment service answers to a call. One that answers 429 is left alone for as long as it says. */
  async watch(call: Promise<Response>): Promise<Response> {
    try {
      const answer = await call
      const { status } = answer
      this.lastStatus = status
      if (status === 429) {
        const { world, memory } = this.workings
        const now = world.now()
        memory.askPauses.begin(this.#account, now, readRetryAfter(answer.headers.get('retry-after'), now))
      }
      return answer
    } catch (error) {
      this.lastStatus = hasCode(error, 'OUTGOING_REFUSED') ? undefined : 0
      throw error
    }
  }

  /** The failure of the payment service behind an error of the adapter, if it is one. The words are ours: those of the error may repeat a push. */
  failureOf(error: unknown): ServiceFailed | undefined {
    const status = isConnection(error) ? 0 : (this.lastStatus ?? 200)
    const failed = (words: string) => new ServiceFailed(words, this.pause, error)
    if (error instanceof DeadlinePassed) return failed(error.message)
    if (status === 0) return failed('the payment service did not answer')
    return status >= 500 || status === 429 ? failed(`the payment service answered ${status}`) : undefined
  }

  /** How long the payment service wants to be left alone, in milliseconds. */
  get pause(): number {
    return this.workings.memory.askPauses.left(this.#account, this.workings.world.now())
  }

  get #account() {
    return { adapter: this.adapter.name, shop: this.shopId }
  }
}

/** A payment adapter's context for one attempt. Its `report` outlives the deadline. */
export async function attemptContext(
  called: CalledAdapter,
  { id: attemptId }: Attempt,
): Promise<AttemptContext> {
  return Object.assign(await paymentContext(called), {
    report: (reports: PaymentReports) => reportPayment(called.workings, { attemptId }, reports),
  })
}

/** Another process may start a payment with the settings of a moment ago. In milliseconds. */
const staleFor = 60_000

/**
 * Calls an adapter about an attempt with the settings of now. Where the payment service refuses these with 401, 403 or 404, calls it with those
 * under which the attempt was started: a merchant changed a key or the account since. Where all are refused, the first outcome counts.
 */
export async function withSettingsOf<T>(
  called: CalledAdapter,
  { openedAt }: Attempt,
  call: (called: CalledAdapter) => Promise<T>,
): Promise<T> {
  const outcome = await outcomeOf(called, call)
  if (!isRefused(called)) return outcome()
  for (const again of await calledEarlier(called, openedAt - staleFor)) {
    const other = await outcomeOf(again, call)
    if (!isRefused(again)) return other()
  }
  return outcome()
}

/** By the last answer: what was looked up in vain before it refuses nothing. */
const isRefused = ({ lastStatus }: CalledAdapter) => [401, 403, 404].includes(lastStatus ?? 0)

const outcomeOf = <T>(called: CalledAdapter, call: (called: CalledAdapter) => Promise<T>): Promise<() => T> =>
  call(called).then(
    (value) => () => value,
    (error: unknown) => {
      if (hasCode(error, 'SETTINGS_MISSING')) called.lastStatus = 401
      return () => {
        throw error
      }
    },
  )

/** The same call with earlier settings of the adapter that were in use after `since`, the oldest first. */
export async function calledEarlier(called: CalledAdapter, since: number): Promise<CalledAdapter[]> {
  const { workings, adapter, shopId } = called
  const shop = adapter.settings && (await workings.store.shop(shopId))
  return (shop ? earlierSettings(workings, shop) : [])
    .filter(({ until, adapters }) => until > since && Object.hasOwn(adapters, adapter.name))
    .map(({ adapters }) => called.with(new OpenedSettings(shopId, { adapters })))
}
