import { loadImageSize } from '../packages.ts'

/** An image that pages show, as it is served: its size is in pixels. */
export interface BrandImage {
  type: `image/${string}`
  width: number
  height: number
  bytes: Buffer
}

/** In bytes. */
export const mostImageBytes = 128 * 1024
const [leastSide, mostSide] = [16, 1_024]

const imageTypes: Record<string, BrandImage['type']> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}

/**
 * Checks an image by its bytes, whatever its name or its sender says of it. Returns why it is none that pages show: a drawing such as SVG
 * can hold scripts, and pictures of many pixels cost the customer's phone.
 */
export function checkImage(bytes: Buffer): BrandImage | string {
  if (bytes.length > mostImageBytes) return `is larger than ${mostImageBytes / 1024} KiB`
  const read = sizeOf(bytes)
  const type = imageTypes[read?.type ?? '']
  if (!read || !type) return 'is not a PNG, JPEG, WebP or GIF image'
  const { width, height } = read
  if (Math.min(width, height) < leastSide || Math.max(width, height) > mostSide)
    return `has ${width} x ${height} pixels: each side must have ${leastSide} to ${mostSide}`
  return { type, width, height, bytes }
}

function sizeOf(bytes: Buffer): { width: number; height: number; type?: string } | undefined {
  try {
    return loadImageSize()(bytes)
  } catch {
    return undefined
  }
}
