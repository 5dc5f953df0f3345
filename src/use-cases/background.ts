import { NotificationDelivery } from './deliver-notifications.ts'
import { expireAttempts } from './expire-attempts.ts'
import type { Provider } from './provider.ts'

/** How long something that another process owes may stay unseen, in milliseconds. */
const pollEvery = 5_000
const expiryEvery = 15_000

/** The background work of a running provider: delivers owed notifications and ends expired attempts. */
export class Background {
  readonly #provider: Provider
  readonly #delivery: NotificationDelivery
  #cancel: (() => void)[] = []
  #stopped = false
  #work = new Set<Promise<void>>()

  constructor(provider: Provider) {
    this.#provider = provider
    this.#delivery = new NotificationDelivery(provider)
  }

  start(): void {
    this.#repeat(0, () => this.#deliver())
    this.#repeat(1, () => this.#expire())
  }

  /** Something became due just now: no need to wait for the next look. */
  wake(): void {
    if (this.#stopped || this.#cancel.length === 0) return
    this.#cancel[0]?.()
    this.#repeat(0, () => this.#deliver())
  }

  /** Starts nothing more and resolves when what is under way is over. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const cancel of this.#cancel) cancel()
    await Promise.all([...this.#work, this.#delivery.stop()])
  }

  /** Does the work once and calls back after as many milliseconds as it asked for. */
  #repeat(slot: 0 | 1, work: () => Promise<number>): void {
    let cancelled = false
    let cancelTimer = () => {}
    this.#cancel[slot] = () => {
      cancelled = true
      cancelTimer()
    }
    const run = async () => {
      const wait = await work().catch((error: unknown) => {
        this.#provider.world.log.error({ err: error }, 'background work failed, will be tried again')
        return pollEvery
      })
      if (!cancelled && !this.#stopped) {
        cancelTimer = this.#provider.world.after(wait, () => this.#repeat(slot, work))
      }
    }
    const running = run().finally(() => this.#work.delete(running))
    this.#work.add(running)
  }

  async #deliver(): Promise<number> {
    await this.#delivery.deliverDue()
    const due = await this.#provider.store.nextNotificationDue()
    if (due === undefined) return pollEvery
    return Math.min(pollEvery, Math.max(50, due - this.#provider.world.now()))
  }

  async #expire(): Promise<number> {
    await expireAttempts(this.#provider)
    return expiryEvery
  }
}
