import cluster, { type Worker } from 'node:cluster'
import type { ServiceType } from '../contract/index.ts'
import { complain } from './print.ts'
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
 * it has under way is finished, SIGTERM after the `stopDelay` of the provider; SIGHUP puts a new one in the place of each, one after the other, so that there is always one that
 * answers. Resolves once all of them are ready; ends the process with the exit code of one that cannot start.
 */
export async function runWorkers(count: number): Promise<WorkerReady> {
  // The workers take connections from the port by themselves: one that is handed to a worker in the moment it dies would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let stopping = false
  let restarting = false
  /** Whether all of them have been ready once. */
  let complete = false
  gatherMetrics()
  /** Those that are on their way out on purpose. */
  const leaving = new Set<Worker>()

  const start = (): { worker: Worker; ready: Promise<WorkerReady> } => {
    const worker = cluster.fork()
    const began = Date.now()
    // It may die between a look at it and a word to it.
    worker.on('error', () => {})
    const late = setTimeout(() => {
      complain(`Worker ${worker.id} was not ready within ${startWithin / 1_000} s: it is ended.`)
      worker.process.kill('SIGKILL')
    }, startWithin)
    const ready = new Promise<WorkerReady>((resolve, reject) => {
      worker.on('message', (message: { ready?: WorkerReady }) => message.ready && resolve(message.ready))
      worker.once('exit', (code) => reject(new WorkerEnded(code ?? 1)))
    })
    // Whoever waits for it is told; nobody waits for one that takes the place of a dead one.
    ready.catch(() => {}).finally(() => clearTimeout(late))
    worker.once('exit', (code, signal) => {
      if (stopping || !complete || leaving.delete(worker)) return
      complain(`Worker ${worker.id} ended (${signal ?? code}): another one takes its place.`)
      setTimeout(() => !stopping && start(), Date.now() - began < soon ? pause : 0)
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
      // Another one has taken the place of one that died meanwhile.
      // The port is never without a worker, so this is no stop that a balancer has to see.
      await end(old.isDead() ? fresh.worker : old, 'SIGHUP')
    }
  }

  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
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
        complain(`The restart was given up, and the old workers go on: ${error.message}`),
      )
      .finally(() => {
        restarting = false
      })
  })

  // One first: it makes the tables, and what keeps it from starting is said once.
  try {
    const first = await start().ready
    await Promise.all(Array.from({ length: count - 1 }, () => start().ready))
    complete = true
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

/** Tells the process that started this one. */
export const tellReady = (ready: WorkerReady): void => void process.send?.({ ready })
