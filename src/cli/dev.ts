import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { createSandbox, type ServiceType } from '../sandbox/index.ts'
import { findProviderFile, sampleFile } from './provider-file.ts'
import { EnvironmentProblem, UsageError } from './usage.ts'

export interface DevOptions {
  port?: number
  json?: boolean
}

interface Ready {
  url: string
  endpoint: string
  services: readonly ServiceType[]
}

const main = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url),
)
const settleFor = 100

/**
 * Runs the provider in a process of its own beside the sandbox shop. A change to a file restarts the provider; the shop keeps
 * its carts and orders.
 */
export async function dev(named: string | undefined, options: DevOptions): Promise<void> {
  if (process.env.NODE_ENV === 'production') {
    throw new UsageError(
      'dev runs the sandbox shop and opens loopback addresses. In production run purveyor serve.',
    )
  }
  const file = findProviderFile(named) ?? sampleFile
  const anyPort = String(options.port ?? process.env.PORT) === '0'
  let port = options.port
  let child: ChildProcess | undefined
  let ending = false

  const start = async (): Promise<Ready> => {
    const started = startProvider(file, port)
    child = started.child
    const { port: bound, ...ready } = await started.ready
    // Started again it comes back where the shop and open payment pages look for it.
    port = bound
    return ready
  }
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child!.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  const ready = await start()
  const shopPort = anyPort || port === 65_535 ? 0 : port! + 1
  const sandbox = createSandbox({ endpoint: ready.endpoint, services: ready.services, port: shopPort })
  const shop = await sandbox.listen().catch(async (error: NodeJS.ErrnoException) => {
    await stop()
    if (error.code !== 'EADDRINUSE') throw error
    throw new EnvironmentProblem(
      `Port ${shopPort}, where the shop goes, is taken. Choose another one with --port.`,
    )
  })

  const stopWatching = watchFolder(file === sampleFile ? undefined : process.cwd(), async () => {
    await stop()
    if (ending) return
    try {
      const { url, endpoint } = await start()
      console.error(`Changed: the provider runs again at ${url}`)
      if (endpoint !== ready.endpoint) {
        console.error('Its store kept nothing, so it has another endpoint now. Run dev again for a new shop.')
      }
    } catch (error) {
      console.error(`Changed: ${(error as Error).message} Waiting for the next change.`)
    }
  })

  closeWithGrace({ delay: 15_000, logger: false }, async () => {
    ending = true
    stopWatching()
    await Promise.all([stop(), sandbox.close()])
  })

  // Last, so that who acts on it at once is seen: a change restarts, a signal ends well.
  print({ ...ready, sandbox: shop }, options.json === true, file === sampleFile)
}

type Started = Ready & { port: number }

function startProvider(
  file: string,
  port: number | undefined,
): { child: ChildProcess; ready: Promise<Started> } {
  const where = port === undefined ? [] : ['--port', String(port)]
  const child = spawn(process.execPath, [main, 'serve', file, ...where, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.stderr!.once('readable', () => void showLog(child.stderr!))
  const ready = new Promise<Started>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      const message = `The provider ended with ${signal ? `signal ${signal}` : `exit code ${code}`}.`
      reject(code === 2 ? new UsageError(message) : new EnvironmentProblem(message))
    })
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const message = line.startsWith('{"ready":true') ? (JSON.parse(line) as Started) : undefined
      if (message) resolve(message)
      else console.log(line)
    })
  })
  return { child, ready }
}

/** Log lines for people; what is no log line is shown as it is. */
async function showLog(log: Readable): Promise<void> {
  const { default: pretty } = await import('pino-pretty')
  log.pipe(pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }))
}

/** Calls back once after each burst of changes to source files. Returns how to stop watching. */
function watchFolder(folder: string | undefined, changed: () => Promise<void>): () => void {
  if (folder === undefined) return () => {}
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  // Node watches each file by itself: without `ignore` that is every file below node_modules.
  const ignore = /(^|[\\/])(node_modules|data|dist|\.git)([\\/]|$)/
  const watcher = watch(folder, { recursive: true, ignore }, (_event, name) => {
    if (!name || !/\.(ts|js|mjs|json|csv|env)$|^\.env$/.test(name) || ignore.test(name)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(changed)
    }, settleFor)
  })
  watcher.on('error', (error) =>
    console.error(`Changes are not seen any more: ${error.message}. Run dev again after a change.`),
  )
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

function print(ready: Ready & { sandbox: string }, json: boolean, sample: boolean): void {
  const { url, endpoint, sandbox } = ready
  if (json) {
    console.log(JSON.stringify({ ready: true, ...ready }))
    return
  }
  console.log(
    [
      sample
        ? 'The built-in sample is ready: rates, payments and a shop.'
        : 'Your provider and a shop are ready.',
      `  Shop      ${sandbox}   put an order through the checkout here`,
      `  Log       ${sandbox}/log   what the shop asked and what was answered`,
      `  Provider  ${url}`,
      `  Endpoint  ${endpoint}`,
      '  Development: http and loopback addresses are allowed. Ctrl+C stops.',
    ].join('\n'),
  )
}
