import { BreakerNotes } from './note-breakers.ts'
import { attemptChecks } from './payments/check-attempts.ts'
import { PushProcessing } from './payments/pushes/process-pushes.ts'
import { closeFiles, watchFiles } from './rates/watch-files.ts'
import { pruneAll, pruneAuditTrail } from './removal.ts'
import { WebhookDelivery } from './webhooks/deliver-webhooks.ts'
import type { Workings } from './workings.ts'

const second = 1000
/** How long work of another process may stay unnoticed, in milliseconds. */
const pollEvery = 5 * second
const checkEvery = 15 * second
const remindEvery = 60 * second
/** How long a stop waits for open work, in milliseconds: a little less than for open connections. */
const stopsWithin = 4 * second
/** Often, so that little is deleted at a time: other commands wait for it. */
const forgetEvery = 900 * second
const rememberFor = 30 * 24 * 3_600 * second

interface Task {
  /** Does the due work and returns the milliseconds until the next check. */
  work: () => Promise<number>
  cancel: () => void
  running: boolean
  again: boolean
}

/** The background work of a provider: webhooks, pushes, checks of open attempts, reminders, deletion of old data. */
export class Background {
  readonly #workings: Workings
  readonly #delivery: WebhookDelivery
  readonly #pushes: PushProcessing
  readonly #checks: ReturnType<typeof attemptChecks>
  readonly #breakers: BreakerNotes
  readonly #failures: ServiceFailureNotes
  readonly #tasks: Record<
    'deliver' | 'push' | 'check' | 'remind' | 'breakers' | 'failures' | 'forget' | 'secret' | 'files',
    Task
  >
  readonly #work = new Set<Promise<void>>()
  #stopped = true
  /** Set once nothing more is claimed. Resolves when the claimed work is finished. */
  #finishing: Promise<unknown> | undefined

