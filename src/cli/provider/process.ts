import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { jsonIn } from '../../contract/texts.ts'
import { drainFor } from '../../http/server.ts'
import { printable, printableLines } from '../../printable.ts'
import type { Listening, Provider } from '../../provider/provider.ts'
import type { ScenarioProvider } from '../../sandbox/index.ts'
import type { Message, Order } from '../provider-main.ts'
import { complain } from '../terminal/print.ts'
import {
  logLines,
  notRunning,
  ProviderFailed,
  type ProviderFault,
  type SentFault,
  unknownFault,
} from './fault.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const main = fileURLToPath(new URL(`../provider-main.${extension}`, import.meta.url))
const movingClock = new URL(`../dev/moving-clock.${extension}`, import.meta.url).href

export type Ready = Pick<Listening, 'url' | 'endpoint'> & Pick<Provider, 'services' | 'estimates'>

export interface ProviderProcessOptions {
  /** Called with the files that it imports, without those of packages, as absolute paths. Also if it does not start. */
  loaded?: (files: string[]) => void
  /** Called with the tariffs that it has in use, as absolute paths. */
  tariffs?: (files: string[]) => void
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
    const { publicUrl, settings, ended = (fault) => complain(notRunning(fault)) } = this.#options
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

/** Longer than a provider takes to finish its open calls, in milliseconds. */
const drainedWithin = drainFor(true) + 1_500

/** One process for one start of a provider. It ends with this process, however that ends. */
class ProviderChild {
  readonly #child: ChildProcess
  #offset: number
  #isReady = false
  readonly ended: Promise<SentFault>

  /** `offset` is how far the clock of the provider is ahead, in milliseconds. */
  constructor(env: NodeJS.ProcessEnv, offset: number, heard: ProviderProcessOptions) {
    this.#offset = offset
    this.#child = spawn(process.execPath, ['--import', movingClock, main], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...env, PURVEYOR_CLOCK_OFFSET: String(offset) },
    })
    this.#child.stderr!.once('readable', () => void showLog(this.#child.stderr!))
    this.#child.on('message', (message: Message) => {
      if (message.loaded) heard.loaded?.(message.loaded)
      if (message.tariffs) heard.tariffs?.(message.tariffs)
    })
    this.ended = endOf(this.#child)
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Runs a provider at the clock of `offset`. Rejects with a `ProviderFailed` when the process ends before it is ready. */
  serve(order: Order, offset: number): Promise<Ready & Pick<Listening, 'port'>> {
    const child = this.#child
    if (offset !== this.#offset) send(child, { advance: offset - this.#offset })
    this.#offset = offset
    send(child, { serve: order })
    return new Promise((resolve, reject) => {
      void this.ended.then((fault) => reject(new ProviderFailed(fault)))
      createInterface({ input: child.stdout! }).on('line', (line) => {
        if (line.startsWith('{"ready":true')) {
          this.#isReady = true
          resolve(JSON.parse(line))
        }
        // The provider's own code prints it, for its own developer: colours stay.
        else console.log(line)
      })
    })
  }

  /** Moves its clock forward, by milliseconds. Resolves once every timer that is due by then has run. */
  async advance(ms: number): Promise<void> {
    const child = this.#child
    if (!child.connected) return
    this.#offset += ms
    const advanced = Promise.withResolvers<void>()
    const look = (message: { advanced?: number }) => message.advanced !== undefined && advanced.resolve()
    child.on('message', look)
    send(child, { advance: ms })
    await Promise.race([advanced.promise, this.ended])
    child.off('message', look)
  }

  /** Finishes open calls, then ends the process. One that does not end by itself, such as one in an endless loop, is killed. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const killed = setTimeout(() => this.#child.kill('SIGKILL'), this.#isReady ? drainedWithin : 500)
    await this.ended
    clearTimeout(killed)
  }
}

/** A process that has just ended gets no message; its end says so. */
const send = (child: ChildProcess, message: object) => void child.send(message, () => {})

function endOf(child: ChildProcess): Promise<SentFault> {
  let thrown: SentFault | undefined
  child.on('message', ({ fault }: Message) => {
    thrown ??= fault
  })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(unknownFault(`The provider cannot start: ${message}.`, 3)))
    child.once('exit', (code, signal) => {
      const how = signal ? `signal ${signal}` : `exit code ${code}`
      const end = () => resolve(thrown ?? unknownFault(`The provider ended with ${how}.`, code === 2 ? 2 : 3))
      // Its last message arrives before the channel closes.
      if (child.connected) child.once('disconnect', end)
      else end()
    })
  })
}

/** Formats log lines for people where the package pino-pretty is installed; other lines are shown as they are. */
async function showLog(log: Readable): Promise<void> {
  const pretty = await import('pino-pretty').catch(() => undefined)
  const shown =
    pretty?.default({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }) ??
    process.stderr
  createInterface({ input: log }).on('line', (line) => {
    const own = logLines(line)
    if (own === undefined) shown.write(`${withoutControls(line)}\n`)
    else for (const one of own) console.error(one)
  })
}

/** A log line holds words of payment services and callers, which pino-pretty prints as they are. */
function withoutControls(line: string): string {
  const parsed = jsonIn(line)
  if (parsed === undefined) return line
  return JSON.stringify(parsed, (name, value: unknown) => {
    if (typeof value !== 'string') return value
    return name === 'stack' ? printableLines(value) : printable(value)
  })
}
