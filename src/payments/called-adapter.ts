import { callAdapter, Deadline, DeadlinePassed, deadlineFetch } from '../adapters/call-adapter.ts'
import { isConnection } from '../adapters/cause-of.ts'
import type { AnyPaymentAdapter } from '../any-adapter.ts'
import { hasCode } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import type { ContentSeal } from '../shops/seal.ts'
import { OpenedSettings } from '../shops/shop-settings.ts'
import { type MaybePromise, readRetryAfter } from '../world.ts'
import type { PaymentAttempt, PaymentContext } from './adapter-context.ts'
import type { Attempt } from './ledger/payment.ts'

/** Takes part in every call of a payment adapter. */
export type Calling = Parts<'world' | 'store' | 'payments' | 'settings' | 'contents'>

/** The most that an adapter may keep with an attempt, in bytes of JSON. */
export const mostData = 4_096

const dataRow = (id: string) => `attempt ${id}` as const

/** `undefined` without data. */
export const sealData = (contents: ContentSeal, id: string, data: unknown): string | undefined =>
  data === undefined ? undefined : contents.close(data, dataRow(id))

/** Throws a `StoreUnavailable` for data of another store or attempt. */
export function attemptView(contents: ContentSeal, attempt: Attempt): PaymentAttempt {
  const { id, shopId, orderId, orderNumber, methodId, amount, currency, idempotencyKey } = attempt
  const { reference, sealedData } = attempt.started ?? {}
  const data = sealedData === undefined ? undefined : contents.open(sealedData, dataRow(id))
  const said = { language: attempt.language || undefined, reference, data }
  return { id, shopId, orderId, orderNumber, methodId, amount, currency, idempotencyKey, ...said }
}

export const adapterOf = ({ payments }: Parts<'payments'>, { adapter }: Pick<Attempt, 'adapter'>) =>
  payments.adapters.find(({ name }) => name === adapter)

/** An attempt as it is now, with its payment; `undefined` where both were erased. */
export async function reload({ store }: Parts<'store'>, { shopId, orderId, id }: Attempt) {
  const payment = await store.payment(shopId, orderId)
  const attempt = payment?.attempts.find((one) => one.id === id)
  return payment && attempt && { payment, attempt }
}

/** Whether the status of an attempt can be read at the payment service. */
export const canBeAsked = (workings: Parts<'payments'>, attempt: Attempt): boolean =>
  adapterOf(workings, attempt)?.status !== undefined

/** A payment adapter's context, valid until the deadline. Without settings in its schema an adapter needs no read of the store. */
export async function paymentContext(called: CalledAdapter): Promise<PaymentContext> {
  const { adapter, shopId, deadline } = called
  const { world, store, settings } = called.workings
  const { name, network } = adapter
  const shop = adapter.settings && !called.settings ? await store.shop(shopId) : undefined
  const opened = called.settings ?? (shop && settings.of(shop))
  const guarded = deadlineFetch(world, deadline, { name, network, shop: shopId, kind: 'payments' })
  return {
    shop: { id: shopId },
    get settings() {
      return opened?.of(adapter)
    },
    get signal() {
      return deadline.signal
    },
    fetch: (...call) => called.watch(guarded(...call)),
    now: world.now,
    log: world.log,
  }
}

export const leftAlone = 'the payment service answered 429, so it is not called for a while'

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
  readonly workings: Calling
  readonly adapter: AnyPaymentAdapter
  readonly shopId: string
  readonly deadline: Deadline
  /** Earlier settings of the shop; not set for those of now. */
  readonly settings: OpenedSettings | undefined
  /** The status that the last call of its `ctx.fetch` was answered: 0 where there was no answer. */
  lastStatus: number | undefined

  constructor(
    workings: Calling,
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

  /** Calls a member, such as `start`. */
  async ask<A>(call: string, into: () => MaybePromise<A>): Promise<A> {
    const { adapter, shopId: shop, deadline } = this
    return callAdapter(this.workings.world, { adapter, call, shop, deadline }, into)
  }

  /** Notes what the payment service answers to a call. One that answers 429 is left alone for as long as it says. */
  async watch(call: Promise<Response>): Promise<Response> {
    try {
      const answer = await call
      const { status } = answer
      this.lastStatus = status
      if (status === 429) {
        const { world, payments } = this.workings
        const now = world.now()
        const retryAfter = readRetryAfter(answer.headers.get('retry-after'), now)
        payments.memory.pauses.begin(this.#account, now, retryAfter)
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
    const { payments, world } = this.workings
    return payments.memory.pauses.left(this.#account, world.now())
  }

  get #account() {
    return { adapter: this.adapter.name, shop: this.shopId }
  }
}

/** Another process may start a payment with the settings of a moment ago. In milliseconds. */
const staleFor = 60_000

/**
 * Calls a member of an adapter about an attempt with the settings of now. Where the payment service refuses these with 401, 403 or 404, calls it
 * with those under which the attempt was started: a merchant changed a key or the account since. Where all are refused, the first outcome counts.
 */
export async function askAbout<R>(
  called: CalledAdapter,
  { openedAt }: Attempt,
  call: string,
  ask: (ctx: PaymentContext, one: CalledAdapter) => () => Promise<R>,
): Promise<R> {
  const { workings, adapter, shopId: shop, deadline } = called
  const about = { adapter, call, shop, deadline }
  let first: Promise<R> | undefined
  let earlier: CalledAdapter[] | undefined
  for (let one: CalledAdapter | undefined = called; one; one = earlier.shift()) {
    const by = one
    const into = ask(await paymentContext(by), by)
    const said = callAdapter(workings.world, about, into) as Promise<R>
    await said.catch((error: unknown) => {
      if (hasCode(error, 'SETTINGS_MISSING')) by.lastStatus = 401
    })
    // By the last answer: what was looked up in vain before it refuses nothing.
    if (![401, 403, 404].includes(by.lastStatus ?? 0)) return said
    first ??= said
    earlier ??= await calledEarlier(called, openedAt - staleFor)
  }
  return first!
}

/** The same call with earlier settings of the adapter that were in use after `since`, the oldest first. */
export async function calledEarlier(called: CalledAdapter, since: number): Promise<CalledAdapter[]> {
  const { workings, adapter, shopId, deadline } = called
  const shop = adapter.settings && (await workings.store.shop(shopId))
  return (shop ? workings.settings.earlier(shop) : [])
    .filter(({ until, adapters }) => until > since && Object.hasOwn(adapters, adapter.name))
    .map(({ adapters }) => {
      const opened = new OpenedSettings(shopId, { adapters })
      return new CalledAdapter(workings, adapter, shopId, deadline, opened)
    })
}
