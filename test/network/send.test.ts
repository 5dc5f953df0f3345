import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcp, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { guardedOutgoing } from '../../src/network/outgoing.ts'
import { version } from '../../src/version.ts'
import type { Outgoing } from '../../src/world.ts'
import { openServer } from '../serve-origin.ts'

const outgoing = guardedOutgoing({ loopback: true })
const headers = { 'content-type': 'application/json' }
const sent = { method: 'POST', headers, body: '{"order_id":1}', timeout: 60_000 } as const
const call = (url: string, timeout = 60_000) => outgoing.send({ ...sent, url, timeout })

const listening = async (server: Server): Promise<string> =>
  `${(await openServer(server)).origin}/hook?order=1`

const receiver = (answer: (req: IncomingMessage, res: ServerResponse) => void) =>
  listening(createServer(answer))
/** A receiver that speaks as it likes. */
const raw = (answer: (socket: Socket) => void) =>
  listening(createTcp((socket) => void socket.once('data', () => answer(socket))))

test('the answer comes with its status, its text and when to come again', async () => {
  const seen: unknown[] = []
  const url = await receiver(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    seen.push([req.method, req.url, req.headers['content-type'], req.headers['user-agent'], body])
    res.writeHead(503, { 'retry-after': '30' }).end('later')
  })
  expect(await call(url)).toEqual({ status: 503, retryAfter: '30', body: 'later' })
  expect(seen).toEqual([
    ['POST', '/hook?order=1', 'application/json', `purveyor/${version}`, '{"order_id":1}'],
  ])
})

test('a redirect is an answer, and nobody follows it', async () => {
  let reached = 0
  const other = await receiver((_req, res) => {
    reached++
    res.end()
  })
  const url = await receiver((_req, res) => void res.writeHead(302, { location: other }).end())
  expect((await call(url)).status).toBe(302)
  expect(reached).toBe(0)
})

