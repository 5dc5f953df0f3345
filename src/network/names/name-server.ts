import type { LookupAddress, RecordWithTtl } from 'node:dns'
import { Worker } from 'node:worker_threads'
import type { World } from '../../world.ts'

export type Found =
  | {
      addresses: readonly LookupAddress[]
      /** In milliseconds. */
      ttl: number
    }
  | { addresses: readonly []; failure: 'NAME_NOT_FOUND' | 'NAME_SERVER_FAILED' }

/** The limit for both families together, in milliseconds. */
const patience = 2_000
/** How long the addresses of one family wait for the other, in milliseconds. Most networks reach IPv4. */
const waitFor = { 4: 300, 6: 50 }
/** In milliseconds. */
const ttl = { least: 5_000, most: 300_000, withoutIPv4: 10_000 }

type Answer = { addresses: readonly LookupAddress[]; ttl: number; failed: boolean }

/** Asks for IPv4 and IPv6 side by side, so that a server that is silent for one does not hold up the other. Never rejects. */
export function askBothFamilies(ask: AskFamily, name: string, after: World['after']): Promise<Found> {
  return new Promise((resolve) => {
    const answers: { 4?: Answer; 6?: Answer } = {}
    const end = () => {
      for (const cancel of timers) cancel()
      resolve(foundIn(answers[4], answers[6]))
    }
    const timers = [after(patience, end)]
    for (const family of [4, 6] as const) {
      void answerOf(ask, name, family).then((answer) => {
        answers[family] = answer
        const other = family === 4 ? 6 : 4
        if (answers[other]) end()
        else if (answer.addresses.length > 0) timers.push(after(waitFor[other], end))
      })
    }
  })
}

const noAddress = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

async function answerOf(ask: AskFamily, name: string, family: 4 | 6): Promise<Answer> {
  try {
    // A loop of CNAMEs is an answer without addresses.
    const records = await ask(name, family)
    return {
      addresses: records.map(({ address }) => ({ address, family })),
      ttl: Math.min(...records.map((record) => record.ttl)) * 1_000,
      failed: false,
    }
  } catch (error) {
    const { code } = error as { code?: string }
    return { addresses: [], ttl: Number.POSITIVE_INFINITY, failed: !noAddress.has(code ?? '') }
  }
}

function foundIn(four: Answer | undefined, six: Answer | undefined): Found {
  const addresses = [...(four?.addresses ?? []), ...(six?.addresses ?? [])]
  if (addresses.length > 0) {
    const lasts = Math.min(four && !four.failed ? four.ttl : ttl.withoutIPv4, six?.ttl ?? ttl.most)
    return { addresses, ttl: Math.min(ttl.most, Math.max(ttl.least, lasts)) }
  }
  const failed = (answer: Answer | undefined) => answer === undefined || answer.failed
  return { addresses: [], failure: failed(four) || failed(six) ? 'NAME_SERVER_FAILED' : 'NAME_NOT_FOUND' }
}

/** Asks for the addresses of one family. Rejects with a `code` of `node:dns`. */
export type AskFamily = (name: string, family: 4 | 6) => Promise<readonly RecordWithTtl[]>

interface Question {
  id: number
  name: string
  family: 4 | 6
}

type Reply = { id: number } & ({ records: readonly RecordWithTtl[] } | { code: string })