  constructor(workings: Workings) {
    this.#workings = workings
    this.#delivery = new WebhookDelivery(workings)
    this.#pushes = new PushProcessing(workings)
    this.#checks = attemptChecks(workings)
    this.#breakers = new BreakerNotes(workings)
    this.#failures = new ServiceFailureNotes(workings)
    const task = (work: () => Promise<number>): Task => ({
      work,
      cancel: () => {},
      running: false,
      again: false,
    })
    this.#tasks = {
      deliver: task(() => this.#deliver()),
      push: task(() => this.#pushes.processDue().then(() => pollEvery)),
      check: task(() => this.#checks.wake().then(() => checkEvery)),
      remind: task(() => this.#remind()),
      breakers: task(() => this.#breakers.work()),
      failures: task(() => this.#failures.work()),
      forget: task(() => this.#forget()),
      files: task(() => watchFiles(workings)),
      secret: task(async () => workings.rotation?.work() ?? forgetEvery),
    }
  }

  start(): void {
    this.#stopped = false
    this.#finishing = undefined
    const { deliver, push, check, secret, ...upkeep } = this.#tasks
    const claiming = this.#begin(deliver)
    for (const task of [push, check, secret]) this.#run(task)
    // Shops wait for what is owed, and nobody for the rest.
    void claiming.then(() => {
      for (const task of Object.values(upkeep)) this.#run(task)
    })
  }

  /** Runs at once, because something became due just now. */
  wake(): void {
    this.#run(this.#tasks.deliver)
    this.#run(this.#tasks.push)
  }

  /** Claims nothing more, so that other nodes do, and finishes its claimed work and work for calls that still arrive. */
  finish(): void {
    const { secret, breakers, failures, ...claiming } = this.#tasks
    for (const task of Object.values(claiming)) task.cancel()
    this.#finishing ??= Promise.all([this.#delivery.stop(), this.#pushes.stop(), this.#checks.stop()])
  }

  /** Starts nothing more and resolves when open work is finished, or after 4 s. Other processes finish what is left then. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const task of Object.values(this.#tasks)) task.cancel()
    this.finish()
    await this.#withinTime(Promise.all([...this.#work, this.#finishing]))
    await this.#delivery.leave()
    await this.#breakers.end()
    await this.#failures.end()
    await storeDrifts(this.#workings).catch(() => {})
    await closeFiles(this.#workings)
  }

  async #withinTime(work: Promise<unknown>): Promise<void> {
    let cancel = () => {}
    const over = new Promise<void>((resolve) => {
      cancel = this.#workings.world.after(stopsWithin, resolve)
    })
    await Promise.race([work, over]).finally(() => cancel())
  }

  /** Runs a task now; one that is running already runs once more after it. */
  #run(task: Task): void {
    void this.#begin(task)
  }

  /** As `#run`. Resolves when this run is over. */
  #begin(task: Task): Promise<void> {
    if (this.#isOver(task)) return Promise.resolve()
    if (task.running) {
      task.again = true
      return Promise.resolve()
    }
    task.cancel()
    task.running = true
    const running = this.#once(task).finally(() => this.#work.delete(running))
    this.#work.add(running)
    return running
  }

  #isOver(task: Task): boolean {
    const { secret, breakers, failures } = this.#tasks
    if (this.#finishing === undefined || this.#stopped) return this.#stopped
    return ![secret, breakers, failures].includes(task)
  }

  async #once(task: Task): Promise<void> {
    const wait = await task.work().catch((error: unknown) => {
      this.#workings.world.log.error({ err: error }, 'background work failed, will be tried again')
      return pollEvery
    })
    task.running = false
    if (this.#isOver(task)) return
    if (task.again) {
      task.again = false
      this.#run(task)
    } else task.cancel = this.#workings.world.after(wait, () => this.#run(task))
  }

  async #deliver(): Promise<number> {
    const { store, world } = this.#workings
    await this.#delivery.deliverDue()
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
    if (pruned > 0) world.log.info({ pruned }, 'payments past their retention erased')
    return forgetEvery
  }
}

/** In milliseconds. */
const noteEvery = 5_000

/** Stores what was counted, so that commands in other processes see it. Without failures it does not use the store. */
class ServiceFailureNotes {
  readonly #workings: Workings
  readonly #node: string

  constructor(workings: Workings) {
    this.#workings = workings
    this.#node = workings.world.token(9)
  }

  /** Resolves with the milliseconds until the next run. */
  async work(): Promise<number> {
    const { memory, store } = this.#workings
    const failures = memory.serviceFailures.take()
    if (failures.length === 0) return noteEvery
    await store.noteServiceFailures(this.#node, failures).catch((error: unknown) => {
      memory.serviceFailures.putBack(failures)
      throw error
    })
    return noteEvery
  }

  /** Stores the last ones of a node that stops. */
  async end(): Promise<void> {
    await this.work().catch(() => {})
  }
}

/** Stores the noted drifts. A drift that cannot be stored now is found again. */
async function storeDrifts({ memory, store }: Workings): Promise<void> {
  const noted = memory.drift.take()
  if (noted.length > 0) await store.noteDrifts(noted)
}

const atOnce = 100

/**
 * Delivers a webhook again if the shop accepted it and did not read the status for 15 minutes: the receiver may have lost it. On a slow
 * schedule, for a week. If the status is not read for 30 days, it is logged and no longer counted.
 */
async function remindUnread(workings: Workings): Promise<void> {
  const { store, world } = workings
  for (;;) {
    const { reminded, neverRead, more } = await store.remindUnread({ now: world.now(), limit: atOnce })
    for (const { shopId, orderId } of reminded) {
      world.observer.reminded()
      world.log.warn(
        { shop: shopId, order: orderId },
        'the shop accepted the webhook and has not read the status: delivered again',
      )
    }
    for (const { shopId, orderId } of neverRead) {
      world.log.error(
        { code: 'WEBHOOK_NEVER_READ', shop: shopId, order: orderId },
        'the shop accepted the webhook 30 days ago and has never read the status: it is no longer counted',
      )
    }
    if (reminded.length > 0) workings.wake()
    if (!more) return
  }
}
