import closeWithGrace from 'close-with-grace'
import { drainFor } from '../../http/server.ts'
import { loggableError } from '../../observability/log.ts'
import { counted } from '../../printable.ts'
import { inspect } from '../../provider/inspection.ts'
import { modeOf } from '../../provider/mode.ts'
import type { Provider, StopOptions } from '../../provider/provider.ts'
import { buildOf, version } from '../../version.ts'
import type { Log } from '../../world.ts'
import { findProviderFile, loadProvider } from '../provider/file.ts'
import { processLog } from '../provider/process-log.ts'
import { consoleLine, print } from '../terminal/print.ts'
import { loadEnvFile } from '../terminal/read-input.ts'
import { listenFault, UsageError } from '../terminal/usage.ts'
import { WorkerNumbers } from './worker-metrics.ts'
import { isWorker, reportReady, type WorkerReady, Workers } from './workers.ts'

export interface ServeOptions {
  provider?: string
  port?: number
  workers?: number
  showEndpoint?: boolean
  development?: boolean
  /** Set by `dev --public-url`: PURVEYOR_PUBLIC_URL leads to this machine through a tunnel. */
  tunnel?: boolean
  json?: boolean
}

/** Runs a provider until it is stopped. Resolves with it when it runs in this process. `settings`: of the first shop. */
export async function serve(
  options: ServeOptions,
  settings?: unknown,
  noteLoaded?: (file: string) => void,
): Promise<Provider | undefined> {
  const start = startSignals()
  const file = findProviderFile(options.provider)
  loadEnvFile()
  const { development, tunnel } = options
  const { env } = process
  const publicUrl = env.PURVEYOR_PUBLIC_URL || undefined
  const decided = modeOf({ publicUrl })
  if (development && !decided.development) throw notDevelopment(decided.because)
  // For this process and its workers, whatever the environment says.
  env.NODE_ENV = development ? 'development' : 'production'
  delete env.PURVEYOR_TUNNEL_URL
  if (tunnel && publicUrl) env.PURVEYOR_TUNNEL_URL = publicUrl
  if (options.workers !== undefined && !isWorker()) {
    start.handOver()
    printReady({ ...(await new Workers().run(options.workers)), workers: options.workers }, options.json)
    return undefined
  }

  const provider = await loadProvider(file, noteLoaded)
  const { because, volatile } = inspect(provider).describe()
  if (options.development && !provider.development) throw notDevelopment(because)
  if (isWorker() && volatile)
    throw new UsageError(
      '--workers needs a shared store, and this one is in memory. Set PURVEYOR_DATABASE_URL to a file or a server.',
    )
  start.opens()
  const numbers = isWorker() ? new WorkerNumbers() : undefined
  const metrics = numbers && (() => numbers.ofAll())
  // The developer's own tunnel ends on this machine.
  const how = { port: options.port, ...(tunnel && { host: '127.0.0.1' }), metrics, signal: start.signal }
  const listening = await provider.listen(how).catch((error: NodeJS.ErrnoException) => {
    if (start.signal.aborted) process.exit(0)
    throw listenFault(error)
  })

  // The shops of an address named in code must never reach an adapter for development.
  const otherUrl = `${file} sets publicUrl to ${listening.url}, which is not --public-url.`
  if (tunnel && listening.url !== publicUrl)
    throw new UsageError(`${otherUrl} Take publicUrl out of the code, or name the same address.`)
  if (settings !== undefined) await provider.shops.saveSettings(listening.shop, settings)
  const log = processLog()
  log.info({ version, build: buildOf(process.env), node: process.version }, 'provider started')
  const leaveMetrics = numbers?.join()
  const besideSandbox = process.connected === true && !isWorker()
  const stop = stopWithGrace(provider, { log, besideSandbox, stopped: async () => leaveMetrics?.() })
  start.handOver()
  // Beside the sandbox this process is a child: it ends with its parent.
  process.on('disconnect', () => stop.close())
  if (process.connected === false) {
    void stop.close()
    return undefined
  }

  const { url, endpoint, shop, port } = listening
  const shown = options.showEndpoint === true || process.stdout.isTTY === true
  const { services, estimates } = provider
  const { isServed, url: consoleUrl } = inspect(provider).console()
  const printed = { endpoint: shown ? endpoint : undefined, console: isServed ? consoleUrl : undefined }
  const ready = { url, ...printed, shop, services, estimates, port }
  if (isWorker()) reportReady(ready)
  else printReady(ready, options.json)
  return provider
}

