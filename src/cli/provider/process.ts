import type { ScenarioProvider } from '../../sandbox/index.ts'
import { complain } from '../terminal/print.ts'
import { type Heard, ProviderChild, type Serving } from './child.ts'
import { notRunning, type ProviderFault } from './fault.ts'

export type Ready = Omit<Serving, 'port'>

export interface ProviderProcessOptions extends Heard {
  port?: number | undefined
  /** The address of a tunnel to this provider, which then runs under the rules of production. Default: development. */
  publicUrl?: string | undefined
  env?: Record<string, string>
  /** The settings of its first shop, saved at each start. */
  settings?: unknown
  /** Called if the process ends by itself after it was ready. Default: prints the error. */
  ended?: (fault: ProviderFault) => void
  /** Whether the next process boots while the provider runs, without its code, ports and stores, so that a restart is quick. Default: false. */
  standBy?: boolean
}

/** A provider in a process of its own, whose clock can be moved forward. It can be started again after `stop`, and not after `close`. */
export class ProviderProcess {
  readonly #file: string
  readonly #options: ProviderProcessOptions
  #port: number | undefined
  #child: ProviderChild | undefined
  #standBy: ProviderChild | undefined
  #isClosed = false
  #offset = 0

  constructor(file: string, options: ProviderProcessOptions = {}) {
    this.#file = file
    this.#port = options.port
    this.#options = options
  }

  get port(): number | undefined {
    return this.#port
  }

  /** A restart keeps its port and its clock. Rejects with a `ProviderFailed` when it ends before it is ready. */
  async start(): Promise<Ready> {
    const { publicUrl, settings, ended = showFault } = this.#options
    const child = this.#standBy && !this.#standBy.hasEnded ? this.#standBy : this.#newChild()
    this.#standBy = undefined
    this.#child = child
    const mode = publicUrl === undefined ? { development: true } : { tunnel: true }
    const options = { ...mode, port: this.#port, json: true, showEndpoint: true }
    const order = { file: this.#file, options, settings }
    // A start that failed is followed by the save that repairs it: that is as quick.
    const serving = await child.serve(order, this.#offset).finally(() => this.#bootNext())
    void child.ended.then((fault) => {
      if (this.#child === child) ended(fault)
    })
    this.#port = serving.port
    const { url, endpoint, services, estimates } = serving
    return { url, endpoint, services, estimates }
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    await child?.stop()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.stop(), this.#standBy?.stop()])
  }

  /** Moves its clock forward. Resolves once every timer that is due by then has run. */
  async advance(ms: number): Promise<void> {
    this.#offset += ms
    await this.#child?.advance(ms)
  }

  #bootNext(): void {
    if (this.#options.standBy && !this.#isClosed) this.#standBy = this.#newChild()
  }

  #newChild(): ProviderChild {
    const { env, publicUrl } = this.#options
    const address = publicUrl === undefined ? {} : { PURVEYOR_PUBLIC_URL: publicUrl }
    return new ProviderChild({ ...process.env, ...env, ...address }, this.#offset, this.#options)
  }
}

const showFault = (fault: ProviderFault) => complain(notRunning(fault))

/** Starts the provider once more, with an empty store in memory, at a free port and under a clock of its own. `settings`: of its shop. */
export async function startScenarioProvider(file: string, settings?: unknown): Promise<ScenarioProvider> {
  const env = {
    PORT: '0',
    PURVEYOR_DATABASE_URL: 'sqlite::memory:',
    PURVEYOR_PUBLIC_URL: '',
    PURVEYOR_LOG_LEVEL: process.env.PURVEYOR_LOG_LEVEL ?? 'error',
  }
  const provider = new ProviderProcess(file, { env, settings })
  const { endpoint, services, estimates } = await provider.start()
  return { endpoint, services, estimates, move: (ms) => provider.advance(ms), stop: () => provider.stop() }
}
