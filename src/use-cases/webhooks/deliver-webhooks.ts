import { writeWebhookBody } from '../../contract/index.ts'
import { readRetryAfter } from '../../contract/retry-after.ts'
import { newestAttempt } from '../../payments/payment.ts'
import { nextTry } from '../../payments/schedule.ts'
import { answeredStatus } from '../../printable.ts'
import type { DeliveryCall, OwedWebhook } from '../../store.ts'
import { openAnomaly } from '../payments/note-statements.ts'
import type { Workings } from '../workings.ts'
import { Places } from './places.ts'
import { SettleDelivered } from './settle-delivered.ts'
import { WebhookSigner } from './webhook-signer.ts'

const callTimeout = 15_000
/** Renewed while a delivery is open, so that another process takes over soon after this one dies. */
const leaseFor = 15_000
const renewEvery = 5_000
const atOnce = 256
const perLane = 32
/** After so many milliseconds a delivery gives its place to another, so that many receivers that hang delay no other. */
const slowAfter = 2_000
const slowAtOnce = 1_024
/**
 * So many more are claimed while receivers are quick, and wait for a place: calls go on during the next claim. They are called in the order in
 * which they were claimed.
 */
const ahead = 768
/** Receivers are quick once this share of the last claim has ended within 2 s. */
const quickAt = 0.5
/** While more wait than have a place, so many places are claimed for at once, or so many with those ahead: each claim is a commit. */
const fewestPlaces = 128
const fewest = 512
/** So many places are filled together, or all that are free after this time in milliseconds: one call among others costs less. */
const fillTogether = 128
const fillAfter = 5
/** How long a lane may be idle while all places are taken, in milliseconds: others end soon, and are refilled with it. */
const gatherForLane = 50
const keepOfAnswer = 10_240
const gone = 410
const json = { 'content-type': 'application/json' }

/**
 * Delivers owed webhooks (spec 6): calls `webhook_url` at least once per status. Up to 256 deliveries are open at a time, 32 of them in one
 * lane, so that a hanging receiver delays only its own. Beside them up to 1,024 wait for more than 2 s for their answer. While receivers are
 * quick, 768 more are claimed and wait for a place.
 */
export class WebhookDelivery {
  readonly #workings: Workings
  readonly #owner: string
  readonly #signer: WebhookSigner
  readonly #delivered: SettleDelivered
  /** Those that were claimed and called: open deliveries, and those being stored. */
  readonly #called = new Map<OwedWebhook, Promise<void>>()
  /** Those that were claimed and wait for a place. */
  readonly #waiting: Waiting[] = []
  readonly #places: Places
  #cancelFill: (() => void) | undefined
  #cancelRefill: (() => void) | undefined
  /** When the gathering ends, in milliseconds since 1970. */
  #gatheredAt = 0
  /** Places became free during a claim: for how long they are gathered after it. */
  #gatherNext: number | undefined
  /** The claimed deliveries of each lane that have not ended. */
  readonly #openIn = new Map<string, number>()
  readonly #fullLanes = new Set<string>()
  #full = false
  /** The size of the last claim, and the deliveries finished since. */
  #taken = 0
  #ended = 0
  /** Of these, those that took less than 2 s. */
  #endedQuickly = 0
  #claiming: Promise<void> | undefined
  #again = false
  #cancelRenewal: (() => void) | undefined
  #stopped = false

