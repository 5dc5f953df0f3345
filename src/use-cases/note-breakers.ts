import type { Workings } from './workings.ts'

/** In milliseconds. */
const noteEvery = 5_000
/** How many breakers of single shops one node notes. Its metrics count all of them. */
const mostOfShops = 200

/**
 * Notes in the store which rate adapters this node leaves alone, so that a command in another process lists and releases them. While
 * every adapter answers it asks the store for nothing; rates never wait for it.
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

  /** Notes what is open now, and closes what a person released. Resolves with the milliseconds until the next look. */
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

  /** This node has stopped, and leaves nothing alone any more. */
  async end(): Promise<void> {
    if (!this.#noted) return
    this.#noted = false
    const { store, world } = this.#workings
    await store.noteBreakers(this.#node, [], world.now()).catch(() => {})
  }
}
