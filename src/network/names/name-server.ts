import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { type LookupAddress, Resolver } from 'node:dns'
import { connect, isIPv6 } from 'node:net'
import type { World } from '../../world.ts'
import {
  addressQuery,
  mostAddresses,
  type NameAnswer,
  type NameRecord,
  readAddresses,
} from './dns-message.ts'

/** The result of looking up one name. */
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
    const records = (await ask(name, family)).slice(0, mostAddresses)
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
export type AskFamily = (name: string, family: 4 | 6) => Promise<readonly NameRecord[]>

/** The limits of the first and the second try, in milliseconds. */
const tries = [700, 1_400]
/** The most queries in one turn of the event loop: a burst would overrun the buffer of a name server's socket and lose good names too. */
const perTurn = 32
/** In milliseconds. The system's name servers may change while the process runs. */
const serversKeptFor = 30_000
/** How much of an answer over TCP is read, in bytes, with its length ahead. */
const readAtMost = 4_096
const notFound = 3

/** A query under way. */
interface Asked {
  query: Buffer
  family: 4 | 6
  /** `undefined`: the server did not answer. */
  settle: (answer: NameAnswer | undefined) => void
}

/**
 * Asks name servers. `dns.lookup` would occupy one of the four threads that the process has for all names and files. `dns.resolve` takes
 * 50 ms to read 4,000 addresses, and blocks every other call meanwhile. Asks for the exact name: search domains and `ndots` of the system
 * are not applied.
 */
export class NameServers {
  readonly #given: readonly string[] | undefined
  #servers: NameServer[] = []
  #until = 0
  #asked = 0
  #nextTurn: Promise<void> | undefined

  /** `servers` are addresses, with a port if it is not 53. Default: those of the system. */
  constructor(servers: readonly string[] | undefined) {
    this.#given = servers
  }

  readonly ask: AskFamily = async (name, family) => {
    await this.#turn()
    let silent = this.#current()
    for (const patience of tries) {
      const asked = silent
      silent = []
      for (const server of asked) {
        const answer = await server.ask(name, family, patience)
        if (!answer) silent.push(server)
        else if (answer.code === notFound) throw failure('ENOTFOUND')
        else if (answer.code === 0) return answer.records
      }
    }
    throw failure('ESERVFAIL')
  }

  async #turn(): Promise<void> {
    while (this.#asked >= perTurn) await this.#nextTurn
    this.#asked++
    this.#nextTurn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#asked = 0
        this.#nextTurn = undefined
        resolve()
      })
    })
  }

  #current(): NameServer[] {
    const now = performance.now()
    if (now >= this.#until) {
      const resolver = new Resolver()
      if (this.#given) resolver.setServers(this.#given)
      this.#servers = resolver.getServers().map((server) => new NameServer(server))
      this.#until = now + serversKeptFor
    }
    return this.#servers
  }
}

/** One name server. Its UDP socket, with a port that strangers cannot guess, is open while queries wait. */
class NameServer {
  readonly #address: string
  readonly #port: number
  readonly #waiting = new Map<number, Asked>()
  #socket: Socket | undefined
  #connected: Promise<void> = Promise.resolve()

  constructor(server: string) {
    const [, six, four, port = '53'] = /^(?:\[(.+)\]|([\d.]+)):(\d+)$/.exec(server) ?? []
    this.#address = six ?? four ?? server
    this.#port = Number(port)
  }

  /** Resolves with `undefined` if there is no answer in this time, in milliseconds. */
  async ask(name: string, family: 4 | 6, patience: number): Promise<NameAnswer | undefined> {
    const id = this.#freeId()
    const query = addressQuery(id, name, family)
    if (!query) throw failure('EBADNAME')
    const answer = await this.#overUdp(id, { query, family }, patience)
    // A part of the addresses will do.
    if (!answer?.truncated || answer.records.length > 0) return answer
    const whole = await this.#overTcp({ query, family }, patience)
    return whole?.truncated && whole.records.length === 0 ? undefined : whole
  }

  #freeId(): number {
    let id = randomInt(65_536)
    while (this.#waiting.has(id)) id = randomInt(65_536)
    return id
  }

  #overUdp(id: number, asked: Omit<Asked, 'settle'>, patience: number): Promise<NameAnswer | undefined> {
    return new Promise((resolve) => {
      const settle = (answer: NameAnswer | undefined) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        if (this.#waiting.size === 0) this.#close()
        resolve(answer)
      }
      const timer = setTimeout(settle, patience, undefined)
      this.#waiting.set(id, { ...asked, settle })
      this.#socket ??= this.#open()
      const socket = this.#socket
      void this.#connected.then(() => {
        if (this.#socket === socket) socket.send(asked.query, (error) => error && settle(undefined))
      })
    })
  }

  #open(): Socket {
    const socket = createSocket(isIPv6(this.#address) ? 'udp6' : 'udp4')
    socket.on('message', (message) => {
      const asked = message.length < 2 ? undefined : this.#waiting.get(message.readUInt16BE(0))
      const answer = asked && readAddresses(asked.query, message, asked.family)
      if (answer) asked.settle(answer)
    })
    // Nothing listens there, or no socket can be opened.
    const fail = () => {
      if (this.#socket === socket) for (const { settle } of [...this.#waiting.values()]) settle(undefined)
    }
    socket.on('error', fail)
    // A connected socket gets messages of its server alone.
    this.#connected = new Promise((resolve) => {
      socket.connect(this.#port, this.#address, (error?: Error) => (error ? fail() : resolve()))
    })
    return socket
  }

  #close(): void {
    this.#socket?.close()
    this.#socket = undefined
  }

  #overTcp({ query, family }: Omit<Asked, 'settle'>, patience: number): Promise<NameAnswer | undefined> {
    return new Promise((resolve) => {
      const socket = connect(this.#port, this.#address)
      const read = Buffer.alloc(readAtMost)
      let length = 0
      const end = () => {
        clearTimeout(timer)
        socket.destroy()
        resolve(length <= 2 ? undefined : readAddresses(query, read.subarray(2, length), family))
      }
      const timer = setTimeout(end, patience)
      socket.on('error', end).on('close', end)
      socket.on('data', (chunk) => {
        length += chunk.copy(read, length)
        if (length >= Math.min(readAtMost, 2 + read.readUInt16BE(0))) end()
      })
      socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length & 255), query]))
    })
  }
}

const failure = (code: string): Error => Object.assign(new Error(`the lookup fails: ${code}`), { code })
