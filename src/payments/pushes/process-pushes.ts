import { DeadlinePassed } from '../../adapters/call-adapter.ts'
import { Pool } from '../../queue/pool.ts'
import { keepPushFor, nextPushTry } from '../../queue/schedule.ts'
import { fromPlatform } from '../../shops/seal.ts'
import { StoreUnavailable } from '../../store.ts'
import type { ClaimedPush } from '../../store-port.ts'
import { ServiceFailed } from '../called-adapter.ts'
import { type Handling, learnPush } from './learn-push.ts'

/** Renewed while a push is processed, so that another process takes over soon after this one dies. */
const lease = 15_000
/** The most pushes of one adapter, and of one shop among them, that are processed at a time. */
const atOnce = 64
const perLane = 4

/**
 * Processes stored pushes. Each adapter has places of its own, so that a hanging service delays no other: up to 64 pushes at a time, and 4 of
 * each shop.
 */
export class PushProcessing {
  readonly #workings: Handling
  readonly #pools = new Map<string, Pool<ClaimedPush>>()
  #stopped = false

  constructor(workings: Handling) {
    this.#workings = workings
  }

  /** Starts processing every due push. Resolves when all have begun. */
  async processDue(): Promise<void> {
    const { store, world, resourceHandlers } = this.#workings
    const due = (await store.adaptersWithPushes(world.now())).filter(
      // Another node may have handlers.
      (adapter) => adapter !== fromPlatform || Object.keys(resourceHandlers).length > 0,
    )
    if (this.#stopped) return
    await Promise.all(due.map((adapter) => this.#poolOf(adapter).wake()))
  }

  #poolOf(adapter: string): Pool<ClaimedPush> {
    const known = this.#pools.get(adapter) ?? pushPool(this.#workings, adapter)
    this.#pools.set(adapter, known)
    return known
  }

  /** Begins nothing more and resolves when the open work is finished. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all([...this.#pools.values()].map((pool) => pool.stop()))
  }

  /** Resolves when no push is being processed. */
  async idle(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.idle()))
  }
}

function pushPool(workings: Handling, adapter: string): Pool<ClaimedPush> {
  const { store, world } = workings
  const owner = world.token(9)
  return new Pool(world, {
    ...{ atOnce, perLane, lease },
    claim: (claim) => store.claimPushes({ ...claim, adapter, owner }),
    renew: (pushes, leaseUntil) => store.renewPushes(pushes, leaseUntil),
    work: (push) =>
      world.observer.job('process push', { shop: push.shopId, adapter }, () => processPush(workings, push)),
    laneOf: ({ shopId }) => shopId,
    isFull: ({ full }) => full,
  })
}

/** Processes one push and stores the outcome: done, tried again, or given up after three days. */
async function processPush(workings: Handling, push: ClaimedPush): Promise<void> {
  const { store, world } = workings
  const { shopId, adapter } = push
  const about = { shop: shopId, adapter, push: push.key }
  try {
    const learned = await learnPush(workings, push).catch((error: unknown) => failedPush(error, adapter))
    if ('failure' in learned) return await postpone(workings, push, learned)
    const now = world.now()
    const { outcome, detail, references = [] } = learned
    const until = push.receivedAt + keepPushFor
    const mayMatch = outcome === 'unmatched' && references.length > 0
    if (mayMatch && now < until) await store.parkPush(push, { ...learned, outcome, references }, until, now)
    else await store.settlePush(push, learned, now)
    // It was counted when it began to wait.
    if (!mayMatch || now < until) world.observer.pushed(adapter, outcome)
    if (outcome !== 'unmatched') world.log.info({ ...about, outcome, detail }, 'push processed')
    else {
      const unmatched = { ...about, code: 'PUSH_UNMATCHED', outcome, detail }
      world.log.warn(unmatched, 'a push names an unknown payment')
    }
  } catch (error) {
    // The lease ends, and it is processed then.
    world.log.warn({ ...about, err: error }, 'the store could not be used for a push')
  }
}

/**
 * It is not tried again before its `pause` is over, in milliseconds. `failure` is what the store keeps: the error of an adapter that cannot read
 * a push may repeat parts of the push.
 */
function failedPush(error: unknown, adapter: string) {
  if (error instanceof StoreUnavailable) throw error
  const ofService = error instanceof ServiceFailed || error instanceof DeadlinePassed
  const unread = `${adapter === fromPlatform ? 'its handler failed' : 'the adapter failed to read it'}; the log says where`
  return {
    failure: ofService ? error.message.slice(0, 200) : unread,
    // It does not mean that the payment service fails: the next push may succeed.
    aboutPush: !ofService,
    pause: error instanceof ServiceFailed ? error.pause : 0,
    error,
  }
}

async function postpone(workings: Handling, push: ClaimedPush, failed: ReturnType<typeof failedPush>) {
  const { store, world } = workings
  const { shopId, adapter, key } = push
  const about = { shop: shopId, adapter, push: key, tries: push.tries + 1, err: failed.error }
  const now = world.now()
  const wait = nextPushTry({ tries: push.tries + 1, age: now - push.receivedAt, random: world.random() })
  if (wait === undefined) {
    const detail = `given up after three days: ${failed.failure}`
    await store.settlePush(push, { outcome: 'given_up', detail }, now)
    world.observer.pushed(adapter, 'given_up')
    world.log.error(
      { ...about, code: 'PUSH_GIVEN_UP' },
      'a push could not be processed for three days and is given up',
    )
    return
  }
  const { failure, aboutPush, pause } = failed
  const again = { dueAt: now + Math.max(wait, pause), failure, aboutPush, pause }
  const againInMs = (await store.postponePush(push, again, now)) - now
  world.observer.pushed(adapter, 'failed')
  world.log.warn({ ...about, againInMs }, 'a push could not be processed, will be tried again')
}
