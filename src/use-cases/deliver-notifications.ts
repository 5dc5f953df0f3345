import { writeWebhookBody } from '../contract/index.ts'
import { nextTry, readRetryAfter } from '../payments/schedule.ts'
import type { OwedNotification } from '../store.ts'
import type { Provider } from './provider.ts'

const callTimeout = 15_000
/** Longer than a call may take, so that a holder that lives is never overtaken. */
const leaseFor = 20_000
const atOnce = 32

/**
 * Delivers what is owed (spec 6): calls `webhook_url` at least once per status. Up to 32 calls are open at a time, and a
 * receiver that hangs holds up only its own.
 */
export class NotificationDelivery {
  readonly #provider: Provider
  readonly #owner: string
  readonly #open = new Set<Promise<void>>()
  #claiming: Promise<void> | undefined
  #stopped = false

  constructor(provider: Provider) {
    this.#provider = provider
    this.#owner = provider.world.token(9)
  }

  /** Starts a call for everything that is due now. Resolves when they are under way. */
  deliverDue(): Promise<void> {
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined
    })
    return this.#claiming
  }

  async #claim(): Promise<void> {
    const { store, world } = this.#provider
    for (let limit = 0; !this.#stopped; ) {
      limit = atOnce - this.#open.size
      if (limit <= 0) return
      const now = world.now()
      const claimed = await store.claimNotifications({
        now,
        leaseUntil: now + leaseFor,
        limit,
        owner: this.#owner,
      })
      for (const owed of claimed) this.#call(owed)
      if (claimed.length < limit) return
    }
  }

  #call(owed: OwedNotification): void {
    const wasFull = () => this.#open.size >= atOnce
    const delivery = deliver(this.#provider, owed)
      .catch((error: unknown) => {
        // The store is gone: the lease runs out and the call is made again.
        this.#provider.world.log.error(
          { shop: owed.shopId, order: owed.orderId, err: error },
          'notification not noted',
        )
      })
      .finally(() => {
        const full = wasFull()
        this.#open.delete(delivery)
        if (full) void this.deliverDue().catch(() => {})
      })
    this.#open.add(delivery)
  }

  /** Claims nothing more and resolves when the open calls are over. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#claiming?.catch(() => {})
    await this.idle()
  }

  /** Resolves when no call is open. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open)
  }
}

async function deliver(provider: Provider, owed: OwedNotification): Promise<void> {
  const { world, store } = provider
  const about = { shop: owed.shopId, order: owed.orderId, version: owed.version, tries: owed.tries + 1 }
  let retryAfter: number | undefined
  let failure: object | undefined
  try {
    const answer = await world.outgoing.send({
      url: owed.webhookUrl,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(writeWebhookBody(owed.orderId)),
      timeout: callTimeout,
    })
    if (answer.status < 200 || answer.status >= 300) failure = { status: answer.status }
    retryAfter = readRetryAfter(answer.retryAfter, world.now())
  } catch (error) {
    failure = { err: error }
  }
  const now = world.now()
  if (!failure) {
    await store.settleNotification(owed, owed.version, now)
    world.log.info(about, 'notification delivered')
    return
  }
  const wait = nextTry({
    tries: about.tries,
    owedFor: now - owed.owedSince,
    random: world.random(),
    retryAfter,
  })
  await store.postponeNotification(owed, wait === undefined ? undefined : now + wait)
  if (wait === undefined)
    world.log.error({ ...about, ...failure }, 'notification given up: it is a dead letter now')
  else world.log.warn({ ...about, ...failure, againInMs: wait }, 'notification failed, will be tried again')
}
