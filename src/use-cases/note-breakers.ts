import type { OpenedBreaker } from '../store.ts'
import type { Workings } from './workings.ts'

/** In milliseconds. */
const noteEvery = 5_000
/** The most breakers of single shops that one node stores. Its metrics count all of them. */
const mostOfShops = 200

/**
 * Stores which rate adapters this node skips or finds slow, so that a command in another process can list and release them, and later list
 * the outage. While every adapter answers in time it does not use the store; rates never wait for it.
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
    const open = this.#open()
    if (open.length === 0 && !this.#noted) return noteEvery
    const { store, world, memory } = this.#workings
    this.#noted = true
    const released = await store.noteBreakers(this.#node, open, world.now())
    this.#noted = open.length > 0
    for (const { adapter, shopId: shop } of released) {
      memory.rates.breakers.release(adapter, shop)
      world.log.info({ adapter, shop }, 'a person released the breaker: calls to the rate adapter go through')
    }
    return noteEvery
  }

  /** An adapter that was slow before its breaker for all shops opened has one outage, which began then. */
  #open(): OpenedBreaker[] {
    const { memory, world } = this.#workings
    const { breakers, slow } = memory.rates
    const left = new Map(slow.slow(world.now()).map((one) => [one.adapter, one]))
    const open = breakers.toNote(mostOfShops).map(({ shop: shopId, ...one }) => {
      const before = shopId === undefined ? left.get(one.adapter) : undefined
      if (before) left.delete(one.adapter)
      return { ...one, shopId, since: Math.min(one.since, before?.since ?? one.since) }
    })
    return [...open, ...[...left.values()].map((one) => ({ ...one, shopId: undefined, nextTry: undefined }))]
  }

  /** Removes the breakers of this node, which has stopped. */
  async end(): Promise<void> {
    if (!this.#noted) return
    this.#noted = false
    const { store, world } = this.#workings
    await store.noteBreakers(this.#node, [], world.now()).catch(() => {})
  }
}
