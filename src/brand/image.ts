import { type ImageHeader, readImageHeader } from './image-header.ts'

/** An image that pages show, as it is served. */
export interface BrandImage extends ImageHeader {
  bytes: Buffer
}

/** The address of an image (`https:` or `file:`), or the path of its file. */
export const imageSource = (image: string | URL): string => String(image)

/** In bytes. */
export const mostImageBytes = 128 * 1024
const [leastSide, mostSide] = [16, 1_024]

/**
 * Checks an image by its bytes, whatever its name or its sender says of it. Returns why it is none that pages show: a drawing such as SVG
 * can hold scripts, and pictures of many pixels cost the customer's phone.
 */
export function checkImage(bytes: Buffer): BrandImage | string {
  if (bytes.length > mostImageBytes) return `is larger than ${mostImageBytes / 1024} KiB`
  const header = readImageHeader(bytes)
  if (!header) return 'is not a PNG, JPEG, WebP or GIF image'
  const { width, height } = header
  if (Math.min(width, height) < leastSide || Math.max(width, height) > mostSide)
    return `has ${width} x ${height} pixels: each side must have ${leastSide} to ${mostSide}`
  return { ...header, bytes }
}
