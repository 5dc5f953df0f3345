import type { Parts } from '../parts.ts'
import { StoreUnavailable } from '../store.ts'
import type { Claim, Delivered, OwedWebhook } from '../store-port.ts'

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

  /** Settles what waits. */
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
