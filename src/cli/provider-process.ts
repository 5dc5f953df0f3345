import { notRunning } from './dev/fault-text.ts'
import { complain } from './print.ts'
import { ProviderChild, type Serving } from './provider-child.ts'
import type { ProviderFault } from './provider-fault.ts'

export type Ready = Omit<Serving, 'port'>

export interface ProviderProcessOptions {
  port?: number | undefined
  /** The address of a tunnel to this provider, which then runs under the rules of production. Default: development. */
  publicUrl?: string | undefined
  env?: Record<string, string>
  /** Called if the process ends by itself after it was ready. Default: prints the error. */
  ended?: (fault: ProviderFault) => void
}

/** A provider in a process of its own, whose clock can be moved forward. It can be started again after a stop. */
export class ProviderProcess {
  readonly #file: string
  readonly #options: ProviderProcessOptions
  #port: number | undefined
  #child: ProviderChild | undefined
  #offset = 0

  constructor(file: string, options: ProviderProcessOptions = {}) {
    this.#file = file
    this.#port = options.port
    this.#options = options
  }

  /** Its port; set once it has started. */
  get port(): number | undefined {
    return this.#port
  }

  /** A restart keeps its port and its clock. Rejects with a `ProviderFailed` when it ends before it is ready. */
  async start(): Promise<Ready> {
    const { publicUrl, ended = showFault } = this.#options
    const child = this.#newChild()
    this.#child = child
    const mode = publicUrl === undefined ? { development: true } : { tunnel: true }
    const port = this.#port === undefined ? {} : { port: this.#port }
    const {
      port: taken,
      url,
      endpoint,
      services,
    } = await child.serve(
      { file: this.#file, options: { ...mode, ...port, json: true, showEndpoint: true } },
      this.#offset,
    )
    void child.ended.then((fault) => {
      if (this.#child === child) ended(fault)
    })
    this.#port = taken
    return { url, endpoint, services }
  }

  #newChild(): ProviderChild {
    const { env, publicUrl } = this.#options
    const address = publicUrl === undefined ? {} : { PURVEYOR_PUBLIC_URL: publicUrl }
    return new ProviderChild({ ...process.env, ...env, ...address }, this.#offset)
  }

  /** Finishes open calls first. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    await child?.stop()
  }

  /** Moves its clock forward, or back by a negative number of milliseconds. Resolves once every timer that is due by then has run. */
  async advance(ms: number): Promise<void> {
    this.#offset += ms
    await this.#child?.advance(ms)
  }
}

const showFault = (fault: ProviderFault) => complain(notRunning(fault))
