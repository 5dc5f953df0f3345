import { StoreUnavailable } from '../../store.ts'
import type { Claim, Delivered, OwedWebhook } from '../../store-port.ts'
import type { Workings } from '../workings.ts'

/** How long a delivery waits for others to be settled with it, in milliseconds, and the most that are settled together. */
const gatherFor = 40
const mostTogether = 1_024

type Waiting = Map<Delivered, PromiseWithResolvers<void>>

/** Settles deliveries that succeeded, many by one command. One that fails fails alone. */
export class SettleDelivered {
  readonly #workings: Workings
  #waiting: Waiting = new Map()
  #cancel: (() => void) | undefined
  readonly #settling = new Set<Promise<unknown>>()
  /** A claim takes what waits, or is on its way: what comes meanwhile waits for the next one. */
  #isClaiming = false

  constructor(workings: Workings) {
    this.#workings = workings
  }

  /** Resolves once it is on disk, within 40 ms, or as soon as `settle` is called. */
  add(one: Delivered): Promise<void> {
    const settled = Promise.withResolvers<void>()
    // Its success opens a lane.
    if (one.owed.probe) this.#settleAlone(one, settled)
    else this.#waiting.set(one, settled)
    if (this.#waiting.size >= mostTogether) this.settle()
    else this.#settleLater()
    return settled.promise
  }

  /** Settles what waits. */
  settle(): void {
    const waiting = this.#isClaiming ? new Map() : this.#take()
    if (waiting.size === 0) return
    const settling = this.#settle(waiting).finally(() => this.#settling.delete(settling))
    this.#settling.add(settling)
  }

  #settleLater(): void {
    if (this.#isClaiming || this.#waiting.size === 0) return
    this.#cancel ??= this.#workings.world.after(gatherFor, () => this.settle())
  }

  /** Claims more once all that were added are settled, so that it finds their places free. One commit does both. */
  async claim(claim: Claim): Promise<OwedWebhook[]> {
    this.#isClaiming = true
    try {
      await Promise.all(this.#settling)
      const waiting = this.#take()
      return await (waiting.size === 0
        ? this.#workings.store.claimWebhooks(claim)
        : this.#settle(waiting, claim))
    } finally {
      this.#isClaiming = false
      this.#settleLater()
    }
  }

  #take(): Waiting {
    this.#cancel?.()
    this.#cancel = undefined
    const waiting = this.#waiting
    this.#waiting = new Map()
    return waiting
  }

  async #settle(waiting: Waiting, claim?: Claim): Promise<OwedWebhook[]> {
    try {
      const { left, claimed } = await this.#workings.store.settleWebhooks([...waiting.keys()], claim)
      for (const one of left) {
        this.#settleAlone(one, waiting.get(one)!)
        waiting.delete(one)
      }
      for (const settled of waiting.values()) settled.resolve()
      return claimed
    } catch (error) {
      for (const [one, settled] of waiting) {
        if (error instanceof StoreUnavailable) settled.reject(error)
        else this.#settleAlone(one, settled)
      }
      if (claim) throw error
      return []
    }
  }

  /** Nothing waits for it: its row may be locked for seconds. */
  #settleAlone({ owed, call }: Delivered, { resolve, reject }: PromiseWithResolvers<void>): void {
    this.#workings.store.settleWebhook(owed, call).then(resolve, reject)
  }
}
