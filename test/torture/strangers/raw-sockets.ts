import { connect } from 'node:net'
import { checkout } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { times } from '../../together.ts'
import { Random } from '../random.ts'
import { hostileInput, knownPaths } from './hostile-inputs.ts'
import { openTarget } from './target.ts'

const lines = [
  ...['GET / HTTP/1.1', 'GET /health/live HTTP/0.9', 'POST / HTTP/1.1', 'GET  /  HTTP/1.1', 'PRI * HTTP/2.0'],
  ...['GET /%00 HTTP/1.1', 'CONNECT provider.example:443 HTTP/1.1', 'OPTIONS * HTTP/1.1'],
  ...[`GET /${'a'.repeat(20_000)} HTTP/1.1`, '\u0016\u0003\u0001', ''],
]
const headers = [
  'Content-Length: 10\r\nContent-Length: 20',
  'Content-Length: 10\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: xchunked',
  'Content-Length: -5',
  'Content-Length: 99999999999999999999',
  'Expect: 100-continue',
  'Expect: something',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Host: a\r\nHost: b',
  `X: ${'y'.repeat(30_000)}`,
  'X: a\u0000b',
  'X:\r\n folded',
  'Connection: close',
  'Content-Encoding: gzip',
]
const bodies = [
  ...['', '0\r\n\r\n', 'zz\r\n', '5\r\nhello\r\n0\r\n\r\n', '\u0000\u0001', 'fffffffff\r\n'],
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
]

function raw(random: Random, known: { endpoint: string; page: string; push: string }): Buffer {
  if (random.chance(0.1))
    return Buffer.from(Array.from({ length: random.between(1, 300) }, () => random.between(0, 255)))
  const { method, path, headers: given = {}, body = '' } = hostileInput(random, known)
  const line = random.chance(0.3) ? random.pick(lines) : `${method} ${path} HTTP/1.1`
  const more = random.chance(0.5) ? [random.pick(headers)] : []
  const own = Object.entries(given).map(([name, value]) => `${name}: ${value}`)
  const length = random.chance(0.7) ? [`Content-Length: ${Buffer.byteLength(body)}`] : []
  const lineEnd = random.chance(0.03) ? '\n' : '\r\n'
  const head = [line, 'Host: provider.example', ...own, ...length, ...more].join(lineEnd)
  const sent = random.chance(0.3) ? Buffer.from(random.pick(bodies)) : Buffer.from(body)
  const whole = Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), sent])
  return random.chance(0.1) ? whole.subarray(0, random.between(0, whole.length)) : whole
}

const atOnce = 64

/** Sends bytes that are hardly HTTP to a listening provider. */
export async function attackWithSockets(sockets: number, seed: number) {
  await using target = await openTarget()
  const known = await knownPaths(target, 'attacked')
  const { port } = await target.provider.listen({ port: 0, host: '127.0.0.1' })
  const random = new Random(seed)
  const violations: string[] = []
  const statuses: Record<string, number> = {}
  let number = 0
  await times(sockets, atOnce, async () => {
    const about = `socket ${++number} of seed ${seed}`
    const answered = await exchange(port, raw(random, known))
    for (const [, status] of answered.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
      statuses[status!] = (statuses[status!] ?? 0) + 1
      if (status!.startsWith('5')) violations.push(`${about}: ${answered.slice(0, 300)}`)
    }
    for (const list of [target.log, target.seen]) if (list.length > 2000) list.length = 0
  })
  const { status } = await postJson(`http://127.0.0.1:${port}${known.endpoint}/shipment_methods`, checkout)
  if (status !== 201) violations.push(`after ${sockets} sockets a checkout is answered ${status}`)
  return { sockets, statuses, violations }
}

/** The answer within a moment. Does not wait for incomplete requests. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answered = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    const over = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answered)
    }
    const timer = setTimeout(over, 250)
    socket.on('data', (chunk) => (answered += chunk.toString('latin1')))
    socket.on('close', over).on('error', over)
  })
}
