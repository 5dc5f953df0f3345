import { SocketAddress } from 'node:net'

// Messages of name servers (RFC 1035), as far as they are about the addresses of a name.

export interface NameRecord {
  address: string
  /** In seconds. */
  ttl: number
}

export interface NameAnswer {
  /** The code of the server: 0 answered, 2 failed, 3 the name does not exist, ... */
  code: number
  /** The whole answer has no room in this message. */
  truncated: boolean
  records: readonly NameRecord[]
}

/** The most addresses that are read of an answer. Only these are checked and connected to. */
export const mostAddresses = 16
const type = { 4: 1, 6: 28 } as const
const bytes = { 4: 4, 6: 16 } as const
const headerLength = 12

/** The query for one family of a name, or `undefined` for a name that none can have. `id` is from 0 to 65,535. */
export function addressQuery(id: number, name: string, family: 4 | 6): Buffer | undefined {
  const labels = name.split('.').map((label) => Buffer.from(label))
  if (Buffer.byteLength(name) > 253 || labels.some(({ length }) => length === 0 || length > 63))
    return undefined
  return Buffer.concat([
    // Recursion is desired, and there is one question.
    Buffer.of(id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0),
    ...labels.flatMap((label) => [Buffer.of(label.length), label]),
    Buffer.of(0, 0, type[family], 0, 1),
  ])
}

/**
 * Reads the answer to a query, up to 16 addresses: a longer answer costs no more. The message may be cut. Returns `undefined` for one that
 * does not answer this query.
 */
export function readAddresses(query: Buffer, answer: Buffer, family: 4 | 6): NameAnswer | undefined {
  if (answer.length < query.length || answer.readUInt16BE(0) !== query.readUInt16BE(0)) return undefined
  const [flags, rest] = [answer[2]!, answer[3]!]
  const question = (message: Buffer) => message.toString('latin1', headerLength, query.length).toLowerCase()
  if ((flags & 0xf8) !== 0x80 || question(answer) !== question(query)) return undefined
  const records: NameRecord[] = []
  let at = query.length
  let isCut = false
  for (let left = answer.readUInt16BE(6); left > 0 && records.length < mostAddresses; left--) {
    at = endOfName(answer, at)
    const end = at + 10 > answer.length ? Infinity : at + 10 + answer.readUInt16BE(at + 8)
    isCut = end > answer.length
    if (isCut) break
    const data = answer.subarray(at + 10, end)
    if (answer.readUInt16BE(at) === type[family] && data.length === bytes[family])
      records.push({ address: addressOf(data), ttl: answer.readUInt32BE(at + 4) })
    at = end
  }
  return { code: rest & 15, truncated: isCut || (flags & 2) !== 0, records }
}

/** A name ends with an empty label, or with a pointer to another one. */
function endOfName(message: Buffer, from: number): number {
  let at = from
  while (at < message.length) {
    const length = message[at]!
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    at += 1 + length
  }
  return at
}

function addressOf(data: Buffer): string {
  if (data.length === 4) return data.join('.')
  const groups = data.toString('hex').match(/..../g)!.join(':')
  return new SocketAddress({ address: groups, family: 'ipv6' }).address
}
