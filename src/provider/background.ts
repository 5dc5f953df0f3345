import { Minutes } from '../observability/observer.ts'
import type { Parts, Workings } from '../parts.ts'
import { attemptChecks } from '../payments/check-attempts.ts'
import { PushProcessing } from '../payments/pushes/process-pushes.ts'
import { pruneAll, pruneAuditTrail } from '../payments/removal.ts'
import { BreakerNotes } from '../rates/asking/note-breakers.ts'
import { filesOf, watchFiles } from '../rates/asking/watch-files.ts'
import { LoadedFiles } from '../rates/files/watched-files.ts'
import { WebhookDelivery } from '../webhooks/deliver-webhooks.ts'

const second = 1000
const minute = 60 * second
/** How long work of another process may stay unnoticed, in milliseconds. */
const pollEvery = 5 * second
const checkEvery = 15 * second
const remindEvery = minute
/** How long a stop waits for open work, in milliseconds: a little less than for open connections. */
const stopsWithin = 4 * second
/** Often, so that little is deleted at a time: other commands wait for it. */
const forgetEvery = 900 * second
const rememberFor = 30 * 24 * 3_600 * second

/** Work that is repeated from `open` to `end`, one run at a time. */
class Task {
  readonly #world: Workings['world']
  /** Does the due work and resolves with the milliseconds until the next check. */
  readonly #work: () => Promise<number>
  #running: Promise<void> | undefined
  #again = false
  #isOver = true
  #cancel = () => {}

  constructor({ world }: Parts<'world'>, work: () => Promise<number>) {
    this.#world = world
    this.#work = work
  }

  open(): void {
    this.#isOver = false
  }

  /** Runs now, and resolves when this run is over. A task that runs already runs once more after it. */
  async run(): Promise<void> {
    if (this.#isOver) return
    if (this.#running) {
      this.#again = true
      return
    }
    this.#cancel()
    this.#running = this.#once()
    await this.#running
  }

  /** Runs no more. Resolves when an open run is over. */
  async end(): Promise<void> {
    this.#isOver = true
    this.#cancel()
    await this.#running
  }

  async #once(): Promise<void> {
    const wait = await this.#work().catch((error: unknown) => {
      this.#world.log.error({ err: error }, 'background work failed, will be tried again')
      return pollEvery
    })
    this.#running = undefined
    if (this.#isOver) return
    if (this.#again) {
      this.#again = false
      void this.run()
    } else this.#cancel = this.#world.after(wait, () => void this.run())
  }
}

/** The background work of a provider: webhooks, pushes, checks of open attempts, reminders, deletion of old data. */
export class Background {
  readonly #workings: Workings
  readonly #delivery: WebhookDelivery
  readonly #pushes: PushProcessing
  readonly #checks: ReturnType<typeof attemptChecks>
  readonly #breakers: BreakerNotes
  readonly #deliver: Task
  readonly #push: Task
  readonly #check: Task
  /** Shops wait for what is owed, and nobody for these. */
  readonly #upkeep: readonly Task[]
  /** Goes on for calls that still arrive. */
  readonly #notes: readonly Task[]
  readonly #secret: Task
  /** Set once nothing more is claimed. Resolves when the claimed work is finished. */
  #finishing: Promise<unknown> | undefined

  constructor(workings: Workings, minutes = new Minutes()) {
    this.#workings = workings
    this.#delivery = new WebhookDelivery(workings)
    this.#pushes = new PushProcessing(workings)
    this.#checks = attemptChecks(workings)
    this.#breakers = new BreakerNotes(workings)
    const task = (work: () => Promise<number>) => new Task(workings, work)
    this.#deliver = task(() => this.#deliverDue())
    this.#push = task(() => this.#pushes.processDue().then(() => pollEvery))
    this.#check = task(() => this.#checks.wake().then(() => checkEvery))
    const loaded = new LoadedFiles()
    const watch = async () => {
      const next = await watchFiles(workings)
      await loaded.note(workings, filesOf(workings))
      return next
    }
    this.#upkeep = [task(() => this.#remind()), task(() => this.#forget()), task(watch)]
    const { questions } = workings.rates.memory
    this.#notes = [
      task(() => this.#breakers.work()),
      task(() => noteFailures(workings)),
      task(() => questions.work(workings)),
      task(() => noteMinute(workings, minutes)),
    ]
    this.#secret = task(async () => workings.rotation?.work() ?? forgetEvery)
  }

