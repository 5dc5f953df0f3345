import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a PostgreSQL server, and does to the connection what networks do. */
export interface Proxy {
  /** The address with the proxy in it. */
  through(url: string): string
  /** Loses the answers to the next so many COMMITs, which are carried out, or the COMMITs, which are not. The connection ends. */
  loseCommits(count: number, what?: 'answer' | 'question'): void
  /** How many were lost. */
  readonly lost: number
  /** How often somebody has asked the server since its last answer. */
  readonly flights: number
  /** Nothing passes any more, and nothing ends. */
  freeze(frozen: boolean): void
  /** Freezes in front of the next COMMIT. Resolves then. */
  freezeAtCommit(): Promise<void>
  /** Ends every connection. */
  cut(): void
  close(): Promise<void>
}

const question = Buffer.from('commit\0')
const answer = Buffer.from('COMMIT\0')

/** `delay`: how many milliseconds later the answers of the server arrive. */
export async function startProxy(port: number, { delay = 0 } = {}): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let losing = { answer: 0, question: 0 }
  let lost = 0
  let frozen = false
  let atCommit: (() => void) | undefined
  let flights = 0
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    client.setNoDelay()
    upstream.setNoDelay()
    let isAnswered = true
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        if (!frozen) other.destroy()
      })
    }
    client.on('data', (chunk) => {
      if (frozen) return
      if (atCommit && chunk.includes(question)) {
        frozen = true
        atCommit()
        atCommit = undefined
        return
      }
      if (losing.question > 0 && chunk.includes(question)) {
        losing.question--
        lost++
        client.destroy()
        return
      }
      if (isAnswered) flights++
      isAnswered = false
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (frozen) return
      if (losing.answer > 0 && chunk.includes(answer)) {
        losing.answer--
        lost++
        client.destroy()
        return
      }
      const pass = () => {
        isAnswered = true
        client.write(chunk)
      }
      if (delay > 0) setTimeout(pass, delay)
      else pass()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    through(url) {
      const proxied = new URL(url)
      proxied.port = String((server.address() as AddressInfo).port)
      return proxied.href
    },
    loseCommits(count, what = 'answer') {
      losing = { answer: 0, question: 0, [what]: count }
    },
    get lost() {
      return lost
    },
    get flights() {
      return flights
    },
    freeze(now) {
      frozen = now
    },
    freezeAtCommit: () =>
      new Promise((resolve) => {
        atCommit = resolve
      }),
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