const notDevelopment = (because: string) =>
  new UsageError(
    `--development, which \`purveyor dev\` adds, serves this machine only, but this provider is production because ${because}. Remove that setting. To let a platform reach this machine through a tunnel, run \`purveyor dev --public-url https://...\`.`,
  )

type Ready = WorkerReady & { workers?: number }

function printReady({ console: consoleUrl, ...ready }: Ready, json: boolean | undefined): void {
  const { url, endpoint, shop, services, workers } = ready
  const many = workers === undefined ? '' : `   (${counted(workers, 'process', 'processes')})`
  print(json, { ready: true, ...ready }, () => [
    `Provider  ${url}${many}`,
    endpoint === undefined && `Services  ${services.join(', ')}`,
    endpoint === undefined
      ? `Endpoint  hidden, because it is a secret. To print it: purveyor shop show ${shop} --endpoint`
      : `Endpoint  ${endpoint}   (the urlEndpoint to register with the shop)`,
    consoleUrl !== undefined && consoleLine(consoleUrl),
  ])
}

/**
 * Handles SIGTERM and SIGINT while a provider starts: the first process of a container only gets signals that it listens to. Once it `opens`
 * something, everything opened is closed again. A start that takes longer than a drain is given up.
 */
function startSignals() {
  const abort = new AbortController()
  let hasOpened = false
  let givenUp: NodeJS.Timeout | undefined
  const end = (by: NodeJS.Signals): void => {
    if (!hasOpened) process.exit(0)
    abort.abort(by)
    givenUp ??= setTimeout(() => process.exit(0), drainFor(false)).unref()
  }
  process.on('SIGTERM', end).on('SIGINT', end)
  const opens = (): void => {
    hasOpened = true
  }
  /** Other handlers listen now: a signal that came after the port had opened ends it by them. */
  const handOver = (): void => {
    process.off('SIGTERM', end).off('SIGINT', end)
    clearTimeout(givenUp)
    if (abort.signal.aborted) process.kill(process.pid, abort.signal.reason as NodeJS.Signals)
  }
  return { signal: abort.signal, opens, handOver }
}

/**
 * Stops the provider and ends the process with 0 on SIGTERM, Ctrl+C and the like, and with 1 after an uncaught error. It takes at most the
 * `stopDelay` of the provider, which only SIGTERM waits for, and five seconds, or ten in development. Returns a handle to stop it by hand.
 */
function stopWithGrace(
  provider: Provider,
  { log, besideSandbox, stopped }: { log: Log; besideSandbox: boolean; stopped: () => Promise<void> },
): { close: () => void } {
  // A call may lie unread on an idle connection. Beside the sandbox a restart is to be quick, so only this turn of the event loop is waited for.
  const usual = { linger: besideSandbox ? 50 : 1_000 }
  let how: StopOptions = { ...usual, delay: 0 }
  let crashed = false
  const stop = closeWithGrace(
    {
      delay: inspect(provider).describe().stopDelay + drainFor(provider.development) + 300,
      logger: false,
      skip: ['SIGTERM', ...(isWorker() ? (['SIGINT', 'SIGHUP'] as const) : [])],
      onTimeout() {
        // Webhooks and checks under way have a lease: another process, or the next start, takes them over.
        log.warn({ version }, 'provider stopped before all open work was finished')
        process.exit(crashed ? 1 : 0)
      },
    },
    async ({ err }) => {
      // Beside the sandbox the process that started this one shows it.
      if (err && !besideSandbox) console.error(provider.development ? err : crashLine(err))
      crashed ||= err !== undefined
      if (!crashed) log.info({ version }, 'provider is stopping')
      await provider.stop(how)
      await stopped()
      if (!crashed) log.info({ version }, 'provider stopped')
    },
  )
  const atOnce = how
  let stopping = false
  const stopBy = (options: StopOptions) => () => {
    // A worker also gets the signal of its process group. The first one counts.
    if (stopping) return
    stopping = true
    how = options
    stop.close()
  }
  process.on('SIGTERM', stopBy(besideSandbox ? atOnce : usual))
  if (isWorker()) process.on('SIGINT', stopBy(atOnce)).on('SIGHUP', stopBy({ ...atOnce, replaced: true }))
  return stop
}

/** An adapter's error may hold addresses and what a customer typed. In production the log has its name, its code and its place. */
const crashLine = (error: Error): string => {
  const line = { level: 60, time: Date.now(), pid: process.pid, code: 'PROCESS_CRASHED', version }
  return JSON.stringify({ ...line, err: loggableError(error), msg: 'an uncaught error ends the process' })
}
