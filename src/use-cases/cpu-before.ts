import type { World } from '../world.ts'

/** A reading of the CPU time serves calls that begin within so many milliseconds: it costs as much as a look-up in a table of rates. */
const servesFor = 5

/** The CPU time of the thread as calls begin. */
export class CpuBefore {
  readonly #world: Pick<World, 'cpu'>
  #readAt = Number.NEGATIVE_INFINITY
  #cpu: number | undefined

  constructor(world: Pick<World, 'cpu'>) {
    this.#world = world
  }

  /** The CPU time at `now`, or at most 5 ms before, in milliseconds. `undefined` where only the clock is known. */
  at(now: number): number | undefined {
    const age = now - this.#readAt
    if (age < 0 || age >= servesFor) {
      this.#readAt = now
      this.#cpu = this.#world.cpu?.()
    }
    return this.#cpu
  }
}
