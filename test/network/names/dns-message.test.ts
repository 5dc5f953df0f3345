import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressQuery, readAddresses } from '../../../src/network/names/dns-message.ts'
import { forAll } from '../../for-all.ts'

const query = addressQuery(0x1234, 'shop.example', 4)!

/** An answer to the query with these records behind it. */
function answerWith(records: readonly Buffer[], change: (answer: Buffer) => void = () => {}): Buffer {
  const answer = Buffer.concat([query, ...records])
  answer.writeUInt16BE(0x8180, 2)
  answer.writeUInt16BE(records.length, 6)
  change(answer)
  return answer
}

const pointer = Buffer.of(0xc0, 12)
const record = (type: number, data: readonly number[], name = pointer) =>
  Buffer.concat([name, Buffer.of(0, type, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255, ...data)])

test('a query has the bytes of RFC 1035, and a name that none can have has none', () => {
  expect(query.toString('hex')).toBe('123401000001000000000000' + '0473686f70076578616d706c6500' + '00010001')
  expect(addressQuery(1, 'a', 6)?.subarray(-4)).toEqual(Buffer.of(0, 28, 0, 1))
  for (const name of ['', 'a..b', '.a', `${'x'.repeat(64)}.example`, 'long.'.repeat(51)])
    expect(addressQuery(1, name, 4), name).toBeUndefined()
})

test('addresses are read behind aliases, with their TTL, and records of other kinds are left out', () => {
  const alias = record(5, [3, 99, 100, 110, 0], Buffer.from([4, 115, 104, 111, 112, 0]))
  const answer = answerWith([alias, record(1, [192, 0, 2, 1]), record(28, Array(16).fill(0)), record(1, [1])])
  expect(readAddresses(query, answer, 4)).toEqual({
    ...{ code: 0, truncated: false },
    records: [{ address: '192.0.2.1', ttl: 60 }],
  })
  const six = addressQuery(7, 'shop.example', 6)!
  const answered = Buffer.concat([six, record(28, [0x26, 6, ...Array(13).fill(0), 7])])
  answered.writeUInt16BE(0x8180, 2)
  answered.writeUInt16BE(1, 6)
  expect(readAddresses(six, answered, 6)?.records).toEqual([{ address: '2606::7', ttl: 60 }])
})

test('of thousands of addresses 16 are read, and of a cut answer those that are whole', () => {
  const many = answerWith(Array.from({ length: 4_000 }, (_, n) => record(1, [10, 0, n >> 8, n & 255])))
  expect(readAddresses(query, many, 4)?.records).toHaveLength(16)
  expect(readAddresses(query, many.subarray(0, query.length + 16 * 3 + 5), 4)?.records).toHaveLength(3)
  for (const missing of [1, 4, 12, 16]) {
    const one = answerWith([record(1, [192, 0, 2, 1])]).subarray(0, -missing)
    expect(readAddresses(query, one, 4)).toEqual({ code: 0, truncated: true, records: [] })
  }
})

test('a message that does not answer the query is not read', () => {
  for (const change of [
    (answer: Buffer) => answer.writeUInt16BE(0x1235, 0),
    (answer: Buffer) => answer.writeUInt8(0x01, 2),
    (answer: Buffer) => answer.writeUInt8(0xa1, 2),
    (answer: Buffer) => answer.write('xhop', 13),
    (answer: Buffer) => answer.writeUInt8(28, query.length - 3),
  ])
    expect(readAddresses(query, answerWith([record(1, [192, 0, 2, 1])], change), 4)).toBeUndefined()
  const upper = answerWith([record(1, [192, 0, 2, 1])], (answer) => void answer.write('SHOP', 13))
  expect(readAddresses(query, upper, 4)?.records).toHaveLength(1)
})

test('any bytes are read without an error, up to 16 addresses', () => {
  forAll(fc.uint8Array({ maxLength: 400 }), fc.nat(70_000), (bytes, count) => {
    const answer = answerWith([Buffer.from(bytes)], (one) => void one.writeUInt16BE(count & 0xffff, 6))
    const read = readAddresses(query, answer, 4)
    expect(read!.records.length).toBeLessThanOrEqual(16)
    expect(readAddresses(query, Buffer.from(bytes), 4)).toBeUndefined()
  })
})
