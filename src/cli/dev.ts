import { existsSync, readFileSync, watch } from 'node:fs'
import { parseEnv } from 'node:util'
import closeWithGrace from 'close-with-grace'
import { isLoopbackHost } from '../network/loopback.ts'
import { createSandbox, type Sandbox } from '../sandbox/index.ts'
import { Restarts, type RunState } from './dev/restarts.ts'
import { complain, print } from './print.ts'
import { findProviderFile, sampleFile } from './provider-file.ts'
import { ProviderProcess } from './provider-process.ts'
import { apiLine } from './sandbox.ts'
import { EnvironmentProblem, UsageError } from './usage.ts'

export interface DevOptions {
  port?: number
  /** The address of a tunnel to this machine. The provider then runs under the rules of production, without the sandbox. */
  publicUrl?: string
  record?: string
  json?: boolean
}

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
  if (options.publicUrl !== undefined && options.record !== undefined) {
    throw new UsageError('--record keeps the calls of the sandbox shop, and --public-url runs without it.')
  }
  if (options.publicUrl !== undefined && isLoopbackHost(URL.parse(options.publicUrl)?.hostname ?? '')) {
    throw new UsageError(
      '--public-url is the address of a tunnel, and this is a loopback address. Run purveyor dev without it.',
    )
  }
  const file = findProviderFile(named) ?? sampleFile
  if (options.publicUrl !== undefined) await besideTunnel(file, options.publicUrl, options)
  else await besideSandbox(file, options)
}

async function besideTunnel(file: string, publicUrl: string, { port, json }: DevOptions): Promise<void> {
  const provider = new ProviderProcess(file, { port, publicUrl, ended: (fault) => running.ended(fault) })
  const running = new Restarts(provider, ({ url }) => {
    // The shops of an address named in code must never reach an adapter for development.
    if (url === publicUrl) return
    throw new UsageError(
      `${file} sets publicUrl to ${url}, which is not --public-url. Take publicUrl out of the code, or name the same address.`,
    )
  })
  await running.start()
  const stopWatching = watchFolder(file, (files) => running.restart(files))
  closeWithGrace({ delay: 15_000, logger: false }, async () => {
    stopWatching()
    await running.stop()
  })
  let isShown = false
  running.follow((state) => {
    if (state.is !== 'running' || isShown) return
    isShown = true
    const { is: _, ...ready } = state
    print(json, { ready: true, ...ready, port: provider.port }, () => [
      'Your provider runs under the rules of production, with its developmentOnly adapters in mode test.',
      `  Provider  ${ready.url}   point your tunnel at http://127.0.0.1:${provider.port}`,
      `  Endpoint  ${ready.endpoint}   register it with a test shop of your platform`,
      '  Payments of these adapters move no money: register no real shop. Ctrl+C stops.',
    ])
  })
}

async function besideSandbox(file: string, options: DevOptions): Promise<void> {
  const { port, record, json = false } = options
  const provider = new ProviderProcess(file, { port, ended: (fault) => running.ended(fault) })
  const running = new Restarts(provider)
  await running.start()
  const shopPort = shopPortOf(provider.port, port)
  const sandbox = createSandbox({ port: shopPort, moveProviders: (ms) => provider.advance(ms) })
  const shop = await sandbox.listen().catch(async (error: NodeJS.ErrnoException) => {
    await running.stop()
    if (error.code !== 'EADDRINUSE') throw error
    throw new EnvironmentProblem(
      `Port ${shopPort}, the port of the shop, is in use. Choose another one with --port.`,
    )
  })

  if (record !== undefined) sandbox.record(record)
  const stopWatching = watchFolder(file, (files) => running.restart(files))
  closeWithGrace({ delay: 15_000, logger: false }, async () => {
    stopWatching()
    await Promise.all([running.stop(), sandbox.close()])
  })
  let isShown = false
  running.follow((state) => {
    sandbox.setProvider(state)
    if (isShown || state.is === 'starting') return
    isShown = state.is === 'running'
    // Last, so that a program that acts on this line at once is heard: a change restarts, a signal stops.
    printShop(state, { sandbox: shop, api: sandbox.api }, { json, sample: file === sampleFile })
  })
}

/** The shop takes the port after the provider's. A provider that has not started yet takes the one of the options, `PORT` or `.env`. */
function shopPortOf(taken: number | undefined, asked: number | undefined): number {
  const env = { ...(existsSync('.env') && parseEnv(readFileSync('.env', 'utf8'))), ...process.env }
  const wanted = asked ?? Number(env.PORT || 3000)
  const port = taken ?? wanted
  return wanted === 0 || !(port < 65_535) ? 0 : port + 1
}

/** Calls back once after each burst of changes to source files. Returns how to stop watching. */
function watchFolder(file: string, changed: (files: string[]) => Promise<void>): () => void {
  if (file === sampleFile) return () => {}
  const folder = process.cwd()
  let names = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  // Node watches every file separately: without `ignore`, all of node_modules too.
  const ignore = /(^|[\\/])(node_modules|data|dist|\.git)([\\/]|$)/
  const watcher = watch(folder, { recursive: true, ignore }, (_event, name) => {
    if (!name || !/\.(ts|js|mjs|json|csv|env)$|^\.env$/.test(name) || ignore.test(name)) return
    names.add(name)
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running
        .then(() => changed([...names]))
        .finally(() => {
          names = new Set()
        })
    }, settleFor)
  })
  watcher.on('error', (error) =>
    complain(`Changes are no longer detected: ${error.message}. Run dev again after a change.`),
  )
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

interface RunningShop extends Pick<Sandbox, 'api'> {
  sandbox: string
}

/** Prints where everything is, or where the shop is if the provider does not run. */
function printShop(
  state: Exclude<RunState, { is: 'starting' }>,
  shop: RunningShop,
  { json, sample }: { json: boolean; sample: boolean },
): void {
  const { sandbox, api } = shop
  const shopLines = [
    `  Shop      ${sandbox}   place an order here`,
    `  Log       ${sandbox}/log   calls of the shop and their answers`,
  ]
  if (state.is === 'not running') {
    print(json, { ready: false, fault: state.fault, ...shop }, () => [
      'A shop is ready. Your provider starts with the next change that repairs it.',
      ...shopLines,
    ])
    return
  }
  const { is: _, ...ready } = state
  print(json, { ready: true, ...ready, ...shop }, () => [
    sample
      ? 'The built-in sample is ready: rates, payments and a shop.'
      : 'Your provider and a shop are ready.',
    ...shopLines,
    `  Provider  ${ready.url}`,
    `  Endpoint  ${ready.endpoint}`,
    `  ${apiLine(api)}`,
    '  Development: http and loopback addresses are allowed. Ctrl+C stops.',
  ])
}
