import cluster, { type Worker } from 'node:cluster'
import type { Listening, Provider } from '../../provider/provider.ts'
import { buildOf, version } from '../../version.ts'
import { processLog } from '../provider/process-log.ts'
import { gatherMetrics } from './worker-metrics.ts'

/** The endpoint is set only if it may be printed, and the address of the console where it is served. */
export type WorkerReady = Omit<Listening, 'endpoint'> &
  Pick<Provider, 'services' | 'estimates'> & { endpoint?: string; console?: string }

/** When a worker dies sooner than this after its start, the next one starts after a pause, in milliseconds. */
const soon = 5_000
const pause = 1_000
/** A worker that takes longer to be ready is ended, in milliseconds. */
const startWithin = 60_000

/**
 * Runs several processes of this command on one port, and replaces one that dies. SIGTERM and SIGINT end all of them once their open work
 * is finished, SIGTERM after the `stopDelay` of the provider. SIGHUP replaces them one by one, so that one always answers. Resolves once
 * the first is ready and the others have tried to start; ends the process with the exit code of a first one that cannot start.
 */
export class Workers {
  #stopping = false
  #restarting = false
  /** Whether one of them has served: from then on a worker that dies is replaced, even during its start. */
  #serves = false
  readonly #log = processLog()
  readonly #counted = gatherMetrics()
  readonly #leaving = new Set<Worker>()

  async run(count: number): Promise<WorkerReady> {
    // The workers accept connections themselves: a connection handed to a dying worker would hang.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    const stop = (signal: NodeJS.Signals) => void this.#stop(signal)
    process.on('SIGTERM', stop).on('SIGINT', stop)
    process.on('SIGHUP', () => void this.#restart())
    // One worker first: it creates the tables, and a fault at its start is logged once.
    const first = await this.#start().ready.catch(({ exitCode }: { exitCode: number }) => {
      this.#stopping = true
      // It has said why.
      return process.exit(exitCode)
    })
    this.#serves = true
    // A disk that fills up now costs one worker that serves no calls yet.
    await Promise.allSettled(Array.from({ length: count - 1 }, () => this.#start().ready))
    return first
  }

  #start(): { worker: Worker; ready: Promise<WorkerReady> } {
    const worker = cluster.fork()
    const began = Date.now()
    // It may die before the message is sent.
    worker.on('error', () => {})
    const about = { worker: worker.id, workerPid: worker.process.pid }
    const late = setTimeout(() => {
      const fault = { ...about, code: 'WORKER_NOT_READY' }
      this.#log.error(fault, 'a worker was not ready within a minute and is ended')
      worker.process.kill('SIGKILL')
    }, startWithin)
    const ready = new Promise<WorkerReady>((resolve, reject) => {
      worker.on('message', (message: ReadyMessage) => {
        if (!message.ready) return
        // After an upgrade the new workers have another version than this process.
        const { version, build } = message
        this.#log.info({ ...about, version, build, ms: Date.now() - began }, 'worker started')
        resolve(message.ready)
      })
      worker.once('exit', (code) => {
        const exitCode = code ?? 1
        reject(Object.assign(new Error(`a new worker ended with exit code ${exitCode}`), { exitCode }))
      })
    })
    // Without this, the failure of a replacement would be an unhandled rejection.
    ready.catch(() => {}).finally(() => clearTimeout(late))
    worker.once('exit', (code, signal) => {
      const ended = { ...about, exit: code, signal: signal ?? undefined, ms: Date.now() - began }
      if (this.#stopping || this.#leaving.delete(worker)) return this.#log.info(ended, 'worker stopped')
      if (!this.#serves) return
      this.#log.error({ ...ended, code: 'WORKER_DIED' }, 'a worker died; another one replaces it')
      this.#counted.replaced('died')
      setTimeout(() => !this.#stopping && this.#start(), ended.ms < soon ? pause : 0)
    })
    return { worker, ready }
  }

  #end(worker: Worker, signal: NodeJS.Signals): Promise<unknown> {
    this.#leaving.add(worker)
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.process.kill(signal)
    return ended
  }

  async #restart(): Promise<void> {
    if (this.#restarting) return
    this.#restarting = true
    try {
      for (const old of running()) await this.#replace(old)
    } catch (error) {
      const fault = { code: 'WORKER_RESTART_FAILED', why: (error as Error).message }
      this.#log.error(fault, 'the restart was given up; the old workers continue')
    }
    this.#restarting = false
  }

  async #replace(old: Worker): Promise<void> {
    if (old.isDead() || this.#stopping) return
    const fresh = this.#start()
    // A worker that cannot start is not replaced.
    this.#leaving.add(fresh.worker)
    await fresh.ready
    this.#leaving.delete(fresh.worker)
    if (!old.isDead()) this.#counted.replaced('renewed')
    // A worker that died meanwhile has been replaced. The port always has a worker, so no balancer has to see this stop.
    await this.#end(old.isDead() ? fresh.worker : old, 'SIGHUP')
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    this.#log.info({ by: signal, version }, 'workers are stopping')
    await Promise.all(running().map((worker) => this.#end(worker, signal)))
    process.exit(0)
  }
}

const running = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

export const isWorker = (): boolean => cluster.isWorker

type ReadyMessage = { ready?: WorkerReady; version?: string; build?: string }

export const reportReady = (ready: WorkerReady): void =>
  void process.send?.({ ready, version, build: buildOf(process.env) } as ReadyMessage)
