import { Worker } from 'node:worker_threads'
import type { LookupKind } from '../../world.ts'
import { type AskFamily, type NameRecord, NameServers } from './name-server.ts'

/** A message to the thread. */
export interface Question {
  id: number
  kind: LookupKind
  name: string
  family: 4 | 6
}

/** A message from the thread: records, or the `code` of `node:dns`. */
export type ThreadAnswer = { id: number; records: readonly NameRecord[] } | { id: number; code: string }

interface Waiting {
  resolve(records: readonly NameRecord[]): void
  reject(error: Error): void
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const threadFile = new URL(`./read-answers.${extension}`, import.meta.url)
/** An unused thread ends after this time, in milliseconds. */
const idleFor = 60_000
/** The pause before a failed thread is started again, in milliseconds. It doubles each time. */
const tryAgain = { first: 5_000, most: 600_000 }
/** In MiB. A query and its answer need a few KiB. */
const mostMemory = 64

/**
 * Asks name servers in a thread of its own: reading an answer of 4,000 addresses takes 50 ms and more, and would block every call of this
 * process. The thread starts with the first query. While it cannot start, such as in a bundle without its file, this thread asks, and the
 * start is tried again after 5 s, then with growing pauses up to 10 min.
 */
export class NameThread {
  readonly #servers: readonly string[] | undefined
  readonly #file: URL
  readonly #now: () => number
  readonly #waiting = new Map<number, Waiting>()
  readonly #here = new Map<LookupKind, NameServers>()
  #thread: Worker | undefined
  /** The number of failed starts in a row, and the time of the next one. */
  #failedStarts = 0
  #startAgainAt = Number.NEGATIVE_INFINITY
  #idle: NodeJS.Timeout | undefined
  #asked = 0

  /** `servers` as for `NameServers`. */
  constructor(servers: readonly string[] | undefined, file = threadFile, now = () => performance.now()) {
    this.#servers = servers
    this.#file = file
    this.#now = now
  }

  ask(kind: LookupKind): AskFamily {
    return async (name, family) => {
      const thread = this.#thread ?? this.#start()
      if (thread) {
        try {
          return await this.#askThread(thread, { id: ++this.#asked, kind, name, family })
        } catch (error) {
          // The queries of a thread that never answered are made here.
          if (!(error instanceof NotStarted)) throw error
        }
      }
      return this.#askHere(kind, name, family)
    }
  }

  #askThread(thread: Worker, question: Question): ReturnType<AskFamily> {
    clearTimeout(this.#idle)
    // The thread keeps the process alive only while a query waits.
    if (this.#waiting.size === 0) thread.ref()
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject })
      thread.postMessage(question)
    })
  }

  #askHere(kind: LookupKind, name: string, family: 4 | 6): ReturnType<AskFamily> {
    const servers = this.#here.get(kind) ?? new NameServers(this.#servers)
    this.#here.set(kind, servers)
    return servers.ask(name, family)
  }

  /** Not set if no thread can be started, such as in a process without the permission. */
  #start(): Worker | undefined {
    if (this.#now() < this.#startAgainAt) return undefined
    try {
      const thread = new Worker(this.#file, {
        workerData: this.#servers,
        name: 'purveyor names',
        resourceLimits: { maxOldGenerationSizeMb: mostMemory },
      })
      let answered = false
      thread.on('message', (answer: ThreadAnswer) => {
        answered = true
        this.#failedStarts = 0
        this.#settle(thread, answer)
      })
      // The 'exit' event follows.
      thread.on('error', () => {})
      thread.on('exit', () => {
        if (!answered) this.#notStarted()
        this.#ended(thread, answered)
      })
      this.#thread = thread
    } catch {
      this.#notStarted()
    }
    return this.#thread
  }

  #notStarted(): void {
    this.#startAgainAt = this.#now() + Math.min(tryAgain.first * 2 ** this.#failedStarts++, tryAgain.most)
  }

  #settle(thread: Worker, answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('code' in answer) waiting?.reject(failure(answer.code))
    else waiting?.resolve(answer.records)
    if (this.#waiting.size > 0) return
    thread.unref()
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      this.#thread = undefined
      void thread.terminate()
    }, idleFor).unref()
  }

  #ended(thread: Worker, answered: boolean): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    clearTimeout(this.#idle)
    for (const { reject } of this.#waiting.values())
      reject(answered ? failure('ESERVFAIL') : new NotStarted())
    this.#waiting.clear()
  }
}

const failure = (code: string): Error => Object.assign(new Error(`the lookup fails: ${code}`), { code })

/** The thread ended before its first answer. */
class NotStarted extends Error {}