const hello = 'HTTP/1.1 200 OK\r\n'
test.each<[string, (socket: Socket) => void]>([
  ['says nothing', () => {}],
  ['begins and stops', (socket) => void socket.write('HTTP/1.1 2')],
  ['sends headers without end', (socket) => drip(socket, hello, 'x-a: 1\r\n')],
  ['sends a body that never comes', (socket) => void socket.write(`${hello}content-length: 10\r\n\r\n`)],
  ['drips its body', (socket) => drip(socket, `${hello}content-length: 60000\r\n\r\n`, 'x')],
  ['drips chunks', (socket) => drip(socket, `${hello}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n')],
  ['goes on with 103', (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')],
])('a receiver that %s is given up in time', async (_what, answer) => {
  const url = await raw(answer)
  await expect(call(url, 300)).rejects.toThrow(/no answer within 0.3 s|Headers/)
})

function drip(socket: Socket, first: string, more: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write(more), 20)
  socket.on('close', () => clearInterval(timer))
}

const one = 'content-length: 1\r\n'
test.each<[string, (socket: Socket) => void]>([
  ['closes at once', (socket) => socket.destroy()],
  ['resets', (socket) => void socket.resetAndDestroy()],
  ['breaks off its body', (socket) => void socket.end(`${hello}content-length: 10\r\n\r\nabc`)],
  ['speaks no HTTP', (socket) => void socket.end('hello\r\n\r\n')],
  ['sends a long header', (socket) => void socket.end(`${hello}x: ${'a'.repeat(100_000)}\r\n\r\n`)],
  ['says two lengths', (socket) => void socket.end(`${hello}${one}${one.replace('1', '2')}\r\nab`)],
  ['says a length that is none', (socket) => void socket.end(`${hello}content-length: -1\r\n\r\n`)],
])('a receiver that %s is a failure, and the process goes on', async (_what, answer) => {
  await expect(call(await raw(answer))).rejects.toBeInstanceOf(Error)
})

test.each<[string, string]>([
  ['a huge body', `content-length: 100000000\r\n\r\n`],
  ['a body without end', '\r\n'],
  ['chunks without end', 'transfer-encoding: chunked\r\n\r\n'],
])('of %s no more than 64 KiB is read', async (_what, headers) => {
  let sent = 0
  let closed = false
  const piece = headers.includes('chunked') ? `4000\r\n${'x'.repeat(0x4000)}\r\n` : 'x'.repeat(0x4000)
  const url = await raw((socket) => {
    socket.on('close', () => (closed = true))
    socket.write(`${hello}${headers}`)
    const push = (): void => {
      if (closed) return
      sent += piece.length
      if (socket.write(piece)) setImmediate(push)
      else socket.once('drain', push)
    }
    push()
  })
  const { status, body } = await call(url, 3_000)
  expect(status).toBe(200)
  expect(body).toHaveLength(64 * 1024)
  await expect.poll(() => closed).toBe(true)
  expect(sent).toBeLessThan(20_000_000)
})

test('a receiver that answers before it has read, and says more than one answer, is heard once', async () => {
  const ok = `${hello}content-length: 2\r\n\r\nok`
  const url = await listening(createTcp((socket) => void socket.write(ok)))
  await expect(call(url).catch((error: Error) => error)).resolves.toBeDefined()
  const twice = await raw((socket) => void socket.write(`${ok}${ok}`))
  expect(await call(twice)).toMatchObject({ status: 200, body: 'ok' })
  // Its surplus bytes belong to no later call.
  const next = await call(twice).catch((error: Error) => error)
  expect(next instanceof Error || (next as { body: string }).body === 'ok').toBe(true)
})

test('an answer of no words, and one in another alphabet', async () => {
  const empty = await receiver((_req, res) => void res.writeHead(204).end())
  expect(await call(empty)).toEqual({ status: 204, retryAfter: undefined, body: '' })
  const greek = await receiver((_req, res) => void res.end('Καλημέρα'))
  expect((await call(greek)).body).toBe('Καλημέρα')
})

test('what is packed is not unpacked', async () => {
  const head = { 'content-encoding': 'gzip' }
  const url = await receiver((_req, res) => void res.writeHead(200, head).end('not gzip'))
  expect(await call(url)).toMatchObject({ status: 200, body: 'not gzip' })
})

test('nobody listens, and a name that is none', async () => {
  await expect(call('http://127.0.0.1:9/hook')).rejects.toThrow()
  await expect(call('http://receiver.invalid/hook')).rejects.toThrow()
})

test('a receiver that speaks no TLS is a failure', async () => {
  const url = await receiver((_req, res) => void res.end())
  await expect(call(url.replace('http:', 'https:'))).rejects.toThrow()
})

const production = guardedOutgoing({ loopback: false })
test.each([
  'http://shop.example/hook',
  'https://127.0.0.1/hook',
  'https://localhost/hook',
  'https://10.1.2.3/hook',
  'https://192.168.1.1/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://0.0.0.0/hook',
  'https://[::1]/hook',
  'https://[fd00::1]/hook',
  'https://[::ffff:127.0.0.1]/hook',
  'https://[64:ff9b::7f00:1]/hook',
  'https://2130706433/hook',
  'https://0x7f.1/hook',
  'https://017700000001/hook',
  'https://intranet/hook',
  'ftp://shop.example/hook',
  'file:///etc/passwd',
])('production calls nobody at %s', async (url) => {
  const refused = { code: 'OUTGOING_REFUSED' }
  await expect(production.send({ ...sent, url })).rejects.toMatchObject(refused)
  await expect(production.fetch(url)).rejects.toMatchObject(refused)
})

test('a call whose time is over before it begins fails, and Node has nothing to warn of', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error) => void warnings.push(warning)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const url = await receiver(() => {})
  await expect(call(url, 1e-9)).rejects.toThrow('no answer within')
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})

test('a receiver that answers with any code from 100 to 599: the code counts, and below 200 none was given', async () => {
  let code = 99
  const url = await raw((socket) =>
    socket.end(`HTTP/1.1 ${code} Any\r\ncontent-length: 4\r\nlocation: /\r\nconnection: close\r\n\r\ncode`),
  )
  while (code < 599) {
    code++
    const outcome = await call(url).then(
      ({ status }) => status,
      () => 'failed',
    )
    expect([code, outcome]).toEqual([code, code < 200 ? 'failed' : code])
  }
})

test('connections close when their owner ends: idle ones at once, a busy one after its answer, and a later call opens another', async () => {
  const outgoing = guardedOutgoing({ loopback: true })
  const send = (url: string) => outgoing.send({ ...sent, url })
  const busy = Promise.withResolvers<ServerResponse>()
  // It would keep an idle connection for ten minutes.
  const server = createServer({ keepAliveTimeout: 600_000 }, (req, res) => {
    if (req.url === '/busy') busy.resolve(res)
    else res.end('at once')
  })
  const { origin, open } = await openServer(server)
  const answered = send(`${origin}/busy`)
  const late = await busy.promise
  await send(`${origin}/idle`)
  expect(open.size).toBe(2)
  outgoing.close()
  await expect.poll(() => open.size).toBe(1)
  late.end('at last')
  expect((await answered).body).toBe('at last')
  await expect.poll(() => open.size).toBe(0)
  expect((await send(`${origin}/idle`)).body).toBe('at once')
  expect(open.size).toBe(1)
  outgoing.close()
  await expect.poll(() => open.size).toBe(0)
})

test('a call that follows another takes its connection, also where many end in the same turn', async () => {
  const outgoing = guardedOutgoing({ loopback: true })
  onTestFinished(() => outgoing.close())
  const callers = 64
  let connections = 0
  let waiting: ServerResponse[] = []
  // It answers all at once, so that many answers are read in one turn.
  const server = createServer((_req, res) => {
    waiting.push(res)
    if (waiting.length < callers) return
    for (const one of waiting) one.end()
    waiting = []
  })
  server.on('connection', () => void connections++)
  const url = await listening(server)
  const caller = async () => {
    for (let call = 0; call < 10; call++) await outgoing.send({ ...sent, url })
  }
  await Promise.all(Array.from({ length: callers }, caller))
  expect(connections).toBe(callers)
})

test('a call that has begun ends as usual, whenever its owner ends, and leaves no connection', async () => {
  const server = createServer({ keepAliveTimeout: 600_000 }, (_req, res) => void res.end('answered'))
  const { origin: url, open } = await openServer(server)
  const calls = {
    send: async (outgoing: Outgoing) => (await outgoing.send({ ...sent, url })).body,
    fetch: async (outgoing: Outgoing) => (await outgoing.fetch(url)).text(),
  }
  // Everything that a call awaits before it is on its way takes fewer steps.
  for (const call of Object.values(calls)) {
    for (let steps = 0; steps < 40; steps++) {
      // The first one of a network loads what the others find.
      const outgoing = guardedOutgoing({ loopback: true })
      if (steps % 2 === 0) await call(outgoing)
      const answered = call(outgoing)
      for (let step = 0; step < steps; step++) await Promise.resolve()
      outgoing.close()
      expect(await answered).toBe('answered')
    }
  }
  await expect.poll(() => open.size).toBe(0)
})
