import { type Claim, type Delivered, type OwedWebhook, StoreUnavailable } from '../../store.ts'
import type { Workings } from '../workings.ts'

/** How long a delivery waits for others to be settled with it, in milliseconds, and the most that are settled together. */
const gatherFor = 40
const mostTogether = 1_024

interface Waiting {
  one: Delivered
  settled: () => void
  failed: (error: unknown) => void
}

/** Settles deliveries that succeeded, many by one command. One that fails fails alone. */
export class SettleDelivered {
  readonly #workings: Workings
  #waiting: Waiting[] = []
  #cancel: (() => void) | undefined
  readonly #settling = new Set<Promise<unknown>>()
  /** A claim takes what waits, or is on its way: what comes meanwhile waits for the next one. */
  #isClaiming = false

  constructor(workings: Workings) {
    this.#workings = workings
  }

  /** Resolves once it is on disk. `atOnce`: nothing else comes that could be settled with it. */
  add(one: Delivered, atOnce: boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { one, settled: resolve, failed: reject }
    // Its success opens a lane.
    if (one.owed.probe) this.#settleAlone(waiting)
    else this.#waiting.push(waiting)
    if (this.#isClaiming) return promise
    if (atOnce || this.#waiting.length >= mostTogether) this.#begin()
    else this.#beginLater()
    return promise
  }

  #beginLater(): void {
    if (this.#waiting.length > 0) this.#cancel ??= this.#workings.world.after(gatherFor, () => this.#begin())
  }

  /** Claims more once all that were added are settled, so that it finds their places free. One commit does both. */
  async claim(claim: Claim): Promise<OwedWebhook[]> {
    this.#isClaiming = true
    try {
      await Promise.all(this.#settling)
      const waiting = this.#take()
      return await (waiting.length === 0
        ? this.#workings.store.claimWebhooks(claim)
        : this.#settle(waiting, claim))
    } finally {
      this.#isClaiming = false
      this.#beginLater()
    }
  }

  #take(): readonly Waiting[] {
    this.#cancel?.()
    this.#cancel = undefined
    return this.#waiting.splice(0)
  }

  #begin(): void {
    const waiting = this.#take()
    if (waiting.length === 0) return
    const settling = this.#settle(waiting).finally(() => this.#settling.delete(settling))
    this.#settling.add(settling)
  }

  async #settle(waiting: readonly Waiting[], claim?: Claim): Promise<OwedWebhook[]> {
    try {
      const batch = waiting.map(({ one }) => one)
      const { left, claimed } = await this.#workings.store.settleWebhooks(batch, claim)
      const isLeft = new Set(left)
      for (const each of waiting) {
        if (isLeft.has(each.one)) this.#settleAlone(each)
        else each.settled()
      }
      return claimed
    } catch (error) {
      for (const each of waiting) {
        if (error instanceof StoreUnavailable) each.failed(error)
        else this.#settleAlone(each)
      }
      if (claim) throw error
      return []
    }
  }

  /** Nothing waits for it: its row may be locked for seconds. */
  #settleAlone({ one, settled, failed }: Waiting): void {
    this.#workings.store.settleWebhook(one.owed, one.call).then(settled, failed)
  }
}
