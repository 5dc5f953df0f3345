import type { RequestListener } from 'node:http'
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { guardedOutgoing } from '../../src/network/outgoing.ts'
import { serveOrigin } from '../serve-origin.ts'

const mebibyte = 1024 * 1024

const service = async (answer: RequestListener) => `${await serveOrigin(answer)}/`

const zeros = (mebibytes: number) => Buffer.alloc(mebibytes * mebibyte)
const packed = {
  identity: (plain: Buffer) => plain,
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: (plain: Buffer) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: (plain: Buffer) => zstdCompressSync(plain),
}
type Coding = keyof typeof packed
const codings = Object.keys(packed) as Coding[]

function outgoing() {
  const refused: unknown[] = []
  const through = guardedOutgoing({ loopback: true, refused: (...one) => void refused.push(one) })
  const ask = (url: string, by?: Parameters<typeof through.fetch>[2]) => through.fetch(url, {}, by)
  return { refused, ask, textOf: async (url: string) => (await ask(url)).text() }
}

const serving = (coding: string, body: Buffer) =>
  service((_req, res) => void res.writeHead(200, { 'content-encoding': coding }).end(body))

const tooLarge = { name: 'PurveyorError', code: 'ANSWER_TOO_LARGE' }

test.each(codings)('an answer in %s is cut at 8 MiB, decoded, however it is read', async (coding) => {
  const url = await serving(coding, packed[coding](zeros(9)))
  const { ask, refused } = outgoing()
  for (const read of ['text', 'json', 'arrayBuffer', 'blob', 'bytes'] as const)
    await expect((async () => (await ask(url))[read]())(), read).rejects.toMatchObject(tooLarge)
  const asStream = async () => {
    let seen = 0
    for await (const chunk of (await ask(url)).body!) {
      seen += (chunk as Uint8Array).byteLength
      expect(seen).toBeLessThanOrEqual(8 * mebibyte)
    }
  }
  await expect(asStream(), 'stream').rejects.toMatchObject(tooLarge)
  const cloned = async () => {
    const answer = await ask(url)
    const copy = answer.clone()
    await Promise.all([copy.arrayBuffer(), answer.arrayBuffer()])
  }
  await expect(cloned(), 'clone').rejects.toMatchObject(tooLarge)
  expect(refused.length).toBeGreaterThanOrEqual(7)
  expect(refused[0]).toEqual(['ANSWER_TOO_LARGE', { caller: undefined, shop: undefined }])
})

test.each(codings)('an answer in %s of exactly 8 MiB passes, and keeps what it says', async (coding) => {
  const url = await serving(coding, packed[coding](zeros(8)))
  const answer = await outgoing().ask(url)
  expect(answer).toMatchObject({ status: 200, ok: true, url, redirected: false })
  expect(answer.headers.get('content-encoding')).toBe(coding)
  expect((await answer.arrayBuffer()).byteLength).toBe(8 * mebibyte)
})

test('a bomb costs no more memory than its limit', async () => {
  // 2 GiB of zeros in 2 MiB, made and sent as they are asked for.
  const url = await service((_req, res) => {
    res.writeHead(200, { 'content-encoding': 'gzip' })
    const zip = createGzip({ level: 9 })
    zip.pipe(res)
    let left = 2048
    const more = (): void => {
      while (left-- > 0) if (!zip.write(zeros(1))) return void zip.once('drain', more)
      zip.end()
    }
    res.on('close', () => zip.destroy())
    more()
  })
  const { textOf } = outgoing()
  const before = process.memoryUsage.rss()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before)
  }, 5)
  onTestFinished(() => clearInterval(watch))
  for (let times = 0; times < 5; times++) await expect(textOf(url)).rejects.toMatchObject(tooLarge)
  expect(most).toBeLessThan(192 * mebibyte)
})

test('the limit is the one that the caller states', async () => {
  const url = await serving('gzip', gzipSync(zeros(9)))
  const { ask, refused } = outgoing()
  const large = await ask(url, { name: 'points', network: { maxAnswer: 9 * mebibyte } })
  expect((await large.arrayBuffer()).byteLength).toBe(9 * mebibyte)
  const small = await ask(url, { name: 'keys', shop: 'bikes', network: { maxAnswer: 1000 } })
  await expect(small.text()).rejects.toThrow(
    'The answer is larger than 1000 bytes, decoded. Ask for less at a time; an adapter can raise its network.maxAnswer',
  )
  expect(refused).toEqual([['ANSWER_TOO_LARGE', { caller: 'keys', shop: 'bikes' }]])
})

const nested = ['gzip, gzip', 'gzip,br', 'identity, gzip', 'gzip , deflate, gzip']
test.each(nested)('codings one in the other (%s) are refused before a byte is decoded', async (coding) => {
  const url = await serving(coding, gzipSync(gzipSync(zeros(1))))
  const { ask, refused } = outgoing()
  await expect(ask(url)).rejects.toMatchObject({ code: 'ANSWER_ENCODED_TWICE' })
  expect(refused).toEqual([['ANSWER_ENCODED_TWICE', { caller: undefined, shop: undefined }]])
})

test('bytes on the way count too: a body that decodes to nothing ends', async () => {
  // Stored blocks of no length, for ever: five bytes each, and none of them is decoded to anything.
  const nothing = Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])))
  let sent = 0
  const url = await service((_req, res) => {
    res.writeHead(200, { 'content-encoding': 'deflate' })
    res.write(deflateRawSync(Buffer.alloc(0)).subarray(0, 0))
    const more = (): void => {
      while (!res.destroyed) {
        sent += nothing.length
        if (!res.write(nothing)) return void res.once('drain', more)
      }
    }
    more()
  })
  await expect(outgoing().textOf(url)).rejects.toMatchObject(tooLarge)
  expect(sent).toBeLessThan(64 * mebibyte)
})

test.each([204, 205, 304])('an answer without a body (%s) stays one', async (status) => {
  const url = await service((_req, res) => void res.writeHead(status).end())
  const answer = await outgoing().ask(url)
  expect([answer.status, await answer.text()]).toEqual([status, ''])
})

test('headers and trailers have their own limit', async () => {
  const heads = await service((_req, res) => void res.writeHead(200, { x: 'a'.repeat(100_000) }).end())
  await expect(outgoing().ask(heads)).rejects.toThrow()
  const trailers = await service((_req, res) => {
    res.writeHead(200, { trailer: 'x' })
    res.write('x')
    res.addTrailers({ x: 'a'.repeat(100_000) })
    res.end()
  })
  await expect(outgoing().textOf(trailers)).rejects.toThrow()
})

test('answers that nobody reads hold up no later call', async () => {
  const url = await serving('identity', zeros(1))
  const { ask } = outgoing()
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url)))
  for (const answer of answers) await answer.body?.cancel()
  expect((await (await ask(url)).arrayBuffer()).byteLength).toBe(mebibyte)
})
