import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { drainFor } from '../../http/server.ts'
import { printable, printableLines } from '../../printable.ts'
import type { Listening, Provider } from '../../provider/provider.ts'
import type { Message, Order } from '../provider-main.ts'
import { ProviderFailed, type SentFault, unknownFault } from './fault.ts'
import { logLines } from './log-lines.ts'

export type Serving = Pick<Listening, 'url' | 'endpoint' | 'port'> & Pick<Provider, 'services' | 'estimates'>

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const main = fileURLToPath(new URL(`../provider-main.${extension}`, import.meta.url))
const movingClock = new URL(`../moving-clock.${extension}`, import.meta.url).href

/** Called with files of the provider, without those of packages, as absolute paths. */
export interface Heard {
  /** Those that it imports. Also if it does not start. */
  loaded?: (files: string[]) => void
  /** The tariffs that it has in use. */
  tariffs?: (files: string[]) => void
}

/** Longer than a provider takes to finish its open calls, in milliseconds. */
const drainedWithin = drainFor(true) + 1_500

/** One process for one start of a provider. It ends with this process, however that ends. */
export class ProviderChild {
  readonly #child: ChildProcess
  #offset: number
  #isReady = false
  readonly ended: Promise<SentFault>

  /** The files of `heard` are absolute paths. `offset` is how far the clock of the provider is ahead, in milliseconds. */
  constructor(env: NodeJS.ProcessEnv, offset: number, heard: Heard) {
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
  serve(order: Order, offset: number): Promise<Serving> {
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
  try {
    return JSON.stringify(JSON.parse(line), (name, value: unknown) => {
      if (typeof value !== 'string') return value
      return name === 'stack' ? printableLines(value) : printable(value)
    })
  } catch {
    return line
  }
}
