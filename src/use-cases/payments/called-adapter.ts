import { readRetryAfter } from '../../contract/texts.ts'
import { hasCode } from '../../errors.ts'
import type { PaymentContext } from '../../payments/adapter.ts'
import type { MaybePromise } from '../../world.ts'
import { callAdapter, Deadline, DeadlinePassed, deadlineFetch } from '../call-adapter.ts'
import { isConnection } from '../rates/cause-of.ts'
import type { OpenedSettings } from '../shops/opened-settings.ts'
import { settingsFor } from '../shops/shop-settings.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'

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
