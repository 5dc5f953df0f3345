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
import { logLines, notRunning, ProviderFailed, type ProviderFault, type SentFault } from './fault.ts'
import { extension } from './file.ts'

const main = fileURLToPath(new URL(`../provider-main.${extension}`, import.meta.url))
const movingClock = new URL(`../dev/moving-clock.${extension}`, import.meta.url).href

export type Ready = Pick<Listening, 'url' | 'endpoint'> & Pick<Provider, 'services' | 'estimates'>

interface ProviderProcessOptions {
  /** Called with the files that it imports, without those of packages, and that its adapters use, as absolute paths. Also if it does not start. */
  found?: (files: string[]) => void
  port?: number | undefined
  /** The address of a tunnel to this provider, which then runs under the rules of production. Default: development. */
  publicUrl?: string | undefined
  env?: Record<string, string>
  /** The settings of its first shop, saved at each start. */
  settings?: unknown
  /** Called if the process ends by itself after it was ready. Default: prints the error. */
  ended?: (fault: ProviderFault) => void
}

/** Longer than a provider takes to finish its open calls, in milliseconds. */
const drainedWithin = drainFor(true) + 1_500

/** A provider in a process of its own, whose clock can be moved forward. It ends with this process, however that ends, and can be started again. */
export class ProviderProcess {
  readonly #file: string
  readonly #options: ProviderProcessOptions
  #running: { child: ChildProcess; ended: Promise<SentFault>; isReady: boolean } | undefined
  /** How far its clock is ahead, in milliseconds. */
  #offset = 0
  /** The one of the options until it has started. */
  port: number | undefined

  constructor(file: string, options: ProviderProcessOptions = {}) {
    this.#file = file
    this.port = options.port
    this.#options = options
  }

  /** A restart keeps its port and its clock. Rejects with a `ProviderFailed` when it ends before it is ready. */
  async start(): Promise<Ready> {
    const { ended = (fault) => complain(notRunning(fault)) } = this.#options
    const child = this.#spawn()
    const running = { child, ended: endOf(child), isReady: false }
    this.#running = running
    const { port, url, endpoint, services, estimates } = await readyLine(child, running.ended)
    running.isReady = true
    void running.ended.then((fault) => {
      if (this.#running === running) ended(fault)
    })
    this.port = port
    return { url, endpoint, services, estimates }
  }

  /** Finishes open calls, then ends the process. One that does not end by itself, such as one in an endless loop, is killed. */
  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    if (!running) return
    const { child, ended, isReady } = running
    child.kill('SIGTERM')
    const killed = setTimeout(() => child.kill('SIGKILL'), isReady ? drainedWithin : 500)
    await ended
    clearTimeout(killed)
  }

  /** Moves its clock forward, by milliseconds. Resolves once every timer that is due by then has run. */
  async advance(ms: number): Promise<void> {
    this.#offset += ms
    const { child, ended } = this.#running ?? {}
    if (!child?.connected) return
    const advanced = Promise.withResolvers<void>()
    const look = (message: { advanced?: number }) => message.advanced !== undefined && advanced.resolve()
    child.on('message', look)
    // A process that has just ended gets no message; its end says so.
    child.send({ advance: ms }, () => {})
    await Promise.race([advanced.promise, ended])
    child.off('message', look)
  }

  #spawn(): ChildProcess {
    const { env, publicUrl, settings, found } = this.#options
    const mode = publicUrl === undefined ? { development: true } : { tunnel: true }
    const options = { ...mode, port: this.port, json: true, showEndpoint: true }
    const order: Order = { file: this.#file, options, settings }
    const child = spawn(process.execPath, ['--import', movingClock, main], {
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      env: {
        ...{ ...process.env, ...env, PURVEYOR_CLOCK_OFFSET: String(this.#offset) },
        ...(publicUrl !== undefined && { PURVEYOR_PUBLIC_URL: publicUrl }),
      },
    })
    // One that has ended before reads nothing; its end says why.
    child.stdin!.on('error', () => {}).end(JSON.stringify(order))
    child.stderr!.once('readable', () => void showLog(child.stderr!))
    child.on('message', ({ files }: Message) => files && found?.(files))
    return child
  }
}

/** Starts the provider once more, with an empty store in memory, at a free port and under a clock of its own. `settings`: of its shop. */
export async function startScenarioProvider(file: string, settings?: unknown): Promise<ScenarioProvider> {
  const env = {
    ...{ PORT: '0', PURVEYOR_DATABASE_URL: 'sqlite::memory:', PURVEYOR_PUBLIC_URL: '' },
    PURVEYOR_LOG_LEVEL: process.env.PURVEYOR_LOG_LEVEL ?? 'error',
  }
  const provider = new ProviderProcess(file, { env, settings })
  const { endpoint, services, estimates } = await provider.start()
  return { endpoint, services, estimates, move: (ms) => provider.advance(ms), stop: () => provider.stop() }
}

/** The line that says that it serves. Other lines are shown. Rejects with a `ProviderFailed` when the process ends before it. */
const readyLine = (child: ChildProcess, ended: Promise<SentFault>): Promise<Ready & { port: number }> =>
  new Promise((resolve, reject) => {
    void ended.then((fault) => reject(new ProviderFailed(fault)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line))
      // The provider's own code prints it, for its own developer: colours stay.
      else console.log(line)
    })
  })

function endOf(child: ChildProcess): Promise<SentFault> {
  let thrown: SentFault | undefined
  child.on('message', ({ fault }: Message) => {
    thrown ??= fault
  })
  return new Promise((resolve) => {
    const end = (message: string, exitCode = 3) =>
      resolve(thrown ?? { message, lines: [], frames: [], exitCode })
    child.once('error', ({ message }) => end(`The provider cannot start: ${message}.`))
    child.once('exit', (code, signal) => {
      const how = signal ? `signal ${signal}` : `exit code ${code}`
      const ended = () => end(`The provider ended with ${how}.`, code === 2 ? 2 : 3)
      // Its last message arrives before the channel closes.
      if (child.connected) child.once('disconnect', ended)
      else ended()
    })
  })
}

/** Formats log lines for people where the package pino-pretty is installed; other lines are shown as they are. */
async function showLog(log: Readable): Promise<void> {
  const pretty = await import('pino-pretty').catch(() => undefined)
  const how = { destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }
  const shown = pretty?.default(how) ?? process.stderr
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
