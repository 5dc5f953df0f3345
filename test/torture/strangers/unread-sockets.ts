import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import express from 'express'
import { connectionLimits, type Listener } from '../../../src/http/limits.ts'
import { hardenedServer, listenOn } from '../../../src/http/server.ts'
import { askRates } from './ask-rates.ts'
import { atPercent, type StartedProvider, start, startProvider } from './processes.ts'

/** In milliseconds. Long, because the attacks beside it in the same process hold up the caller too. */
const patience = 30_000

/** How long one call of `/health/live` takes, in milliseconds; rejects where it is not answered. */
function askLive(port: number, agent: Agent | false): Promise<number> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const asked = get({ port, host: '127.0.0.1', path: '/health/live', agent, timeout: patience }, (res) => {
      res.resume()
      res.on('end', () => resolve(performance.now() - started))
    })
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${patience / 1_000} s`)))
    asked.on('error', reject)
  })
}

/** Sixteen callers, with so many calls of each kind. */
async function warmUp({ port, endpoints: [endpoint] }: StartedProvider, each: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const calls = async () => {
    for (let call = 0; call < each; call++) await askRates(port, endpoint, agent)
    for (let call = 0; call < each; call++) await askLive(port, agent)
  }
  await Promise.all(Array.from({ length: 16 }, calls))
  agent.destroy()
}

/** A busy machine holds others up too, so what is slow is tried again, `tries` times at most. */
async function quickest<T extends { violations: string[] }>(
  tries: number,
  attempt: () => Promise<T>,
): Promise<T> {
  let report = await attempt()
  const onlySlow = () => report.violations.length > 0 && report.violations.every(isSlow)
  for (let again = 1; again < tries && onlySlow(); again++) report = await attempt()
  return report
}

export const isSlow = (violation: string): boolean => violation.startsWith('held up others')

/** Sockets that send request after request and read no answer, beside a health check. `calm` calls of each kind come before from each caller. */
export const tryUnreadSockets = (sockets: number, tries = 3, calm = 100) =>
  quickest(tries, () => unreadSockets(sockets, calm))

async function unreadSockets(sockets: number, calm: number) {
  const provider = await startProvider()
  await warmUp(provider, calm)
  const before = await provider.peakMemory()
  const noise = start('./noise.ts', ['unread', String(provider.port), '/p/AAAAAAAA', String(sockets)])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  let over = false
  const failed: string[] = []
  const asking = (async () => {
    while (!over) {
      await askLive(provider.port, agent).then(
        (ms) => times.push(ms),
        (error: Error) => failed.push(error.message),
      )
      await delay(4)
    }
  })()
  await noise.line()
  const closed = JSON.parse(await noise.line()) as { last_closed_s: number; still_open: number }
  // For as long again as at least two seconds: a p99 of a few calls says nothing.
  await delay(2_000)
  over = true
  await asking
  const memory = (await provider.peakMemory()) - before
  await provider.end()
  agent.destroy()
  const p99 = Math.round(atPercent(times, 99))
  const violations = failed.slice(0, 3).map((why) => `beside sockets that are not read: ${why}`)
  if (closed.still_open > 0) violations.push(`${closed.still_open} sockets that read nothing are still open`)
  if (memory > 64) violations.push(`${sockets} sockets that read nothing cost ${memory} MB`)
  if (closed.last_closed_s > 20)
    violations.push(`held up others: the last was closed after ${closed.last_closed_s} s`)
  if (p99 > 50) violations.push(`held up others: /health/live p99 ${p99} ms`)
  const parsed = await requestsOfOneWrite()
  if (parsed > 64) violations.push(`${parsed} requests of one write were parsed after the cut`)
  if (!(await cutsUnreadStream())) violations.push('a stream that nobody reads keeps its connection')
  violations.push(...(await neverEnding()))
  const live = { live_p99_ms: p99, live_slowest_ms: Math.round(Math.max(...times)) }
  return { sockets, ...closed, memory_mb: memory, ...live, violations }
}

/** How many requests a server parses of one write of 1,700: those that come after the cut hold up everybody else. */
async function requestsOfOneWrite(): Promise<number> {
  const server = hardenedServer(
    (_req, res) => void setImmediate(() => res.end('x')),
    () => {},
  )
  let parsed = 0
  server.on('request', () => parsed++)
  const port = await listenOn(server, 0, '127.0.0.1')
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_700))
  const more = setInterval(() => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), 20)
  await new Promise((resolve) => socket.on('close', resolve))
  clearInterval(more)
  server.close()
  return parsed
}

/** Whether a peer is cut that begins to read a long answer of an app and stops. */
async function cutsUnreadStream(): Promise<boolean> {
  const answer = () => Readable.from(Array<Buffer>(1_000).fill(Buffer.alloc(64 * 1024)))
  const limits = { ...connectionLimits, unread: 1_000 }
  const server = hardenedServer(
    (_req, res) => void answer().pipe(res),
    () => {},
    limits,
  )
  const socket = connect(await listenOn(server, 0, '127.0.0.1'), '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  // A peer that reads nothing learns of the cut when it writes.
  const more = setInterval(() => socket.write('\r\n'), 20)
  const closed = new Promise<boolean>((resolve) => socket.on('close', () => resolve(true)))
  const cut = await Promise.race([closed, delay(patience, false, { ref: false })])
  clearInterval(more)
  socket.destroy()
  server.close()
  return cut
}

/** As many idle connections as the provider accepts, and more; then a new caller. */
export const tryIdleSockets = (sockets: number, openFiles?: number, tries = 3) =>
  quickest(tries, () => idleSockets(sockets, openFiles))

async function idleSockets(sockets: number, openFiles?: number) {
  const provider = await startProvider(openFiles)
  const noise = start('./noise.ts', ['idle', String(provider.port), '/', String(sockets)])
  await noise.line()
  const violations: string[] = []
  let slowest = 0
  for (let caller = 0; caller < 10; caller++) {
    await askLive(provider.port, false).then(
      (ms) => (slowest = Math.max(slowest, ms)),
      (error: Error) => violations.push(`a new caller beside ${sockets} idle sockets: ${error.message}`),
    )
  }
  noise.child.stdin!.end()
  await noise.line()
  await provider.end()
  if (slowest > 1_000) violations.push(`held up others: a new caller waited ${Math.round(slowest)} ms`)
  return { sockets, served_ms: Math.round(slowest), violations }
}

const endlessRequests = {
  BODY_IN_PIECES: {
    head: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
    more: '1\r\nx\r\n'.repeat(5_000),
  },
  CONNECT_REFUSED: { head: 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', more: 'x' },
}

/**
 * Peers that go on sending behind an answer. An app on Express answers, which gives each request a prototype of its own. The reason of
 * the cut counts: Node's limit of 13 s for a request would end them too, in the end.
 */
async function neverEnding(): Promise<string[]> {
  const app = express().use((_req, res) => void res.end())
  const refused: string[] = []
  const server = hardenedServer(app as unknown as Listener, (code) => refused.push(code))
  const port = await listenOn(server, 0, '127.0.0.1')
  const open = await Promise.all(
    Object.entries(endlessRequests).map(async ([code, { head, more }]) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      let sending: NodeJS.Timeout | undefined
      socket
        .on('error', () => {})
        .once('data', () => {
          sending = setInterval(() => socket.writableLength === 0 && socket.write(more), 20)
        })
      socket.resume().write(head)
      const closed = await Promise.race([
        new Promise((resolve) => socket.on('close', () => resolve(true))),
        delay(patience, false, { ref: false }),
      ])
      clearInterval(sending)
      socket.destroy()
      if (!closed) return [`${code}: the connection stays`]
      return refused.includes(code) ? [] : [`${code}: the connection ends as ${refused}`]
    }),
  )
  server.close()
  return open.flat()
}
