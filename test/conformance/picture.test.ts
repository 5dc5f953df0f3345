import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPicture } from '../../src/conformance/picture.ts'
import { guardedOutgoing } from '../../src/network/outgoing.ts'
import { serveOrigin } from '../serve-origin.ts'

function png(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const content = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(8)))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...content, chunk('IEND', Buffer.alloc(0))])
}

const answers: Record<string, [status: number, body: Buffer | string]> = {
  '/right.png': [200, png(50, 32)],
  '/large.png': [200, png(500, 320)],
  '/right.svg': [200, '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="32"></svg>'],
  '/page': [200, '<!doctype html><p>Welcome</p>'],
  '/gone.png': [404, ''],
  '/huge.png': [200, Buffer.alloc(2 * 1024 * 1024)],
}

test.each([
  ['/right.png', { width: 50, height: 32 }],
  ['/large.png', { width: 500, height: 320 }],
  ['/right.svg', { width: 50, height: 32 }],
  ['/page', { fault: 'is not a readable image', reached: true }],
  ['/gone.png', { fault: 'answers 404', reached: true }],
  ['/huge.png', { fault: 'is not a readable image', reached: true }],
])('%s', async (path, picture) => {
  const origin = await serveOrigin((req, res) => {
    const [status, body] = answers[req.url!]!
    res.writeHead(status).end(body)
  })
  const how = { caller: 'check', timeout: 5_000 }
  const address = `${origin}${path}`
  expect(await readPicture(address, guardedOutgoing({ loopback: true }), how)).toEqual(picture)
  const nowhere = { fault: 'cannot be read', reached: false }
  expect(await readPicture(address, guardedOutgoing({ loopback: false }), how)).toEqual(nowhere)
})
