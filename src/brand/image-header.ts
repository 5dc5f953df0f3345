/** The format of an image and its size in pixels, as its bytes say. */
export interface ImageHeader {
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  width: number
  height: number
}

/**
 * Reads the header of an image, strictly: the first bytes decide on the format, and bytes that browsers could read as another size are no
 * image. Each byte is looked at once at most. Returns `undefined` for anything else than a PNG, JPEG, WebP or GIF.
 */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  try {
    if (starts(bytes, '\x89PNG\r\n\x1a\n')) return png(bytes)
    if (starts(bytes, '\xff\xd8\xff')) return jpeg(bytes)
    if (starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a')) return gif(bytes)
    if (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return webp(bytes)
    return undefined
  } catch (error) {
    // Cut off within its header.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const starts = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

function png(bytes: Buffer): ImageHeader | undefined {
  if (bytes.readUInt32BE(8) !== 13 || !starts(bytes, 'IHDR', 12)) return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Start of frame: all of C0 to CF but for three tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const startOfScan = 0xda

/** Segment by segment up to the first scan. Any number of bytes FF may stand before a marker. */
function jpeg(bytes: Buffer): ImageHeader | undefined {
  let found: ImageHeader | undefined
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at++) !== 0xff) return undefined
    while (bytes.readUInt8(at) === 0xff) at++
    const marker = bytes.readUInt8(at++)
    if (marker === startOfScan) return found
    // Before the first scan every segment has a length: what has none is the start or the end of an image, or part of a scan.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return undefined
    const length = bytes.readUInt16BE(at)
    if (length < 2) return undefined
    if (isFrame(marker)) {
      if (found || length < 8) return undefined
      found = { type: 'image/jpeg', width: bytes.readUInt16BE(at + 5), height: bytes.readUInt16BE(at + 3) }
    }
    at += length
  }
}

const [extension, picture, trailer] = [0x21, 0x2c, 0x3b]

/** Of the screen. A frame that reaches over its edges would make it larger. */
function gif(bytes: Buffer): ImageHeader | undefined {
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  let frames = 0
  for (let at = 13 + tableSize(bytes.readUInt8(10)); ; ) {
    const block = bytes.readUInt8(at)
    if (block === trailer) return frames === 0 ? undefined : { type: 'image/gif', width, height }
    if (block === extension) at = afterParts(bytes, at + 2)
    else if (block === picture) {
      const right = bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5)
      const bottom = bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7)
      if (right > width || bottom > height) return undefined
      frames++
      at = afterParts(bytes, at + 11 + tableSize(bytes.readUInt8(at + 9)))
    } else return undefined
  }
}

/** The table of colours that these flags announce, in bytes. */
const tableSize = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Parts of up to 255 bytes, each behind its length, up to an empty one. */
function afterParts(bytes: Buffer, from: number): number {
  let at = from
  for (let length = bytes.readUInt8(at++); length > 0; length = bytes.readUInt8(at++)) at += length
  return at
}

/** Of the canvas, or of the only picture. No picture is larger than the canvas. */
function webp(bytes: Buffer): ImageHeader | undefined {
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return undefined
  let size: Size | undefined
  let pictures = 0
  for (const { name, at } of webpChunks(bytes, 12, end)) {
    if (name === 'VP8X') {
      if (size) return undefined
      size = { width: bytes.readUIntLE(at + 4, 3) + 1, height: bytes.readUIntLE(at + 7, 3) + 1 }
      continue
    }
    const own = webpPicture(bytes, name, at)
    if (own === undefined) continue
    pictures++
    size ??= own
    if (own.width > size.width || own.height > size.height) return undefined
  }
  return size && pictures > 0 ? { type: 'image/webp', ...size } : undefined
}

type Size = Pick<ImageHeader, 'width' | 'height'>

/** The chunks of a file, those of its animated frames among them. Throws a `RangeError` for one that does not end. */
function* webpChunks(
  bytes: Buffer,
  from: number,
  end: number,
  inFrame = false,
): Generator<{ name: string; at: number }> {
  for (let at = from; at + 8 <= end; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    const next = at + 8 + size + (size % 2)
    if (at + 8 + size > end) throw new RangeError('a chunk does not end')
    yield { name, at: at + 8 }
    // A frame begins with 16 bytes about its place.
    if (name === 'ANMF' && !inFrame) yield* webpChunks(bytes, at + 24, at + 8 + size, true)
    at = next
  }
}

function webpPicture(bytes: Buffer, name: string, at: number): Size | undefined {
  if (name === 'VP8 ') {
    const isKeyFrame = (bytes.readUInt8(at) & 1) === 0 && bytes.readUIntBE(at + 3, 3) === 0x9d012a
    if (!isKeyFrame) throw new RangeError('no key frame')
    return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff }
  }
  if (name !== 'VP8L') return undefined
  if (bytes.readUInt8(at) !== 0x2f) throw new RangeError('no lossless picture')
  const bits = bytes.readUInt32LE(at + 1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
