import type { Parts } from '../../parts.ts'
import type { BreakerKey, EndedBreaker, OpenedBreaker } from '../../store-port.ts'

/** In milliseconds. */
const noteEvery = 5_000
/** The most breakers of single shops that one node stores. Its metrics count all of them. */
const mostOfShops = 200
/** The most outages that wait for a store which is away. */
const mostEnded = 400

/**
 * Stores which rate adapters this node skips or finds slow, so that a command in another process can list and release them, and later list
 * the outage. While every adapter answers in time it does not use the store; rates never wait for it.
 */
export class BreakerNotes {
  readonly #workings: Parts<'world' | 'store' | 'rates'>
  /** Whether the store may have a row of this node. */
  #noted = false
  /** The adapters that were skipped or slow at the last look, and those that are well again and not stored yet. */
  #seen = new Map<string, OpenedBreaker>()
  #ended: EndedBreaker[] = []

  constructor(workings: Parts<'world' | 'store' | 'rates'>) {
    this.#workings = workings
  }

  /** Stores the open breakers, and closes those that a person released. Resolves with the milliseconds until the next run. */
  async work(): Promise<number> {
    const { store, world, rates } = this.#workings
    const open = this.#open()
    this.#look(open, world.now())
    if (open.length === 0 && !this.#noted && this.#ended.length === 0) return noteEvery
    this.#noted = true
    const released = await store.noteBreakers(world.node, open, world.now(), this.#ended)
    this.#ended = []
    this.#noted = open.length > 0
    for (const { adapter, shopId: shop } of released) {
      // The store has ended it.
      this.#seen.delete(keyOf({ adapter, shopId: shop }))
      rates.memory.breakers.release(adapter, shop)
      world.log.info({ adapter, shop }, 'a person opened the lane: the rate adapter is called again')
    }
    return noteEvery
  }

  /** An outage ends when its adapter is well again. The store may be away then, and is written later. */
  #look(open: readonly OpenedBreaker[], now: number): void {
    const before = this.#seen
    this.#seen = new Map(open.map((one) => [keyOf(one), one]))
    const ended = [...before.values()].filter((one) => !this.#seen.has(keyOf(one)))
    this.#ended.push(...ended.map((one) => ({ ...one, endedAt: now })))
    this.#ended = this.#ended.slice(-mostEnded)
  }

  /** An adapter that was slow before its breaker opened has one outage, which began then. */
  #open(): OpenedBreaker[] {
    const { rates, world } = this.#workings
    const { breakers, slow } = rates.memory
    const left = new Map(slow.slow(world.now()).map((one) => [one.adapter, one]))
    const open = breakers.toNote(mostOfShops).map(({ shop: shopId, ...one }) => {
      const before = shopId === undefined ? left.get(one.adapter)?.since : undefined
      if (shopId === undefined) left.delete(one.adapter)
      return { ...one, shopId, since: Math.min(one.since, before ?? one.since) }
    })
    const rest = [...left.values()].map((one) => ({ ...one, shopId: undefined, nextTry: undefined }))
    return [...open, ...rest]
  }

  async end(): Promise<void> {
    const { store, world } = this.#workings
    this.#look(this.#open(), world.now())
    if (!this.#noted && this.#ended.length === 0) return
    this.#noted = false
    await store.noteBreakers(world.node, [], world.now(), this.#ended).catch(() => {})
  }
}

const keyOf = ({ adapter, shopId = '' }: BreakerKey): string => `${adapter} ${shopId}`
