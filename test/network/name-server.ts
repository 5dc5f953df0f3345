// A name server on loopback, over UDP and TCP of one port, that answers each name as its rule says.
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** How one name is answered. `silent` never answers; `families` answers these only. */
export type NameRule =
  | 'silent'
  | 'not_found'
  | 'failure'
  | 'refused'
  | 'garbage'
  | 'other_id'
  | 'cname_loop'
  /** Truncated over UDP, and silent over TCP. */
  | 'truncated'
  /** Truncated over UDP and over TCP. */
  | 'always_truncated'
  /** It announces a record that is not there. */
  | 'cut'
  | {
      addresses: readonly string[]
      ttl?: number
      families?: readonly (4 | 6)[]
      /** The name that the records stand under. Default: the one that was asked for. */
      under?: string
    }

export interface NameServer {
  /** For `setServers`. */
  address: string
  /** How often each name was asked for, of both families. */
  asked: Map<string, number>
  close(): Promise<void>
}

const types = { 1: 4, 28: 6 } as const
const maxUdp = 1_232
const codes = { failure: 2, not_found: 3, refused: 5 } as const

/** Starts a name server. `ruleOf` is asked for each question. */
export async function openNameServer(ruleOf: (name: string) => NameRule): Promise<NameServer> {
  const asked = new Map<string, number>()
  const written: Written = new Map()
  const answer = (question: Buffer, overUdp: boolean): Buffer | undefined => {
    const { name, end, type } = readQuestion(question)
    asked.set(name, (asked.get(name) ?? 0) + 1)
    return answerTo(question.subarray(0, end), { name, type, rule: ruleOf(name), overUdp, written })
  }
  const tcp = createServer((socket) => serveTcp(socket, (question) => answer(question, false)))
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4')
  udp.on('message', (question, { port, address }) => {
    const said = answer(question, true)
    if (said) udp.send(said, port, address)
  })
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve))
  const sockets = new Set<Socket>()
  tcp.on('connection', (socket) => sockets.add(socket))
  return {
    address: `127.0.0.1:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([
        new Promise<void>((resolve) => udp.close(resolve)),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ])
    },
  }
}

function serveTcp(socket: Socket, answer: (question: Buffer) => Buffer | undefined): void {
  let read = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    read = Buffer.concat([read, chunk])
    while (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0)) {
      const length = read.readUInt16BE(0)
      const said = answer(read.subarray(2, 2 + length))
      read = read.subarray(2 + length)
      if (said) socket.write(Buffer.concat([uint16(said.length), said]))
    }
  })
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (message[at]) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!))
    at += message[at]! + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** Records that were written before, by their addresses, family and TTL: thousands of them take 10 ms. */
type Written = Map<readonly string[], Map<string, { body: Buffer; count: number }>>

interface Asked {
  name: string
  type: number
  rule: NameRule
  overUdp: boolean
  written: Written
}

function answerTo(question: Buffer, { name, type, rule, overUdp, written }: Asked): Buffer | undefined {
  if (rule === 'silent' || (rule === 'truncated' && !overUdp)) return undefined
  const header = Buffer.from(question.subarray(0, 12))
  const asked = question.subarray(12)
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(0, 8)
  header.writeUInt16BE(0, 10)
  if (rule === 'garbage') return Buffer.concat([header.subarray(0, 2), Buffer.from('no answer at all')])
  if (rule === 'other_id') header.writeUInt16BE(header.readUInt16BE(0) ^ 1, 0)
  if (rule === 'truncated' || rule === 'always_truncated') header[2]! |= 2
  if (typeof rule === 'string' && rule in codes) header[3]! |= codes[rule as keyof typeof codes]
  let body: Buffer = Buffer.alloc(0)
  let count = 0
  if (rule === 'cname_loop') {
    body = Buffer.concat([cname(name, 'loop.example'), cname('loop.example', name)])
    count = 2
  }
  if (rule === 'cut') count = 1
  if (typeof rule === 'object') {
    const family = types[type as 1 | 28]
    if (rule.families && !rule.families.includes(family)) return undefined
    ;({ body, count } = recordsOf(rule, family, type, written))
  }
  if (overUdp && body.length > maxUdp) {
    header[2]! |= 2
    body = Buffer.alloc(0)
    count = 0
  }
  header.writeUInt16BE(count, 6)
  return Buffer.concat([header, asked, body])
}

function recordsOf(
  { addresses, ttl = 60, under }: Extract<NameRule, object>,
  family: 4 | 6 | undefined,
  type: number,
  written: Written,
): { body: Buffer; count: number } {
  const key = [family, ttl, under].join(' ')
  const known = written.get(addresses)?.get(key)
  if (known) return known
  const owner = under === undefined ? Buffer.from([0xc0, 12]) : encoded(under)
  const records = addresses
    .filter((address) => (address.includes(':') ? 6 : 4) === family)
    .map((address) => record(owner, type, ttl, bytesOf(address)))
  const made = { body: Buffer.concat(records), count: records.length }
  written.set(addresses, (written.get(addresses) ?? new Map()).set(key, made))
  return made
}

const cname = (name: string, to: string) => record(encoded(name), 5, 60, encoded(to))

const encoded = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ])

function record(name: Buffer, type: number, ttl: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(ttl, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([name, fixed, data])
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

/** `::` stands for the zeroes in the middle. */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((hex) => Number.parseInt(hex, 16)))
  const [before, behind] = [groups(head), groups(tail)]
  const between = Array<number>(8 - before.length - behind.length).fill(0)
  return Buffer.concat([...before, ...between, ...behind].map(uint16))
}
