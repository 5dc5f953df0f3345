import type { LoggedCall } from '../calls/call-log.ts'
import type { Scenario, ScenarioRun } from './scenario.ts'

/** A shop of its own for scenarios, beside the one with the user's carts and orders. */
export interface Playground {
  run(scenario: Scenario): Promise<ScenarioRun>
  readonly calls: readonly LoggedCall[]
  close(): Promise<void>
}

/** Runs scenarios one after the other in a playground, which is open only while there are some to run. */
export class ScenarioRuns {
  readonly #open: () => Promise<Playground>
  readonly #changed: () => void
  readonly finished = new Map<string, ScenarioRun & Pick<Playground, 'calls'>>()
  /** Not set while nothing runs. `current` is the scenario that runs now; not set while the shop for it opens. */
  progress: { current: string | undefined; done: number; total: number } | undefined
  failure: string | undefined
  #queue: Scenario[] = []
  #playground: Playground | undefined
  #playing: Promise<void> | undefined

  constructor(open: () => Promise<Playground>, changed: () => void) {
    this.#open = open
    this.#changed = changed
  }

  /** Runs these after those that already wait. One that waits is not added twice. */
  start(scenarios: readonly Scenario[]): void {
    const added = scenarios.filter((one) => !this.#queue.includes(one) && this.progress?.current !== one.name)
    if (added.length === 0) return
    this.#queue.push(...added)
    for (const { name } of added) this.finished.delete(name)
    const { done = 0, total = 0, current } = this.progress ?? {}
    this.#set({ current, done, total: total + added.length })
    this.#playing ??= this.#play()
  }

  /** Runs no more after the current one. */
  stop(): void {
    this.#queue = []
    if (this.progress) this.#set({ ...this.progress, total: this.progress.done + 1 })
  }

  /** Ends the current one too. Resolves once nothing is left of it. */
  async close(): Promise<void> {
    this.stop()
    await this.#end()
    await this.#playing
  }

  #set(progress: ScenarioRuns['progress']): void {
    this.progress = progress
    this.#changed()
  }

  /** Again where scenarios were added while the playground closed. */
  async #play(): Promise<void> {
    while (this.#queue.length > 0) {
      this.failure = undefined
      try {
        this.#playground = await this.#open()
        await this.#playIn(this.#playground)
      } catch (error) {
        this.failure = (error as Error).message
        this.#queue = []
      }
      await this.#end()
      this.#set(undefined)
    }
    this.#playing = undefined
  }

  async #end(): Promise<void> {
    const playground = this.#playground
    this.#playground = undefined
    await playground?.close()
  }

  async #playIn(playground: Playground): Promise<void> {
    const earlier = new Set<number | undefined>()
    for (let done = 0; this.#queue.length > 0; done++) {
      const scenario = this.#queue.shift()!
      this.#set({ current: scenario.name, done, total: done + 1 + this.#queue.length })
      const before = playground.calls.at(-1)?.number ?? 0
      const run = await playground.run(scenario)
      // A provider's late call about the order of an earlier scenario does not belong to this one.
      const calls = playground.calls.filter(({ number, orderId }) => number > before && !earlier.has(orderId))
      if (run.orderId !== undefined) earlier.add(run.orderId)
      this.finished.set(scenario.name, { ...run, calls })
    }
  }
}
