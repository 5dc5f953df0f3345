import { faultOf, notRunning, ProviderFailed, type ProviderFault } from '../provider/fault.ts'
import type { ProviderProcess, Ready } from '../provider/process.ts'
import { complain } from '../terminal/print.ts'
import type { Saves } from './saves.ts'

export type RunState =
  | ({ is: 'running' } & Ready)
  | { is: 'starting' }
  | { is: 'not running'; fault: ProviderFault }

/** After this long a start is slow: the shop opens, or goes on, without the provider, and shows why. In milliseconds. */
const slow = 10_000

/** Starts a provider and starts it again after each save. Its faults are shown in the terminal. */
export class Restarts {
  readonly #provider: ProviderProcess
  readonly #saves: Saves
  readonly #isNeeded: boolean
  #state: RunState = { is: 'starting' }
  readonly #followers: ((state: RunState) => void)[] = []
  #starting: Promise<unknown> = Promise.resolve()
  #isGivenUp = false
  #ending = false
  /** A fault that ends it. */
  #unfit: unknown

  /** With `isNeeded` a first start that fails ends all: there is no shop that shows why. */
  constructor(provider: ProviderProcess, saves: Saves, isNeeded = false) {
    this.#provider = provider
    this.#saves = saves
    this.#isNeeded = isNeeded
  }

  /** Resolves once the provider runs or has failed, or after ten seconds. Rejects with a fault of this machine, such as a port in use: no save repairs it. */
  async start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.follow(({ is }) => is !== 'starting' && resolve())
    this.#starting = this.#run().catch(async (error: ProviderFailed) => {
      if (!this.#isNeeded && error.code !== 'ENVIRONMENT_UNFIT') return this.fail(error.fault)
      this.#unfit = error
      await this.stop()
      reject(error)
    })
    return promise
  }

  /** Calls back with the current state at once, and after each change. */
  follow(follow: (state: RunState) => void): void {
    this.#followers.push(follow)
    follow(this.#state)
  }

  /** Starts the provider again after each save. A start under way is given up. Rejects with a fault that came after `start` resolved. */
  async afterSaves(): Promise<void> {
    const saves = this.#saves
    for (let files = await saves.next(); files.length > 0; files = await saves.next()) {
      const since = performance.now()
      this.#set({ is: 'starting' })
      this.#isGivenUp = true
      await this.#provider.stop()
      await this.#starting
      this.#isGivenUp = false
      this.#starting = this.#restart(files, since)
    }
    if (this.#unfit) throw this.#unfit
  }

  async #restart(files: readonly string[], since: number): Promise<void> {
    if (this.#ending) return
    try {
      const { url } = await this.#run()
      const [first, ...others] = files
      const changed = others.length === 0 ? first : `${first} and ${others.length} more`
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      complain(`Changed ${changed}: the provider runs again at ${url} (${seconds} s)`)
    } catch (error) {
      this.fail(error instanceof ProviderFailed ? error.fault : faultOf(error))
    }
  }

  async stop(): Promise<void> {
    this.#ending = true
    this.#saves.close()
    await this.#provider.stop()
  }

  /** Starts the process. One that takes long is shown, and runs when it is ready. */
  async #run(): Promise<Ready> {
    const late = setTimeout(() => this.#state.is === 'starting' && this.fail(slowStart), slow)
    const ready = await this.#provider.start().finally(() => clearTimeout(late))
    this.#set({ is: 'running', ...ready })
    return ready
  }

  /** The provider does not run, or no more. */
  fail(fault: ProviderFault): void {
    if (this.#ending || this.#isGivenUp) return
    complain(`${notRunning(fault)}${fault === slowStart ? '' : '\nWaiting for the next change.'}`)
    this.#set({ is: 'not running', fault })
  }

  #set(state: RunState): void {
    this.#state = state
    for (const follow of this.#followers) follow(state)
  }
}

const message = `it is still starting after ${slow / 1000} s`
const remedy =
  'The first start takes longest. If the provider never gets ready, a promise in its code does not settle, or prepare() of an adapter hangs.'
/** The fault of a start that may still end well. */
export const slowStart: ProviderFault = { message, lines: [], remedy, frames: [] }
