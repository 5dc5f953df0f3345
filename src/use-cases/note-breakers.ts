import type { Workings } from './workings.ts'

/** In milliseconds. */
const noteEvery = 5_000
/** The most breakers of single shops that one node stores. Its metrics count all of them. */
const mostOfShops = 200

/**
 * Stores which rate adapters this node skips, so that a command in another process can list and release them. While every adapter answers
 * it does not use the store; rates never wait for it.
 */
export class BreakerNotes {
  readonly #workings: Workings
  readonly #node: string
  /** Whether the store may have a row of this node. */
  #noted = false

  constructor(workings: Workings) {
    this.#workings = workings
    this.#node = workings.world.token(9)
  }

  /** Stores the open breakers, and closes those that a person released. Resolves with the milliseconds until the next run. */
  async work(): Promise<number> {
    const { breakers } = this.#workings.memory.rates
    const open = breakers.toNote(mostOfShops)
    if (open.length === 0 && !this.#noted) return noteEvery
    const { store, world } = this.#workings
    this.#noted = true
    const noted = open.map(({ shop: shopId, ...one }) => ({ ...one, shopId }))
    const released = await store.noteBreakers(this.#node, noted, world.now())
    this.#noted = open.length > 0
    for (const { adapter, shopId: shop } of released) {
      breakers.release(adapter, shop)
      world.log.info({ adapter, shop }, 'a person released the breaker: calls to the rate adapter go through')
    }
    return noteEvery
  }

  /** Removes the breakers of this node, which has stopped. */
  async end(): Promise<void> {
    if (!this.#noted) return
    this.#noted = false
    const { store, world } = this.#workings
    await store.noteBreakers(this.#node, [], world.now()).catch(() => {})
  }
}