  start(): void {
    this.#finishing = undefined
    const first = [this.#push, this.#check, this.#secret]
    const later = [...this.#upkeep, ...this.#notes]
    for (const task of [this.#deliver, ...first, ...later]) task.open()
    const claiming = this.#deliver.run()
    for (const task of first) void task.run()
    void claiming.then(() => {
      for (const task of later) void task.run()
    })
  }

  /** Runs at once, because something became due just now. */
  wake(): void {
    void this.#deliver.run()
    void this.#push.run()
  }

  /** Claims nothing more, so that other nodes do, and finishes its claimed work and work for calls that still arrive. */
  finish(): void {
    this.#finishing ??= Promise.all([
      ...[this.#deliver, this.#push, this.#check, ...this.#upkeep].map((task) => task.end()),
      ...[this.#delivery.pool.stop(), this.#pushes.stop(), this.#checks.stop()],
    ])
  }

  /** Starts nothing more and resolves when open work is finished, or after 4 s. Other processes finish what is left then. */
  async stop(): Promise<void> {
    this.finish()
    const notes = [this.#secret, ...this.#notes].map((task) => task.end())
    await this.#withinTime(Promise.all([this.#finishing, ...notes]))
    this.#delivery.leave()
    await this.#breakers.end()
    await noteFailures(this.#workings).catch(() => {})
    await this.#workings.rates.memory.questions.work(this.#workings).catch(() => {})
    await storeDrifts(this.#workings).catch(() => {})
  }

  async #withinTime(work: Promise<unknown>): Promise<void> {
    const over = Promise.withResolvers<void>()
    const cancel = this.#workings.world.after(stopsWithin, over.resolve)
    await Promise.race([work, over.promise]).finally(cancel)
  }

  async #deliverDue(): Promise<number> {
    const { store, world } = this.#workings
    await this.#delivery.pool.wake()
    const due = await store.nextWebhookDue()
    return due === undefined ? pollEvery : Math.min(pollEvery, Math.max(50, due - world.now()))
  }

  async #remind(): Promise<number> {
    await storeDrifts(this.#workings)
    await remindUnread(this.#workings)
    return remindEvery
  }

  async #forget(): Promise<number> {
    const { store, world, retention } = this.#workings
    while (await store.forget(world.now() - rememberFor));
    const pruned = await pruneAll(store, world.now() - retention)
    await pruneAuditTrail(store, world.now() - retention)
    await store.forgetMinutes(world.now())
    await this.#workings.rates.memory.questions.forget(this.#workings)
    if (pruned > 0) world.log.info({ pruned }, 'payments past their retention erased')
    return forgetEvery
  }
}

/** Stores the failures that a node counted, so that commands in other processes see them. Without any it does not use the store. */
async function noteFailures({ payments, store, world }: Parts<'payments' | 'store' | 'world'>) {
  const { failures } = payments.memory
  const counted = failures.take()
  if (counted.length > 0)
    await store.noteServiceFailures(world.node, counted).catch((error: unknown) => {
      failures.putBack(counted)
      throw error
    })
  return pollEvery
}

/** Stores what this process did in the last minute, at the beginning of the next one. */
async function noteMinute({ store, world }: Parts<'store' | 'world'>, minutes: Minutes): Promise<number> {
  const { rows, called } = minutes.take()
  const now = world.now()
  const begun = now - (now % minute)
  if (rows.length > 0) await store.noteMinutes(world.node, begun - minute, rows)
  if (called.length > 0) await store.noteCalls(called, now)
  return begun + minute - now
}

/** Stores the noted drifts. A drift that cannot be stored now is found again. */
async function storeDrifts({ drift, store }: Parts<'drift' | 'store'>): Promise<void> {
  const noted = drift.take()
  if (noted.length > 0) await store.noteDrifts(noted)
}

const atOnce = 100

/**
 * Delivers a webhook again if the shop accepted it and did not read the status for 15 minutes: the receiver may have lost it. On a slow
 * schedule, for a week. If the status is not read for 30 days, it is logged and no longer counted.
 */
async function remindUnread(workings: Parts<'world' | 'store' | 'wake'>): Promise<void> {
  const { store, world } = workings
  for (;;) {
    const { reminded, neverRead, more } = await store.remindUnread({ now: world.now(), limit: atOnce })
    for (const { shopId, orderId } of reminded) {
      world.observer.reminded()
      const says = 'the shop accepted the webhook and has not read the status: delivered again'
      world.log.warn({ shop: shopId, order: orderId }, says)
    }
    for (const { shopId: shop, orderId: order } of neverRead)
      world.log.error(
        { code: 'WEBHOOK_NEVER_READ', shop, order },
        'the shop accepted the webhook 30 days ago and has never read the status: it is no longer counted',
      )
    if (reminded.length > 0) workings.wake()
    if (!more) return
  }
}
