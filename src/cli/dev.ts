import { watch } from 'node:fs'
import closeWithGrace from 'close-with-grace'
import { isLoopbackHost } from '../network/loopback.ts'
import { createSandbox, type Sandbox } from '../sandbox/index.ts'
import { complain, print } from './print.ts'
import { findProviderFile, sampleFile } from './provider-file.ts'
import { ProviderProcess, type Ready } from './provider-process.ts'
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
  const provider = new ProviderProcess(file, { port: options.port, publicUrl: options.publicUrl })
  const ready = await provider.start()
  if (options.publicUrl !== undefined) await besideTunnel(provider, ready, file, options.publicUrl, options)
  else await besideSandbox(provider, ready, file, options)
}

async function besideTunnel(
  provider: ProviderProcess,
  ready: Ready,
  file: string,
  publicUrl: string,
  { json }: DevOptions,
): Promise<void> {
  // The shops of an address named in code must never reach an adapter for development.
  if (ready.url !== publicUrl) {
    await provider.stop()
    throw new UsageError(
      `${file} sets publicUrl to ${ready.url}, which is not --public-url. Take publicUrl out of the code, or name the same address.`,
    )
  }
  const watching = restartOnChange(provider, ready, file)
  closeWithGrace({ delay: 15_000, logger: false }, async () => {
    watching.stop()
    await provider.stop()
  })
  const { url, endpoint } = ready
  print(json, { ready: true, ...ready, port: provider.port }, () => [
    'Your provider runs under the rules of production, with its developmentOnly adapters in mode test.',
    `  Provider  ${url}   point your tunnel at http://127.0.0.1:${provider.port}`,
    `  Endpoint  ${endpoint}   register it with a test shop of your platform`,
    '  Payments of these adapters move no money: register no real shop. Ctrl+C stops.',
  ])
}

async function besideSandbox(
  provider: ProviderProcess,
  ready: Ready,
  file: string,
  options: DevOptions,
): Promise<void> {
  const anyPort = String(options.port ?? process.env.PORT) === '0'
  const port = provider.port!
  const shopPort = anyPort || port === 65_535 ? 0 : port + 1
  const sandbox = createSandbox({
    endpoint: ready.endpoint,
    services: ready.services,
    port: shopPort,
    moveProviders: (ms) => provider.advance(ms),
  })
  const shop = await sandbox.listen().catch(async (error: NodeJS.ErrnoException) => {
    await provider.stop()
    if (error.code !== 'EADDRINUSE') throw error
    throw new EnvironmentProblem(
      `Port ${shopPort}, the port of the shop, is in use. Choose another one with --port.`,
    )
  })

  if (options.record !== undefined) sandbox.record(options.record)
  const watching = restartOnChange(provider, ready, file)
  closeWithGrace({ delay: 15_000, logger: false }, async () => {
    watching.stop()
    await Promise.all([provider.stop(), sandbox.close()])
  })

  // Last, so that a program that acts on this line at once is heard: a change restarts, a signal stops.
  printReady({ ...ready, sandbox: shop, api: sandbox.api }, options.json === true, file === sampleFile)
}

/** Restarts the provider after each change to a file of this folder, until it is stopped. */
function restartOnChange(provider: ProviderProcess, ready: Ready, file: string): { stop(): void } {
  let ending = false
  const stopWatching = watchFolder(file === sampleFile ? undefined : process.cwd(), async () => {
    await provider.stop()
    if (ending) return
    try {
      const { url, endpoint } = await provider.start()
      complain(`Changed: the provider runs again at ${url}`)
      if (endpoint !== ready.endpoint) {
        complain('Its store is in memory, so its endpoint has changed. Restart dev to get a shop for it.')
      }
    } catch (error) {
      complain(`Changed: ${(error as Error).message} Waiting for the next change.`)
    }
  })
  return {
    stop() {
      ending = true
      stopWatching()
    },
  }
}

/** Calls back once after each burst of changes to source files. Returns how to stop watching. */
function watchFolder(folder: string | undefined, changed: () => Promise<void>): () => void {
  if (folder === undefined) return () => {}
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  // Node watches every file separately: without `ignore`, all of node_modules too.
  const ignore = /(^|[\\/])(node_modules|data|dist|\.git)([\\/]|$)/
  const watcher = watch(folder, { recursive: true, ignore }, (_event, name) => {
    if (!name || !/\.(ts|js|mjs|json|csv|env)$|^\.env$/.test(name) || ignore.test(name)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(changed)
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

function printReady(
  ready: Ready & Pick<Sandbox, 'api'> & { sandbox: string },
  json: boolean,
  sample: boolean,
): void {
  const { url, endpoint, sandbox, api } = ready
  print(json, { ready: true, ...ready }, () => [
    sample
      ? 'The built-in sample is ready: rates, payments and a shop.'
      : 'Your provider and a shop are ready.',
    `  Shop      ${sandbox}   place an order here`,
    `  Log       ${sandbox}/log   calls of the shop and their answers`,
    `  Provider  ${url}`,
    `  Endpoint  ${endpoint}`,
    `  ${apiLine(api)}`,
    '  Development: http and loopback addresses are allowed. Ctrl+C stops.',
  ])
}
