import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import express from 'express'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RefusalCode } from '../../src/errors/refusals.ts'
import { type ConnectionLimits, connectionLimits, type Listener } from '../../src/http/limits.ts'
import { readBytes } from '../../src/http/read-body.ts'
import { hardenedServer, listenOn } from '../../src/http/server.ts'
import { createProvider, type Provider } from '../../src/index.ts'
import { listening } from '../listening.ts'
import { lastingStore, production } from '../production-store.ts'

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

const measured = { ...production, http: { metricsToken: 'the-token-of-who-reads-numbers' } }
const rates = { name: 'a', quote: () => [] }

const ends: (() => unknown)[] = []
afterEach(() => Promise.all(ends.splice(0).map((end) => end())))

/** A socket that has sent something, and what came back on it. A `quiet` one reads nothing. */
async function peer(port: number, bytes = '', quiet = false) {
  const socket = connect(port, '127.0.0.1')
  if (quiet) socket.pause()
  await once(socket, 'connect')
  ends.push(() => socket.destroy())
  let text = ''
  if (!quiet) socket.on('data', (chunk) => (text += chunk.toString()))
  socket.on('error', () => {})
  let closed = false
  socket.on('close', () => (closed = true))
  if (bytes) socket.write(bytes)
  return { socket, text: () => text, closed: () => closed }
}
type Peer = Awaited<ReturnType<typeof peer>>
const noisy = (port: number, bytes: string) => peer(port, bytes, true)

/** Writes until the other side has closed the connection: a peer that does not read learns nothing else. */
async function writeUntilClosed({ socket, closed }: Peer, bytes: string) {
  while (!closed()) {
    if (socket.writableLength === 0) socket.write(bytes)
    await delay(5)
  }
}

async function until(holds: () => boolean) {
  while (!holds()) await delay(5)
}
const said = ({ text }: Peer, end: string) => until(() => text().endsWith(end))

/** What comes back until the connection is closed. */
async function asked(port: number, bytes: string): Promise<string> {
  const { text, closed } = await peer(port, bytes)
  await until(closed)
  return text()
}

