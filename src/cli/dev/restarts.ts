import { complain } from '../print.ts'
import { faultOf, ProviderFailed, type ProviderFault } from '../provider-fault.ts'
import type { ProviderProcess, Ready } from '../provider-process.ts'
import { notRunning } from './fault-text.ts'
import type { Saves } from './saves.ts'

/** The state of the provider's process. */
export type RunState =
  | ({ is: 'running' } & Ready)
  | { is: 'starting' }
  | { is: 'not running'; fault: ProviderFault }

/** Starts a provider and starts it again after each save. Its faults are shown in the terminal. */
export class Restarts {
  readonly #provider: ProviderProcess
  readonly #saves: Saves
  readonly #accept: (ready: Ready) => void
  #state: RunState = { is: 'starting' }
  #follow: (state: RunState) => void = () => {}
  #ending = false

  /** `accept` throws for a provider that must not run. */
  constructor(provider: ProviderProcess, saves: Saves, accept: (ready: Ready) => void = () => {}) {
    this.#provider = provider
    this.#saves = saves
    this.#accept = accept
  }

  /** Starts the provider for the first time. Rejects with a fault of this machine, such as a port in use: no save repairs it. */
  async start(): Promise<void> {
    try {
      await this.#run()
    } catch (error) {
      if (error instanceof ProviderFailed && error.code !== 'ENVIRONMENT_UNFIT')
        return this.#fail(error.fault)
      await this.stop()
      throw error
    }
  }

  /** Calls back with the current state at once, and after each change. */
  follow(follow: (state: RunState) => void): void {
    this.#follow = follow
    follow(this.#state)
  }

  /** For the provider's process: it ended by itself. */
  ended(fault: ProviderFault): void {
    this.#fail(fault)
  }

  /** Starts the provider again after each save, until it is stopped. */
  async afterSaves(): Promise<void> {
    const saves = this.#saves
    for (let files = await saves.next(); files.length > 0; files = await saves.next())
      await this.#restart(files)
  }

  async #restart(files: readonly string[]): Promise<void> {
    const since = performance.now()
    this.#set({ is: 'starting' })
    await this.#provider.stop()
    if (this.#ending) return
    try {
      const { url } = await this.#run()
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      complain(`Changed ${named(files)}: the provider runs again at ${url} (${seconds} s)`)
    } catch (error) {
      this.#fail(error instanceof ProviderFailed ? error.fault : faultOf(error))
    }
  }

  async stop(): Promise<void> {
    this.#ending = true
    await Promise.all([this.#saves.close(), this.#provider.close()])
  }

  async #run(): Promise<Ready> {
    const ready = await this.#provider.start()
    try {
      this.#accept(ready)
    } catch (error) {
      await this.#provider.stop()
      throw error
    }
    this.#set({ is: 'running', ...ready })
    return ready
  }

  #fail(fault: ProviderFault): void {
    if (this.#ending) return
    complain(`${notRunning(fault)}\nWaiting for the next change.`)
    this.#set({ is: 'not running', fault })
  }

  #set(state: RunState): void {
    this.#state = state
    this.#follow(state)
  }
}

const named = ([first, ...others]: readonly string[]): string =>
  others.length === 0 ? String(first) : `${first} and ${others.length} more`
