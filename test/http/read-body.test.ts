import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readBytes, readForm, StoppableRequest } from '../../src/http/read-body.ts'

/** A request whose body comes in these pieces. */
function request(pieces: readonly string[], headers: Record<string, string> = {}): IncomingMessage {
  const req = new IncomingMessage(new Socket())
  req.headers = headers
  for (const piece of pieces) req.push(piece)
  req.push(null)
  return req
}

const letters = (length: number) => Array.from({ length }, (_, at) => String.fromCharCode(97 + (at % 26)))

const counts = [0, 1, 2, 3, 1_000]
test.each(counts)('a body of %i pieces is read whole', async (count) => {
  const pieces = letters(count)
  expect(String(await readBytes(request(pieces)))).toBe(pieces.join(''))
})

/** A request of our own server, whose body comes in these pieces after it was asked for. */
function arriving(pieces: readonly string[], most?: number) {
  const req = new StoppableRequest(new Socket())
  const read = readBytes(req, most)
  for (const piece of pieces) req.push(Buffer.from(piece))
  req.push(null)
  return read
}

test.each(counts)('a body of %i pieces still to come is read whole', async (count) => {
  const pieces = letters(count)
  expect(String(await arriving(pieces))).toBe(pieces.join(''))
})

test('a body that has begun to come is read whole', async () => {
  const req = new StoppableRequest(new Socket())
  req.push(Buffer.from('a'))
  const read = readBytes(req)
  req.push(Buffer.from('b'))
  req.push(null)
  expect(String(await read)).toBe('ab')
})

test('a body that is cut off is refused', async () => {
  const req = new StoppableRequest(new Socket())
  const read = readBytes(req)
  req.push(Buffer.from('{'))
  req.destroy(new Error('aborted'))
  await expect(read).rejects.toMatchObject({ code: 'BODY_UNREADABLE' })
})

test('a body may be as long as the limit, and no byte longer', async () => {
  const ways = [(length: number) => readBytes(request(letters(length)), 64)]
  ways.push((length) => arriving(letters(length), 64))
  for (const read of ways) {
    expect(await read(64)).toHaveLength(64)
    await expect(read(65)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' })
  }
})

const type = { 'content-type': 'application/x-www-form-urlencoded' }

test('a form is read without names that reach into prototypes', async () => {
  const form = await readForm(request(['__proto__=a&constructor=b&', 'name=J%C3%A9&x=1&x=2&='], type))
  expect({ ...form }).toEqual({ name: 'J\u00e9', x: ['1', '2'], '': '' })
})

test.each([
  ['BODY_TOO_LARGE', { ...type }, 'x'.repeat(64 * 1024 + 1)],
  ['BODY_TOO_LARGE', { ...type }, 'x=1&'.repeat(1_001)],
  ['MEDIA_TYPE_UNSUPPORTED', {}, 'x=1'],
  ['MEDIA_TYPE_UNSUPPORTED', { 'content-type': 'multipart/form-data' }, 'x=1'],
  ['MEDIA_TYPE_UNSUPPORTED', { ...type, 'content-encoding': 'gzip' }, 'x=1'],
])('%s: a form that is not read', async (code, headers, body) => {
  await expect(readForm(request([body], headers))).rejects.toMatchObject({ code })
})

test('a form that another parser has read is cleaned too', async () => {
  const body = JSON.parse('{"__proto__":"a","name":"J"}')
  expect(Object.entries(await readForm({ body } as never))).toEqual([['name', 'J']])
})