describe('a server', () => {
  let codes: RefusalCode[]
  const servers: Server[] = []
  beforeEach(() => (codes = []))

  async function serving(listener: Listener, changes: Partial<ConnectionLimits> = {}): Promise<number> {
    const server = hardenedServer(listener, (code) => codes.push(code), { ...connectionLimits, ...changes })
    servers.push(server)
    ends.push(() => {
      server.close()
      server.closeAllConnections()
    })
    return listenOn(server, 0, '127.0.0.1')
  }

  test('answers the pipelined requests of a connection one after the other, in their order', async () => {
    const begun: string[] = []
    let [atOnce, most] = [0, 0]
    const port = await serving(async (req, res) => {
      begun.push(req.url!)
      most = Math.max(most, ++atOnce)
      await delay(1)
      atOnce--
      res.end(req.url)
    })
    const paths = Array.from({ length: 5 }, (_, at) => `/${at}`)
    const one = await peer(port, paths.map((path) => get(path)).join(''))
    await said(one, '/4')
    expect([begun, most, codes]).toEqual([paths, 1, []])
    expect(one.text().match(/\/\d$|\/\d(?=HTTP)/g)).toEqual(paths)
    // It goes on as any other.
    one.socket.write(get('/again'))
    await said(one, '/again')
  })

  test('cuts a peer that pipelines more, and parses nothing of the rest', async () => {
    let begun = 0
    const port = await serving((_req, res) => {
      begun++
      setImmediate(() => res.end('x'))
    })
    let parsed = 0
    servers.at(-1)!.on('request', () => parsed++)
    await writeUntilClosed(await noisy(port, get('/').repeat(1_500)), get('/'))
    expect([codes, begun]).toEqual([['TOO_MANY_PIPELINED'], 1])
    // The five that are too many, and one that was parsed when the socket was destroyed.
    expect(parsed).toBeLessThan(10)
  })

  test.for([
    ['without a Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['that expect something', get('/', 'Expect: cake\r\n')],
    ['that expect to go on', get('/', 'Expect: 100-continue\r\n')],
  ])('counts requests %s as well', async ([_what, request]) => {
    const port = await serving((_req, res) => void setImmediate(() => res.end('x')))
    await writeUntilClosed(await noisy(port, request!.repeat(100)), request!)
    expect(codes).toEqual(['TOO_MANY_PIPELINED'])
  })

  test('cuts a peer that leaves an answer unread, and none that reads it', async () => {
    const much = Buffer.alloc(32 * 1024 * 1024, 'x')
    const port = await serving((_req, res) => void res.end(much), { unread: 1_000 })
    await asked(port, get('/', 'Connection: close\r\n'))
    await noisy(port, get('/'))
    await until(() => codes.length > 0)
    expect(codes).toEqual(['SOCKET_NOT_READING'])
  })

  /** An answer without an end, written as fast as its peer reads. */
  const endless: Listener = (_req, res) => {
    const kibibytes = Buffer.alloc(64 * 1024, 'x')
    Readable.from(
      (function* () {
        while (true) yield kibibytes
      })(),
    ).pipe(res)
  }

  test('cuts a peer that stops reading a stream, and none that goes on slowly', async () => {
    const port = await serving(endless, { unread: 2_000 })
    const reading = await noisy(port, '')
    reading.socket.on('data', () => {
      reading.socket.pause()
      setTimeout(() => reading.socket.resume(), 5)
    })
    reading.socket.resume().write(get('/'))
    const noise = await noisy(port, get('/'))
    await until(() => codes.length > 0)
    await writeUntilClosed(noise, ' ')
    expect(codes).toEqual(['SOCKET_NOT_READING'])
    expect(reading.closed()).toBe(false)
  })

  test('gives a newcomer the place of a peer that does not read a stream', async () => {
    const streams: ServerResponse[] = []
    const port = await serving(
      (req, res) => {
        if (req.url === '/quick') return void res.end('quick')
        streams.push(res)
        endless(req, res)
      },
      { open: 2 },
    )
    await Promise.all([noisy(port, get('/')), noisy(port, get('/'))])
    await until(() => streams.length === 2 && streams.every(({ writableNeedDrain }) => writableNeedDrain))
    await said(await peer(port, get('/quick')), 'quick')
    expect(codes).toEqual(['CONNECTIONS_FULL'])
  })

  test.for<[what: string, listener: Listener]>([
    ['is read', (req) => void req.resume()],
    ['is not read', (_req, res) => void res.end('x')],
    ['goes to Express', express() as unknown as Listener],
    ['is read as a body', (req) => void readBytes(req).catch(() => {})],
  ])('cuts a peer whose body comes in tiny pieces and %s', async ([_what, listener]) => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
    await writeUntilClosed(await peer(await serving(listener), head), '1\r\nx\r\n'.repeat(500))
    expect(codes).toEqual(['BODY_IN_PIECES'])
  })

  test('takes a large body in pieces of 128 bytes', async () => {
    const port = await serving((req, res) => {
      let size = 0
      req.on('data', (piece: Buffer) => (size += piece.length))
      req.on('end', () => res.end(String(size)))
    })
    const head = 'Connection: close\r\nTransfer-Encoding: chunked\r\n'
    const one = await peer(port, `POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n`)
    one.socket.write(`${`80\r\n${'x'.repeat(128)}\r\n`.repeat(8_192)}0\r\n\r\n`)
    await said(one, String(128 * 8_192))
    expect(codes).toEqual([])
  })

  test('ends a connection after CONNECT, although its peer keeps its own side open', async () => {
    const port = await serving(() => {})
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    ends.push(() => socket.destroy())
    socket.on('error', () => {})
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n')
    const open = () =>
      new Promise<number>((done) => servers.at(-1)!.getConnections((_e, count) => done(count)))
    while ((await open()) === 0 && codes.length === 0) await delay(5)
    while ((await open()) > 0) await delay(5)
    expect(codes).toEqual(['CONNECT_REFUSED'])
  })

  test('gives a newcomer the place of the connection that has waited longest for its peer', async () => {
    const answers: (() => void)[] = []
    const port = await serving(
      (req, res) => (req.url === '/slow' ? void answers.push(() => res.end('slow')) : void res.end('quick')),
      { open: 5 },
    )
    const busy = await peer(port, get('/slow'))
    await until(() => answers.length === 1)
    const half = await peer(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx')
    const others = [await peer(port), await peer(port), await peer(port)]
    // A connection with a new call goes to the end of the row.
    for (const other of others) {
      other.socket.write(get('/'))
      await said(other, 'quick')
    }
    for (let newcomer = 0; newcomer < 4; newcomer++) await said(await peer(port, get('/')), 'quick')
    await until(() => others.every(({ closed }) => closed()) && half.closed())
    expect(codes).toEqual(Array(4).fill('CONNECTIONS_FULL'))
    expect(busy.closed()).toBe(false)
    answers[0]!()
    await said(busy, 'slow')
  })

  test('turns a newcomer away while every connection is answered', async () => {
    let calls = 0
    const port = await serving(() => void calls++, { open: 2 })
    await Promise.all([peer(port, get('/')), peer(port, get('/'))])
    await until(() => calls === 2)
    await asked(port, '')
    expect(codes).toEqual(['CONNECTIONS_FULL'])
  })

  test('ends a connection with the answer to its last request, and says so', async () => {
    const port = await serving((_req, res) => void res.end('x'), { requests: 3 })
    const { socket, text, closed } = await peer(port)
    for (let call = 1; call <= 3; call++) {
      socket.write(get('/'))
      await until(() => text().match(/\r\n\r\nx/g)?.length === call)
    }
    await until(closed)
    expect(text().match(/(?<=Connection: ).*/g)).toEqual(['keep-alive', 'keep-alive', 'close'])
    expect(codes).toEqual([])
  })
})

const ways = ['a provider that listens', 'a mounted router', 'a mounted router in provider.server()']
describe.for(ways)('%s', (how) => {
  async function provide(): Promise<{ provider: Provider; port: number; path: string }> {
    const logger = pino({ level: 'silent' })
    const provider = createProvider({ logger, store: lastingStore(), ...measured, rates })
    ends.push(() => provider.stop())
    if (how === 'a provider that listens') {
      const { endpoint, port } = await provider.listen({ port: 0 })
      return { provider, port, path: new URL(endpoint).pathname }
    }
    const own = how === 'a mounted router'
    const server = own ? createServer(provider.router) : provider.server(provider.router)
    ends.push(() => server.close())
    const { endpoint } = await provider.start()
    return { provider, port: await listenOn(server, 0, '127.0.0.1'), path: new URL(endpoint).pathname }
  }

  test('refuses two Host headers', async () => {
    const { port, path, provider } = await provide()
    const refused = /^HTTP\/1\.1 400 [\s\S]*"code":"HOST_HEADER_INVALID"/
    for (const at of ['/health/live', '/p/AAAAAAAA', `${path}/payment/1`])
      expect(await asked(port, get(at, 'host: b\r\n'))).toMatch(refused)
    expect(await provider.metrics()).toContain('purveyor_refused_total{code="HOST_HEADER_INVALID"} 3')
  })

  test('refuses a transfer coding but chunked', async () => {
    const { port, path } = await provide()
    const refused = /^HTTP\/1\.1 415 [\s\S]*"code":"MEDIA_TYPE_UNSUPPORTED"/
    const head = (to: string) => `POST ${to} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`
    const post = (to: string, coding: string) =>
      asked(port, `${head(to)}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)
    for (const to of [`${path}/shipment_methods`, '/p/AAAAAAAA', '/nowhere']) {
      for (const coding of ['gzip, chunked', 'x\r\nTransfer-Encoding: chunked'])
        expect(await post(to, coding)).toMatch(refused)
      expect(await post(to, 'Chunked')).not.toMatch(/^HTTP\/1\.1 415 /)
    }
  })

  test('refuses none, and takes one and HTTP/1.0', async () => {
    const { port } = await provide()
    expect(await asked(port, 'GET /health/live HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/)
    expect(await asked(port, 'GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200/)
    expect(await asked(port, get('/health/live', 'Connection: close\r\n'))).toMatch(/^HTTP\/1\.1 200/)
  })
})

test('a provider counts the connections that it cuts', async () => {
  const { provider, port } = await listening({ ...measured, rates })
  await writeUntilClosed(await noisy(port, get('/p/AAAAAAAA').repeat(1_000)), get('/'))
  expect(await provider.metrics()).toContain('purveyor_refused_total{code="TOO_MANY_PIPELINED"} 1')
})