  constructor(workings: Workings) {
    this.#workings = workings
    this.#owner = workings.world.token(9)
    this.#signer = new WebhookSigner(workings)
    this.#delivered = new SettleDelivered(workings)
    const freed = () => {
      this.#fill()
      if (this.#hasPlaces()) this.#claimMore()
    }
    this.#places = new Places(workings.world, { atOnce, slowAfter, slowAtOnce, freed })
  }

  /** Starts a delivery for every due webhook. Resolves when all have begun. */
  deliverDue(): Promise<void> {
    // All places are taken, or were a moment ago: the next claim is of many places.
    if (this.#full && !this.#claiming) {
      this.#gather(gatherForLane)
      return Promise.resolve()
    }
    return this.#claimNow()
  }

  #claimNow(): Promise<void> {
    // A claim may miss webhooks that became due or free after it began.
    this.#again = true
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined
      if (this.#gatherNext !== undefined) this.#gather(this.#gatherNext)
    })
    return this.#claiming
  }

  async #claim(): Promise<void> {
    const { world } = this.#workings
    this.#endGathering()
    while (this.#again && !this.#stopped) {
      const limit = this.#wanted
      this.#full = limit <= 0
      if (this.#full) return
      this.#again = false
      this.#ended = 0
      this.#endedQuickly = 0
      this.#taken = 0
      const now = world.now()
      const lease = { owner: this.#owner, leaseUntil: now + leaseFor }
      const claimed = await this.#delivered.claim({ now, ...lease, limit, perLane })
      for (const owed of claimed) {
        if (owed.takenOver) world.observer.tookOver()
        if (owed.full) this.#fullLanes.add(owed.lane)
        this.#openIn.set(owed.lane, (this.#openIn.get(owed.lane) ?? 0) + 1)
      }
      for (const owed of claimed) this.#waiting.push({ owed, leaseUntil: lease.leaseUntil })
      this.#fillNow()
      this.#renew()
      this.#taken = claimed.length
      this.#full = claimed.length === limit
      if (!this.#full) continue
      // Those that have ended meanwhile are few: a claim of their places alone would be a commit for each.
      if (this.#again) this.#gather(gatherForLane)
      this.#again = this.#hasPlaces()
    }
  }

  /** Calls those that wait for a place, if many places are free. If not, it calls them by itself a moment later. */
  #fill(): void {
    if (this.#waiting.length === 0 || this.#places.free <= 0) return
    // The last one that ends does not wait for another.
    if (this.#places.free >= fillTogether || this.#places.isIdle) this.#fillNow()
    else this.#cancelFill ??= this.#workings.world.after(fillAfter, () => this.#fillNow())
  }

  #fillNow(): void {
    this.#cancelFill?.()
    this.#cancelFill = undefined
    const now = this.#workings.world.now()
    while (this.#places.free > 0) {
      const next = this.#waiting.shift()
      if (!next) return
      // After this process stood still, another one may have it.
      if (next.leaseUntil > now) this.#call(next.owed)
      else this.#leaves(next.owed.lane)
    }
  }

  #call(owed: OwedWebhook): void {
    const leave = this.#places.take()
    const about = { shop: owed.shopId, order: owed.orderId, tries: owed.tries + 1 }
    const { observer } = this.#workings.world
    this.#called.set(
      owed,
      observer.job('deliver webhook', about, () => this.#deliver(owed, leave)),
    )
  }

  async #deliver(owed: OwedWebhook, leave: () => boolean): Promise<void> {
    const { log, observer } = this.#workings.world
    const called = await callReceiver(this.#workings, owed, this.#signer)
    // It was left to another process.
    if (!this.#called.has(owed)) return
    const { call } = called
    const isDelivered = call.failure === undefined
    if (leave()) this.#endedQuickly++
    try {
      // A call that hangs is not waited for.
      const isLast = this.#places.isIdle && this.#waiting.length === 0
      const noted = isDelivered
        ? this.#delivered.add({ owed, call }, isLast)
        : noteFailure(this.#workings, owed, called)
      // Others do not wait for this commit as well; a claim comes after what is settled here.
      this.#over(owed.lane)
      await noted
      if (isDelivered) {
        observer.delivered('delivered', call.ms)
        log.info(aboutTry(owed), 'webhook delivered')
      }
    } catch (error) {
      // If the store is unavailable, the lease ends and the delivery is repeated.
      log.error({ shop: owed.shopId, order: owed.orderId, err: error }, 'the store did not note a delivery')
    }
    this.#called.delete(owed)
    // It may have opened the lane.
    if (owed.probe) this.#claimMore()
  }

  /** How many may be claimed: as many as have a place, and more while receivers are quick. */
  get #wanted(): number {
    const isQuick = this.#taken > 0 && this.#endedQuickly >= this.#taken * quickAt
    return this.#places.free + (isQuick ? ahead : 0) - this.#waiting.length
  }

  /** Returns how many of its lane have not ended. */
  #leaves(lane: string): number {
    const left = (this.#openIn.get(lane) ?? 1) - 1
    if (left > 0) this.#openIn.set(lane, left)
    else this.#openIn.delete(lane)
    return left
  }

  #over(lane: string): void {
    this.#ended++
    const left = this.#leaves(lane)
    this.#fill()
    if (this.#hasRoom(lane, left)) this.#claimMore()
  }

  #claimMore(): void {
    // The next claim does not belong to the trace of the finished delivery.
    if (!this.#stopped) this.#workings.world.observer.apart(() => void this.#claimNow().catch(() => {}))
  }

  /** Whether more were due than were claimed, and enough may be claimed now. */
  #hasPlaces(): boolean {
    if (!this.#full) return false
    if (this.#wanted < fewest && this.#places.free - this.#waiting.length < fewestPlaces) return false
    this.#endGathering()
    return true
  }

  #gather(ms: number): void {
    if (this.#claiming) {
      this.#gatherNext = Math.min(ms, this.#gatherNext ?? ms)
      return
    }
    this.#gatherNext = undefined
    const { world } = this.#workings
    const endsAt = world.now() + ms
    // Of two waits the earlier end counts.
    if (this.#cancelRefill && this.#gatheredAt <= endsAt) return
    this.#cancelRefill?.()
    this.#gatheredAt = endsAt
    this.#cancelRefill = world.after(ms, () => {
      this.#endGathering()
      this.#claimMore()
    })
  }

  #endGathering(): void {
    this.#cancelRefill?.()
    this.#cancelRefill = undefined
    this.#full = false
  }

  /** Whether more may wait than was claimed, and enough deliveries have ended: claims one by one would cost as many commits. */
  #hasRoom(lane: string, inLane: number): boolean {
    if (this.#hasPlaces()) return true
    if (!this.#fullLanes.has(lane) || inLane > perLane * quickAt) return false
    // Lanes with room are filled together, unless this one would be idle.
    if (inLane > 0 && this.#ended < this.#taken * quickAt) return false
    this.#fullLanes.delete(lane)
    if (!this.#full && !this.#claiming) return true
    // All places were taken, or are about to be: those of quick receivers are free soon, and are refilled together.
    this.#gather(gatherForLane)
    return false
  }

  /** Renews the leases of open deliveries, and of those that wait for a place. */
  #renew(): void {
    if (this.#cancelRenewal || this.#called.size + this.#waiting.length === 0) return
    const { store, world } = this.#workings
    this.#cancelRenewal = world.after(renewEvery, () => {
      this.#cancelRenewal = undefined
      const now = world.now()
      const leaseUntil = now + leaseFor
      const waiting = this.#waiting.filter((one) => one.leaseUntil > now)
      const leased = [...this.#called.keys(), ...waiting.map(({ owed }) => owed)]
      store.renewLeases(leased, leaseUntil).then(
        () => {
          for (const one of waiting) one.leaseUntil = leaseUntil
        },
        (error: unknown) => world.log.warn({ err: error }, 'the leases of webhooks were not renewed'),
      )
      this.#renew()
    })
  }

  /** Claims nothing more and resolves when the open deliveries have ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.idle()
    this.#cancelRefill?.()
    this.#cancelRenewal?.()
  }

  /** Leaves the deliveries that are still open to other processes. Their calls may be repeated. */
  async leave(): Promise<void> {
    const { store, world } = this.#workings
    const open = [...this.#called.keys(), ...this.#waiting.splice(0).map(({ owed }) => owed)]
    this.#called.clear()
    this.#cancelRenewal?.()
    const left = await Promise.allSettled(open.map((owed) => store.releaseWebhook(owed)))
    const failed = left.filter((one) => one.status === 'rejected')
    if (failed.length === 0) return
    const [{ reason }] = failed as [PromiseRejectedResult]
    world.log.warn({ webhooks: failed.length, err: reason as unknown }, 'webhooks stay leased for up to 15 s')
  }

  /** Resolves when no delivery is open. */
  async idle(): Promise<void> {
    while (this.#claiming || this.#called.size > 0)
      await Promise.allSettled([this.#claiming, ...this.#called.values()])
  }
}

interface Waiting {
  owed: OwedWebhook
  /** In milliseconds since 1970. */
  leaseUntil: number
}

interface Called {
  call: DeliveryCall
  retryAfter: number | undefined
  error: unknown
}

async function callReceiver({ world }: Workings, owed: OwedWebhook, signer: WebhookSigner): Promise<Called> {
  const at = world.now()
  const { version } = owed
  try {
    const sent = JSON.stringify(writeWebhookBody(owed.orderId))
    const signed = signer.headersOf(owed, sent)
    const answer = await world.outgoing.send({
      url: owed.webhookUrl,
      method: 'POST',
      headers: signed ? { ...json, ...(await signed) } : json,
      body: sent,
      timeout: callTimeout,
      shop: owed.shopId,
    })
    const { status, body } = answer
    const failure = status >= 200 && status < 300 ? undefined : `status ${answeredStatus(status)}`
    const call = { at, ms: world.now() - at, version, status, failure, answer: body.slice(0, keepOfAnswer) }
    return { call, retryAfter: readRetryAfter(answer.retryAfter, world.now()), error: undefined }
  } catch (error) {
    const failure = error instanceof Error ? error.message.slice(0, 200) : 'no answer'
    const call = { at, ms: world.now() - at, version, status: undefined, failure, answer: '' }
    return { call, retryAfter: undefined, error }
  }
}

const aboutTry = (owed: OwedWebhook) => {
  const { shopId: shop, orderId: order, version, tries } = owed
  return { shop, order, version, tries: tries + 1 }
}

/** Stores that a delivery failed: it is due again later, or given up. */
async function noteFailure(
  workings: Workings,
  owed: OwedWebhook,
  { call, retryAfter, error }: Called,
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
  world.observer.delivered(wait === undefined ? 'dead' : 'failed', call.ms)
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