/** The whole code of the thread, which gets it as a text. */
function answerQuestions(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { getServers, Resolver } = process.getBuiltinModule('node:dns').promises
  // Default: those of the system, which may change while the process runs.
  const servers: readonly string[] | undefined = workerData
  const serversKeptFor = 30_000
  /** How long a server may take at the first and at the second try, in milliseconds. */
  const tries = [700, 1_400]
  /** Only so many addresses of an answer are checked and connected to. */
  const mostAddresses = 16
  /** Questions go out so many at a time, with a pause in milliseconds: a burst would overrun the buffer of a name server's socket and lose good names too. */
  const pace = { questions: 16, ms: 5 }
  type Asking = (name: string, family: 4 | 6) => Promise<RecordWithTtl[]>
  let asking: Asking[] = []
  let until = 0
  /** A resolver of Node takes the first answer, also where the next server would do better, and looks at its time about once a second. */
  const askedAt = (server: string, timeout: number): Asking => {
    const resolver = new Resolver({ timeout, tries: 1 })
    resolver.setServers([server])
    return (name, family) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(reject, timeout, { code: 'ETIMEOUT' })
        const ended = () => clearTimeout(late)
        resolver[`resolve${family}`](name, { ttl: true }).finally(ended).then(resolve, reject)
      })
  }
  const current = () => {
    if (performance.now() < until) return asking
    until = performance.now() + serversKeptFor
    const all = servers ?? getServers()
    asking = tries.flatMap((timeout) => all.map((server) => askedAt(server, timeout)))
    return asking
  }
  let asked = 0
  let turn = Promise.resolve()
  const pass = () => new Promise<void>((resolve) => setTimeout(resolve, pace.ms))
  const myTurn = () => {
    const mine = turn
    if (++asked % pace.questions === 0) turn = turn.then(pass)
    return mine
  }
  parentPort!.on('message', async ({ id, name, family }: Question) => {
    let failed = 'ESERVFAIL'
    for (const ask of current())
      try {
        await myTurn()
        const found = await ask(name, family)
        return parentPort!.postMessage({ id, records: found.slice(0, mostAddresses) })
      } catch (error) {
        failed = (error as { code: string }).code
        if (['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(failed)) break
      }
    parentPort!.postMessage({ id, code: failed })
  })
}

/**
 * Asks name servers, by Node's resolver in a thread of its own: `dns.lookup` would occupy one of the four threads that the process has for all
 * names and files, and in the thread of the calls an answer of 4,000 addresses would block each other call for 25 ms. Asks for the exact
 * name: search domains and `ndots` of the system are not applied.
 */
export class NameServers {
  readonly #servers: readonly string[] | undefined
  readonly #waiting = new Map<number, PromiseWithResolvers<readonly RecordWithTtl[]>>()
  #thread: Promise<Worker | undefined> | undefined
  #asked = 0

  /** `servers` are addresses, with a port if it is not 53. Default: those of the system. */
  constructor(servers: readonly string[] | undefined) {
    this.#servers = servers
  }

  /** Looks up both families of a name. The start of the thread takes nothing of the time for an answer. Never rejects. */
  async find(name: string, after: World['after']): Promise<Found> {
    await this.#started()
    return askBothFamilies(this.ask, name, after)
  }

  readonly ask: AskFamily = async (name, family) => {
    const thread = await this.#started()
    if (!thread) throw failure('ESERVFAIL')
    const answer = Promise.withResolvers<readonly RecordWithTtl[]>()
    const id = this.#asked++
    this.#waiting.set(id, answer)
    // The process stays for an answer, and not for the thread.
    thread.ref()
    thread.postMessage({ id, name, family } satisfies Question)
    return answer.promise.finally(() => {
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) thread.unref()
    })
  }

  /** Resolves with nothing where no thread can be made. The next name starts another one. */
  async #started(): Promise<Worker | undefined> {
    this.#thread ??= new Promise<Worker | undefined>((resolve) => this.#start(resolve)).catch(() => undefined)
    const starting = this.#thread
    const thread = await starting
    if (!thread && this.#thread === starting) this.#thread = undefined
    return thread
  }

  #start(started: (thread: Worker | undefined) => void): void {
    const thread = new Worker(`(${answerQuestions})()`, { eval: true, workerData: this.#servers })
    thread.on('message', (reply: Reply) => {
      const answer = this.#waiting.get(reply.id)
      if ('records' in reply) answer?.resolve(reply.records)
      else answer?.reject(failure(reply.code))
    })
    thread.once('online', () => started(thread))
    // It has no memory, or is not allowed.
    thread.once('error', () => {
      this.#thread = undefined
      for (const answer of this.#waiting.values()) answer.reject(failure('ESERVFAIL'))
      started(undefined)
    })
  }
}

const failure = (code: string): Error => Object.assign(new Error(`the lookup fails: ${code}`), { code })
