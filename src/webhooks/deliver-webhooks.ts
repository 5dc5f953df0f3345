import { writeWebhookBody } from '../contract/index.ts'
import type { Parts } from '../parts.ts'
import { openAnomaly } from '../payments/learn-payment.ts'
import { newestAttempt } from '../payments/ledger/payment.ts'
import { answeredStatus } from '../printable.ts'
import { webhookLane } from '../queue/lanes.ts'
import { Pool } from '../queue/pool.ts'
import { nextTry } from '../queue/schedule.ts'
import { signatureHeaders, webhookId } from '../shops/seal.ts'
import { webhookSecretsOf } from '../shops/shop-view.ts'
import { StoreUnavailable } from '../store.ts'
import type { Claim, Delivered, DeliveryCall, OwedWebhook } from '../store-port.ts'
import { readRetryAfter } from '../world.ts'

const callTimeout = 15_000
/** Renewed while a delivery is open, so that another process takes over soon after this one dies. */
const lease = 15_000
const atOnce = 256
const perLane = 32
/** So many more are claimed and wait for a place: calls go on during the next claim. */
const ahead = 768
/** So many are claimed at once, also while deliveries are open: each claim is a commit. A claim locks a lane for each of its calls at most. */
const perClaim = 512
/** After 2 s a delivery gives its place to another, so that many receivers that hang delay no other. */
const slow = { after: 2_000, atOnce: 1_024 }
const keepOfAnswer = 10_240
const gone = 410

type Delivering = Parts<'world' | 'store' | 'seal' | 'addresses' | 'signsWebhooks'>

/**
 * Delivers owed webhooks (spec 6): calls `webhook_url` at least once per status. Up to 256 deliveries are open at a time, 32 of them in one
 * lane, so that a hanging receiver delays only its own. Beside them up to 1,024 wait for more than 2 s for their answer, and 768 more are
 * claimed and wait for a place.
 */
export class WebhookDelivery {
  readonly #workings: Delivering
  readonly #delivered: SettleDelivered
  readonly pool: Pool<OwedWebhook>
  #isLeft = false

  constructor(workings: Delivering) {
    const { store, world } = workings
    this.#workings = workings
    this.#delivered = new SettleDelivered(workings)
    const owner = world.token(9)
    this.pool = new Pool(world, {
      ...{ atOnce, perLane, ahead, perClaim, fewest: perClaim, lease, slow },
      claim: (claim) => this.#delivered.claim({ ...claim, owner }),
      renew: (owed, leaseUntil) => store.renewLeases(owed, leaseUntil),
      work: (owed, over) => this.#work(owed, over),
      laneOf: ({ lane }) => lane,
      isFull: ({ full }) => full,
    })
  }

  /** Leaves the deliveries that are still open to other processes, which repeat their calls once their leases are over. */
  leave(): void {
    this.#isLeft = true
    this.pool.leave()
  }

  #work(owed: OwedWebhook, over: () => void): Promise<void> {
    const { observer } = this.#workings.world
    if (owed.takenOver) observer.tookOver()
    const about = { shop: owed.shopId, order: owed.orderId, tries: owed.tries + 1 }
    return observer.job('deliver webhook', about, () => this.#deliver(owed, over))
  }

  async #deliver(owed: OwedWebhook, over: () => void): Promise<void> {
    const { log, observer } = this.#workings.world
    try {
      const called = await callReceiver(this.#workings, owed)
      if (this.#isLeft) return
      const { call } = called
      if (call.failure === undefined) await this.#settle({ owed, call }, over)
      else await noteFailure(this.#workings, owed, called)
    } catch (error) {
      // If the store is unavailable, the lease ends and the delivery is repeated.
      log.error({ shop: owed.shopId, order: owed.orderId, err: error }, 'a delivery could not be stored')
    }
    // It may have opened the lane.
    if (owed.probe) observer.apart(() => void this.pool.wake().catch(() => {}))
  }

  async #settle(one: Delivered, over: () => void): Promise<void> {
    const { log, observer } = this.#workings.world
    const settled = this.#delivered.add(one)
    // A claim settles first, so it finds the place and the room in the lane.
    over()
    // Nothing else comes that could be settled with it. A call that hangs is not waited for.
    if (this.pool.isIdle) this.#delivered.settle()
    await settled
    observer.delivered('delivered', one.call.ms, laneOf(one.owed))
    log.info(aboutTry(one.owed), 'webhook delivered')
  }
}

const laneOf = ({ shopId, webhookUrl }: OwedWebhook): string => webhookLane(shopId, webhookUrl).lane

/** Rejects with a `StoreUnavailable` before the call: that is no failure of the receiver. */
async function callReceiver(workings: Delivering, owed: OwedWebhook) {
  const { world, addresses, signsWebhooks } = workings
  const at = world.now()
  const { shopId, orderId, version } = owed
  const message = signsWebhooks ? webhookId(addresses.publicUrl, shopId, orderId, version) : undefined
  const called = (about: Pick<DeliveryCall, 'status' | 'failure' | 'answer'>): DeliveryCall => ({
    ...{ at, version, message, ms: world.now() - at },
    ...about,
  })
  try {
    const sent = JSON.stringify(writeWebhookBody(orderId))
    const signature = await signatureOf(workings, shopId, message, sent)
    const answer = await world.outgoing.send({
      url: owed.webhookUrl,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signature },
      body: sent,
      timeout: callTimeout,
      shop: owed.shopId,
    })
    const { status, body } = answer
    const failure = status >= 200 && status < 300 ? undefined : `status ${answeredStatus(status)}`
    const call = called({ status, failure, answer: body.slice(0, keepOfAnswer) })
    return { call, retryAfter: readRetryAfter(answer.retryAfter, world.now()), error: undefined }
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    const failure = error instanceof Error ? error.message.slice(0, 200) : 'no answer'
    return { call: called({ status: undefined, failure, answer: '' }), retryAfter: undefined, error }
  }
}

