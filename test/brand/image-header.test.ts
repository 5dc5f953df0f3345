import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readImageHeader } from '../../src/brand/image-header.ts'

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const le16 = (value: number) => Buffer.from([value & 255, value >> 8])
const le32 = (value: number) => Buffer.concat([le16(value & 0xffff), le16(value >>> 16)])

const segment = (marker: number, data: Buffer, fill = 0) =>
  Buffer.concat([Buffer.alloc(fill + 1, 0xff), Buffer.from([marker]), u16(data.length + 2), data])
const frame = (width: number, height: number, { fill = 0, marker = 0xc0 } = {}) =>
  segment(
    marker,
    Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])]),
    fill,
  )
const scan = segment(0xda, Buffer.alloc(6))
const jpegOf = (...segments: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments])

const screen = (width: number, height: number) =>
  Buffer.concat([
    Buffer.from('GIF89a'),
    le16(width),
    le16(height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ])
const gifFrame = (width: number, height: number, left = 0, top = 0) =>
  Buffer.concat([
    Buffer.from([0x2c]),
    le16(left),
    le16(top),
    le16(width),
    le16(height),
    Buffer.from([0, 2, 1, 0, 0]),
  ])
const gifEnd = Buffer.from([0x3b])

const chunk = (name: string, data: Buffer) =>
  Buffer.concat([Buffer.from(name), le32(data.length), data, Buffer.alloc(data.length % 2)])
const webpOf = (...chunks: Buffer[]) => {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return Buffer.concat([Buffer.from('RIFF'), le32(body.length), body])
}
const lossy = (width: number, height: number) =>
  chunk('VP8 ', Buffer.concat([Buffer.from([0x10, 0, 0, 0x9d, 1, 0x2a]), le16(width), le16(height)]))
const lossless = (width: number, height: number) =>
  chunk('VP8L', Buffer.concat([Buffer.from([0x2f]), le32(((width - 1) | ((height - 1) << 14)) >>> 0)]))
const canvas = (width: number, height: number) =>
  chunk(
    'VP8X',
    Buffer.concat([Buffer.alloc(4), le32(width - 1).subarray(0, 3), le32(height - 1).subarray(0, 3)]),
  )
const animated = (inner: Buffer) => chunk('ANMF', Buffer.concat([Buffer.alloc(16), inner]))

const size = { type: expect.any(String), width: 300, height: 200 }
const small = frame(64, 64)

test.each<[string, Buffer]>([
  ['a JPEG', jpegOf(segment(0xe0, Buffer.alloc(14)), frame(300, 200), scan)],
  ['a progressive JPEG', jpegOf(segment(0xdb, Buffer.alloc(65)), frame(300, 200, { marker: 0xc2 }), scan)],
  ['a GIF', Buffer.concat([screen(300, 200), gifFrame(300, 200), gifFrame(100, 50, 200, 150), gifEnd])],
  ['a lossy WebP', webpOf(lossy(300, 200))],
  ['a lossless WebP', webpOf(lossless(300, 200))],
  ['a WebP with a canvas', webpOf(canvas(300, 200), chunk('ICCP', Buffer.alloc(3)), lossless(300, 200))],
  ['an animated WebP', webpOf(canvas(300, 200), animated(lossy(300, 200)), animated(lossless(10, 10)))],
])('%s is measured', (_name, bytes) => {
  expect(readImageHeader(bytes)).toEqual(size)
})

test.each<[string, Buffer]>([
  ['a JPEG with a second frame', jpegOf(small, frame(12_000, 12_000), scan)],
  ['a JPEG that starts again', jpegOf(small, Buffer.from([0xff, 0xd8]), frame(12_000, 12_000), scan)],
  ['a JPEG with other bytes between its segments', jpegOf(small, Buffer.from([0]), scan)],
  ['a JPEG without a scan', jpegOf(small)],
  ['a JPEG of zeros', Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(131_000)])],
  ['a GIF whose frame is larger', Buffer.concat([screen(64, 64), gifFrame(12_000, 12_000), gifEnd])],
  [
    'a GIF whose second frame is larger',
    Buffer.concat([screen(64, 64), gifFrame(9, 9), gifFrame(60, 60, 9), gifEnd]),
  ],
  ['a GIF without a frame', Buffer.concat([screen(64, 64), gifEnd])],
  ['a WebP whose picture is larger', webpOf(canvas(64, 64), lossy(12_000, 12_000))],
  ['an animated WebP whose frame is larger', webpOf(canvas(64, 64), animated(lossless(12_000, 1_000)))],
  ['a WebP with two canvases', webpOf(canvas(64, 64), canvas(12_000, 12_000), lossy(64, 64))],
  ['a WebP without a picture', webpOf(canvas(64, 64))],
  [
    'a PNG whose header is not first',
    Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d', 'hex'), Buffer.from('tEXt'), Buffer.alloc(40)]),
  ],
])('%s is no image', (_name, bytes) => {
  expect(readImageHeader(bytes)).toBeUndefined()
})

test('bytes before the frame of a JPEG do not change what is measured', () => {
  const filled = fc.record({
    marker: fc.constantFrom(0xe0, 0xe1, 0xfe, 0xdb, 0xc4),
    data: fc.uint8Array({ maxLength: 60 }),
    fill: fc.nat(4),
  })
  fc.assert(
    fc.property(
      fc.array(filled, { maxLength: 5 }),
      fc.integer({ min: 1, max: 65_535 }),
      fc.nat(4),
      (before, side, fill) => {
        const segments = before.map((one) => segment(one.marker, Buffer.from(one.data), one.fill))
        const bytes = jpegOf(...segments, frame(side, 200, { fill }), scan)
        expect(readImageHeader(bytes)).toEqual({ type: 'image/jpeg', width: side, height: 200 })
      },
    ),
  )
})

test('an image that is cut or changed anywhere is measured or refused, and never throws', () => {
  const whole = [
    jpegOf(segment(0xe0, Buffer.alloc(14)), small, scan),
    Buffer.concat([screen(64, 64), gifFrame(64, 64), gifEnd]),
    webpOf(canvas(64, 64), animated(lossy(64, 64)), lossless(9, 9)),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...whole), fc.nat(200), fc.nat(200), fc.nat(255), (image, cut, at, value) => {
      const bytes = Buffer.from(image.subarray(0, Math.max(3, image.length - cut)))
      bytes[at % bytes.length] = value
      const found = readImageHeader(bytes)
      expect(found === undefined || Number.isInteger(found.width * found.height)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
