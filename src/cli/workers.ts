import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import type { ServiceType } from '../contract/index.ts'
import { bootVariable } from '../stores/agreed-clock.ts'
import { buildOf, version } from '../version.ts'
import { processLog } from './process-log.ts'
import { gatherMetrics } from './worker-metrics.ts'

export interface WorkerReady {
  url: string
  /** Only where it may be printed. */
  endpoint?: string
  /** The shop of the endpoint. */
  shop: string
  services: readonly ServiceType[]
  port: number
}

/** A worker that dies sooner than this after its start is given a pause before the next, in milliseconds. */
const soon = 5_000
const pause = 1_000
/** One that takes longer to be ready is ended, in milliseconds. */
const startWithin = 60_000

/**
 * Runs so many processes of this command on one port and starts one anew when it dies. SIGTERM and SIGINT end all of them, each once what
 * it has under way is finished, SIGTERM after the `stopDelay` of the provider; SIGHUP puts a new one in the place of each, one after the
 * other, so that there is always one that answers. Resolves once the first is ready and the others have tried to start; ends the process with the exit code of a first one that
 * cannot start.
 */
export async function runWorkers(count: number): Promise<WorkerReady> {
  // The workers take connections from the port by themselves: one that is handed to a worker in the moment it dies would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let stopping = false
  let restarting = false
  /** Whether one of them serves: from then on one that dies is replaced, also in the middle of its start. */
  let serves = false
  /** Workers agree on the time by it where the system gives no id of its boot. */
  const boot = { [bootVariable]: randomUUID() }
  const log = processLog()
  const counted = gatherMetrics()
  /** Those that are on their way out on purpose. */
  const leaving = new Set<Worker>()

  const start = (): { worker: Worker; ready: Promise<WorkerReady> } => {
    const worker = cluster.fork(boot)
    const began = Date.now()
    // It may die between a look at it and a word to it.
    worker.on('error', () => {})
    const about = { worker: worker.id, workerPid: worker.process.pid }
    const late = setTimeout(() => {
      log.error({ ...about, code: 'WORKER_NOT_READY' }, 'a worker is not ready after a minute, and is ended')
      worker.process.kill('SIGKILL')
    }, startWithin)
    const ready = new Promise<WorkerReady>((resolve, reject) => {
      worker.on('message', (message: ReadyMessage) => {
        if (!message.ready) return
        // After an upgrade the new workers have another version than this process.
        log.info(
          { ...about, version: message.version, build: message.build, ms: Date.now() - began },
          'worker started',
        )
        resolve(message.ready)
      })
      worker.once('exit', (code) => reject(new WorkerEnded(code ?? 1)))
    })
    // Nothing waits for a worker that replaces a dead one: without this its failure would be an unhandled rejection.
    ready.catch(() => {}).finally(() => clearTimeout(late))
    worker.once('exit', (code, signal) => {
      const ended = { ...about, exit: code, signal: signal ?? undefined, ms: Date.now() - began }
      if (stopping || leaving.delete(worker)) return log.info(ended, 'worker stopped')
      if (!serves) return
      log.error({ ...ended, code: 'WORKER_DIED' }, 'a worker died; another one takes its place')
      counted.replaced('died')
      setTimeout(() => !stopping && start(), ended.ms < soon ? pause : 0)
    })
    return { worker, ready }
  }

  const end = (worker: Worker, signal: NodeJS.Signals): Promise<unknown> => {
    leaving.add(worker)
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.process.kill(signal)
    return ended
  }

  const restart = async () => {
    for (const old of Object.values(cluster.workers ?? {})) {
      if (!old || old.isDead() || stopping) continue
      const fresh = start()
      // One that cannot start has nobody's place to take.
      leaving.add(fresh.worker)
      await fresh.ready
      leaving.delete(fresh.worker)
      if (!old.isDead()) counted.replaced('renewed')
      // Another one has taken the place of one that died meanwhile.
      // The port is never without a worker, so this is no stop that a balancer has to see.
      await end(old.isDead() ? fresh.worker : old, 'SIGHUP')
    }
  }

  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ by: signal, version }, 'workers stop')
    await Promise.all(
      Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? end(worker, signal) : [])),
    )
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal)).on('SIGINT', (signal) => void stop(signal))
  process.on('SIGHUP', () => {
    if (restarting) return
    restarting = true
    void restart()
      .catch((error: Error) =>
        log.error(
          { code: 'WORKER_RESTART_FAILED', why: error.message },
          'the restart was given up, and the old workers go on',
        ),
      )
      .finally(() => {
        restarting = false
      })
  })

  // One first: it makes the tables, and what keeps it from starting is said once.
  try {
    const first = await start().ready
    serves = true
    // A disk that fills up now costs one worker, and not the one that answers calls.
    await Promise.allSettled(Array.from({ length: count - 1 }, () => start().ready))
    return first
  } catch (error) {
    stopping = true
    if (error instanceof WorkerEnded) process.exit(error.code)
    throw error
  }
}

class WorkerEnded extends Error {
  readonly code: number
  constructor(code: number) {
    super(`a new worker ended with exit code ${code}`)
    this.code = code
  }
}

/** Whether this process is one of the workers. */
export const isWorker = (): boolean => cluster.isWorker

interface ReadyMessage {
  ready?: WorkerReady
  version?: string
  build?: string
}

/** Says so to the process that started this one. */
export const tellReady = (ready: WorkerReady): void =>
  void process.send?.({ ready, version, build: buildOf(process.env) } as ReadyMessage)
