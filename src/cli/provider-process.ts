import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { printable, printableLines } from '../printable.ts'
import type { Listening, Provider } from '../provider/provider.ts'
import { EnvironmentProblem, UsageError } from './usage.ts'

export type Ready = Pick<Listening, 'url' | 'endpoint'> & Pick<Provider, 'services'>

export interface ProviderProcessOptions {
  port?: number | undefined
  /** The address of a tunnel to this provider, which then runs under the rules of production. Default: development. */
  publicUrl?: string | undefined
  env?: Record<string, string>
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const main = fileURLToPath(new URL(`./main.${extension}`, import.meta.url))
const movingClock = new URL(`./moving-clock.${extension}`, import.meta.url).href

/** A provider in a process of its own, whose clock can be moved forward. */
export class ProviderProcess {
  readonly #file: string
  readonly #env: Record<string, string>
  readonly #mode: '--development' | '--tunnel'
  #port: number | undefined
  #child: ChildProcess | undefined
  #offset = 0

  constructor(file: string, { port, publicUrl, env = {} }: ProviderProcessOptions = {}) {
    this.#file = file
    this.#port = port
    this.#env = { ...env, ...(publicUrl !== undefined && { PURVEYOR_PUBLIC_URL: publicUrl }) }
    this.#mode = publicUrl === undefined ? '--development' : '--tunnel'
  }

  /** Its address; set once it has started. */
  get port(): number | undefined {
    return this.#port
  }

  /** A restart keeps its port and its clock. Rejects when it ends before it is ready. */
  async start(): Promise<Ready> {
    const where = this.#port === undefined ? [] : ['--port', String(this.#port)]
    const child = spawn(
      process.execPath,
      ['--import', movingClock, main, 'serve', this.#file, this.#mode, ...where, '--json', '--show-endpoint'],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { ...process.env, ...this.#env, PURVEYOR_CLOCK_OFFSET: String(this.#offset) },
      },
    )
    this.#child = child
    child.stderr!.once('readable', () => void showLog(child.stderr!))
    const { port, url, endpoint, services } = await readyLine(child)
    this.#port = port
    return { url, endpoint, services }
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  /** Moves its clock forward, or back by a negative number of milliseconds. Resolves once every timer that is due by then has run. */
  async advance(ms: number): Promise<void> {
    this.#offset += ms
    const child = this.#child
    if (!child?.connected) return
    await new Promise<void>((resolve) => {
      const done = () => {
        child.off('message', done)
        child.off('exit', done)
        resolve()
      }
      child.on('message', done)
      child.once('exit', done)
      child.send({ advance: ms })
    })
  }
}

function readyLine(child: ChildProcess): Promise<Ready & { port: number }> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      const message = `The provider ended with ${signal ? `signal ${signal}` : `exit code ${code}`}.`
      reject(code === 2 ? new UsageError(message) : new EnvironmentProblem(message))
    })
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line))
      // The provider's own code prints it, for its own developer: colours stay.
      else console.log(line)
    })
  })
}

/** Formats log lines for people; other lines are shown as they are. */
async function showLog(log: Readable): Promise<void> {
  const { default: pretty } = await import('pino-pretty')
  const shown = pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
  createInterface({ input: log }).on('line', (line) => shown.write(`${withoutControls(line)}\n`))
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
