import closeWithGrace from 'close-with-grace'
import { drainFor } from '../../http/server.ts'
import { loggableError } from '../../observability/loggable-error.ts'
import { inspect } from '../../provider/inspection.ts'
import type { Provider, StopOptions } from '../../provider/provider.ts'
import { version } from '../../version.ts'
import type { Log } from '../../world.ts'
import { isWorker } from './workers.ts'

/** Handles SIGTERM and SIGINT while a provider starts: everything opened is closed again. A start that takes longer than a drain is given up. */
export function startSignals(): { signal: AbortSignal; handOver: () => void } {
  const abort = new AbortController()
  let givenUp: NodeJS.Timeout | undefined
  const end = (by: NodeJS.Signals): void => {
    abort.abort(by)
    givenUp ??= setTimeout(() => process.exit(0), drainFor(false)).unref()
  }
  process.on('SIGTERM', end).on('SIGINT', end)
  /** The provider has started and its own signal handlers listen: a signal that came after the port had opened ends it now. */
  const handOver = (): void => {
    process.off('SIGTERM', end).off('SIGINT', end)
    clearTimeout(givenUp)
    if (abort.signal.aborted) process.kill(process.pid, abort.signal.reason as NodeJS.Signals)
  }
  return { signal: abort.signal, handOver }
}

export interface Stopping {
  log: Log
  besideSandbox: boolean
  stopped: () => Promise<void>
}

/**
 * Stops the provider and ends the process with 0 on SIGTERM, Ctrl+C and the like, and with 1 after an uncaught error. It takes at most the
 * `stopDelay` of the provider, which only SIGTERM waits for, and five seconds, or ten in development. Returns a handle to stop it by hand.
 */
export function stopWithGrace(
  provider: Provider,
  { log, besideSandbox, stopped }: Stopping,
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
  let stopping = false
  const stopBy = (signal: NodeJS.Signals, options: StopOptions) =>
    process.on(signal, () => {
      // A worker also gets the signal of its process group. The first one counts.
      if (stopping) return
      stopping = true
      how = options
      stop.close()
    })
  stopBy('SIGTERM', besideSandbox ? how : usual)
  if (isWorker()) {
    stopBy('SIGINT', how)
    stopBy('SIGHUP', { ...how, replaced: true })
  }
  return stop
}

/** An adapter's error may hold addresses and what a customer typed. In production the log has its name, its code and its place. */
const crashLine = (err: Error): string =>
  JSON.stringify({
    level: 60,
    time: Date.now(),
    pid: process.pid,
    code: 'PROCESS_CRASHED',
    version,
    err: loggableError(err),
    msg: 'an uncaught error ends the process',
  })
