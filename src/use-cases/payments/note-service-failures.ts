import type { Workings } from '../workings.ts'

/** In milliseconds. */
const noteEvery = 5_000

/** Stores what was counted, so that commands in other processes see it. Without failures it does not use the store. */
export class ServiceFailureNotes {
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
