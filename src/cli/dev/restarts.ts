import { complain } from '../print.ts'
import { ProviderFailed, type ProviderFault } from '../provider-fault.ts'
import type { ProviderProcess, Ready } from '../provider-process.ts'
import { notRunning } from './fault-text.ts'

/** What the process of the provider does. */
export type RunState =
  | ({ is: 'running' } & Ready)
  | { is: 'starting' }
  | { is: 'not running'; fault: ProviderFault }

/** Starts a provider and starts it again after each save. Its faults are shown in the terminal. */
export class Restarts {
  readonly #provider: ProviderProcess
  readonly #accept: (ready: Ready) => void
  #state: RunState = { is: 'starting' }
  #follow: (state: RunState) => void = () => {}
  #ending = false

  /** `accept` throws for a provider that must not run. */
  constructor(provider: ProviderProcess, accept: (ready: Ready) => void = () => {}) {
    this.#provider = provider
    this.#accept = accept
  }

  /** Starts the provider for the first time. Rejects with a fault of this machine, such as a port in use: no save repairs it. */
  async start(): Promise<void> {
    try {
      await this.#run()
    } catch (error) {
      if (!(error instanceof ProviderFailed) || error.code === 'ENVIRONMENT_UNFIT') throw error
      this.#fail(error.fault)
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

  /** After a save of these files. Resolves once the provider runs or has failed again. */
  async restart(files: readonly string[]): Promise<void> {
    const since = performance.now()
    this.#set({ is: 'starting' })
    await this.#provider.stop()
    if (this.#ending) return
    try {
      const { url } = await this.#run()
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      complain(`Changed ${named(files)}: the provider runs again at ${url} (${seconds} s)`)
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      this.#fail(error.fault)
    }
  }

  async stop(): Promise<void> {
    this.#ending = true
    await this.#provider.stop()
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
