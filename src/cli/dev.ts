import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { createSandbox, type ServiceType } from '../sandbox/index.ts'
import { findProviderFile, sampleFile } from './provider-file.ts'
import { EnvironmentProblem } from './usage.ts'

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
  const file = findProviderFile(named) ?? sampleFile
  const port = options.port ?? Number(process.env.PORT || 3000)
  let child: ChildProcess | undefined

  const start = async (): Promise<Ready> => {
    const started = startProvider(file, port)
    child = started.child
    return started.ready
  }
  const stop = async () => {
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child!.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  const ready = await start()
  const sandbox = createSandbox({
    endpoint: ready.endpoint,
    services: ready.services,
    port: port === 0 ? 0 : port + 1,
  })
  const shop = await sandbox.listen().catch(async (error: NodeJS.ErrnoException) => {
    await stop()
    if (error.code !== 'EADDRINUSE') throw error
    throw new EnvironmentProblem(
      `Port ${port + 1}, where the shop goes, is taken. Choose another one with --port.`,
    )
  })

  print({ ...ready, sandbox: shop }, options.json === true, file === sampleFile)

  const watcher = watchFolder(file === sampleFile ? undefined : process.cwd(), async () => {
    await stop()
    try {
      const { url } = await start()
      console.error(`Changed: the provider runs again at ${url}`)
    } catch (error) {
      console.error(`Changed: ${(error as Error).message} Waiting for the next change.`)
    }
  })

  closeWithGrace({ delay: 15_000, logger: false }, async () => {
    watcher()
    await Promise.all([stop(), sandbox.close()])
  })
}

function startProvider(file: string, port: number): { child: ChildProcess; ready: Promise<Ready> } {
  const child = spawn(process.execPath, [main, 'serve', file, '--port', String(port), '--json'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ready = new Promise<Ready>((resolve, reject) => {
    child.once('exit', (code) => reject(new EnvironmentProblem(`The provider ended with exit code ${code}.`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const message = line.startsWith('{"ready":true') ? (JSON.parse(line) as Ready) : undefined
      if (message) resolve(message)
      else console.log(line)
    })
  })
  return { child, ready }
}

/** Calls back once after each burst of changes to source files. Returns how to stop watching. */
function watchFolder(folder: string | undefined, changed: () => Promise<void>): () => void {
  if (folder === undefined) return () => {}
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (
      !name ||
      !/\.(ts|js|mjs|json|csv|env)$|^\.env$/.test(name) ||
      /(^|[\\/])(node_modules|data|dist)[\\/]/.test(name)
    )
      return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(changed)
    }, settleFor)
  })
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