const aboutTry = (owed: OwedWebhook) => {
  const { shopId: shop, orderId: order, version, tries } = owed
  return { shop, order, version, tries: tries + 1 }
}

/** Stores that a delivery failed: it is due again later, or given up. */
async function noteFailure(
  workings: Delivering,
  owed: OwedWebhook,
  { call, retryAfter, error }: Awaited<ReturnType<typeof callReceiver>>,
): Promise<void> {
  const { world, store } = workings
  const about = aboutTry(owed)
  const now = world.now()
  const wait =
    call.status === gone
      ? undefined
      : nextTry({ tries: about.tries, owedFor: now - owed.owedSince, random: world.random(), retryAfter })
  const dueAt = wait === undefined ? undefined : now + wait
  await store.postponeWebhook(owed, call, { dueAt, retryAfter })
  world.observer.delivered(wait === undefined ? 'dead' : 'failed', call.ms, laneOf(owed))
  const failed = { ...about, failure: call.failure, err: error }
  if (wait !== undefined) {
    world.log.warn({ ...failed, againInMs: wait }, 'webhook failed, will be tried again')
    return
  }
  world.log.error(failed, 'webhook given up: it is a dead letter now')
  if (call.status !== gone) return
  const payment = await store.payment(owed.shopId, owed.orderId)
  const attempt = payment && newestAttempt(payment)
  const event = `owed ${new Date(owed.owedSince).toISOString()}`
  if (attempt) await openAnomaly(workings, attempt, { kind: 'webhook_gone', event })
}

/** The signature headers of one try that begins now; none if webhooks are not signed. */
async function signatureOf(workings: Delivering, shopId: string, message: string | undefined, body: string) {
  if (message === undefined) return {}
  const now = workings.world.now()
  const secrets = await webhookSecretsOf(workings, shopId)
  const live = secrets.filter(({ expiresAt = now + 1 }) => expiresAt > now).map(({ secret }) => secret)
  return signatureHeaders(message, now, body, live)
}

/** How long a delivery waits for others to be settled with it, in milliseconds, and the most that are settled together. */
const gatherFor = 40
const mostTogether = 1_024

type Waiting = Map<Delivered, PromiseWithResolvers<void>>

/** Settles deliveries that succeeded, many by one command. One that fails fails alone. */
export class SettleDelivered {
  readonly #workings: Parts<'world' | 'store'>
  #waiting: Waiting = new Map()
  #cancel: (() => void) | undefined
  readonly #settling = new Set<Promise<unknown>>()

  constructor(workings: Parts<'world' | 'store'>) {
    this.#workings = workings
  }

  /** Resolves once it is on disk, within 40 ms, or as soon as `settle` is called. */
  add(one: Delivered): Promise<void> {
    const settled = Promise.withResolvers<void>()
    // Its success opens a lane.
    if (one.owed.probe) this.#settleAlone(one, settled)
    else this.#waiting.set(one, settled)
    if (this.#waiting.size >= mostTogether) this.settle()
    else this.#cancel ??= this.#workings.world.after(gatherFor, () => this.settle())
    return settled.promise
  }

  settle(): void {
    this.#cancel?.()
    this.#cancel = undefined
    const waiting = this.#waiting
    this.#waiting = new Map()
    if (waiting.size === 0) return
    const settling = this.#settle(waiting).finally(() => this.#settling.delete(settling))
    this.#settling.add(settling)
  }

  /** Claims more once all that were added are settled, so that it finds their places free. */
  async claim(claim: Claim): Promise<OwedWebhook[]> {
    this.settle()
    await Promise.all(this.#settling)
    return this.#workings.store.claimWebhooks(claim)
  }

  async #settle(waiting: Waiting): Promise<void> {
    try {
      for (const one of await this.#workings.store.settleWebhooks([...waiting.keys()])) {
        this.#settleAlone(one, waiting.get(one)!)
        waiting.delete(one)
      }
      for (const settled of waiting.values()) settled.resolve()
    } catch (error) {
      for (const [one, settled] of waiting) {
        if (error instanceof StoreUnavailable) settled.reject(error)
        else this.#settleAlone(one, settled)
      }
    }
  }

  /** Nothing waits for it: its row may be locked for seconds. */
  #settleAlone({ owed, call }: Delivered, { resolve, reject }: PromiseWithResolvers<void>): void {
    this.#workings.store.settleWebhook(owed, call).then(resolve, reject)
  }
}
