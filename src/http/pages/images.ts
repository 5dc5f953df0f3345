import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { Images } from '../../any-adapter.ts'
import { fileFault } from '../../file-fault.ts'
import { answeredStatus } from '../../printable.ts'
import type { StoredImage, StorePort } from '../../store-port.ts'
import { upTo, type World } from '../../world.ts'
import { loadImageSize } from '../access-log.ts'
import type { ServedFile } from './assets.ts'

const patience = 10_000
/** In bytes of content. */
const mostKept = 32 * 1024 * 1024
const mostKnown = 10_000
/** How long an image of the store is shown before the store is asked again, in milliseconds: another process may have saved a new one. */
const freshFor = 60_000
/** How long after a failed fetch an image is not fetched again, in milliseconds. */
const fetchAgain = 600_000

type Shown = Pick<StoredImage, 'name' | 'width' | 'height'>

/**
 * The images of brands, served by us: a customer's browser asks nobody else for them. A file is read when the provider starts. An address is
 * fetched once, through the guard of all outgoing calls, checked by its bytes, and kept in the store for every node.
 */
export class PageImages implements Images {
  readonly #store: StorePort
  readonly #world: World
  /** Also the sources that have no image yet. */
  readonly #known = new LRUCache<string, { image: Shown | undefined; at: number }>(upTo(mostKnown))
  readonly #contents = new LRUCache<string, ServedFile>({
    maxSize: mostKept,
    sizeCalculation: ({ content }) => content.length + 500,
  })
  readonly #files = new Map<string, Shown>()
  readonly #fileContents = new Map<string, ServedFile>()
  readonly #notBefore = new LRUCache<string, number>(upTo(1_000))

  constructor(world: World, store: StorePort) {
    this.#world = world
    this.#store = store
  }

  /** Returns the image in a file, or why pages cannot show it. */
  static readFile(path: string): BrandImage | string {
    try {
      const file = path.startsWith('file:') ? new URL(path) : path
      return statSync(file).size > mostImageBytes
        ? `is larger than ${mostImageBytes / 1024} KiB`
        : checkImage(readFileSync(file))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const named = path.startsWith('file:') ? fileURLToPath(path) : resolve(path)
      return `names ${named}, which ${fileFault(path.startsWith('file:') ? named : path, code)}`
    }
  }

  async fetch(url: string, shopId: string): Promise<string | undefined> {
    const signal = AbortSignal.timeout(patience)
    let bytes: Buffer
    try {
      const answer = await this.#world.outgoing.fetch(
        url,
        { signal },
        { name: 'brand', network: { maxAnswer: mostImageBytes + 1 } },
      )
      if (!answer.ok) return `is not there: its host answered ${answeredStatus(answer.status)}`
      bytes = Buffer.from(await answer.arrayBuffer())
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      return code === 'ANSWER_TOO_LARGE'
        ? `is larger than ${mostImageBytes / 1024} KiB`
        : `cannot be fetched: ${code ?? message}`
    }
    const image = checkImage(bytes)
    if (typeof image === 'string') return image
    const { type, width, height } = image
    const now = this.#world.now()
    const content = bytes.toString('base64')
    const kept = { shopId, source: url, name: nameOf(image), type, width, height, content, fetchedAt: now }
    await this.#store.keepImage(kept)
    this.#known.set(keyOf(shopId, url), { image: kept, at: now })
    return undefined
  }

  async shown(source: string, shopId: string): Promise<Shown | undefined> {
    if (!source.startsWith('https:')) return this.#files.get(source) ?? this.#readFile(source)
    const now = this.#world.now()
    const key = keyOf(shopId, source)
    const known = this.#known.get(key)
    if (known && now - known.at < freshFor) return known.image
    const found = await this.#store.image({ shopId, source })
    const image = found && { name: found.name, width: found.width, height: found.height }
    this.#known.set(key, { image, at: now })
    if (found) this.#contents.set(found.name, servedFrom(found))
    else this.#fetchBeside(source, shopId)
    return image
  }

  /** Read once: a new logo comes with the next start. */
  #readFile(path: string): Shown | undefined {
    const image = PageImages.readFile(path)
    if (typeof image === 'string') return undefined
    const { type, width, height, bytes } = image
    const shown = { name: nameOf(image), width, height }
    this.#files.set(path, shown)
    this.#fileContents.set(shown.name, { type, content: bytes })
    return shown
  }

  /** A page is never kept waiting for an image: the next one has it. */
  #fetchBeside(url: string, shopId: string): void {
    const now = this.#world.now()
    if (now < (this.#notBefore.get(keyOf(shopId, url)) ?? 0)) return
    this.#notBefore.set(keyOf(shopId, url), now + fetchAgain)
    void this.fetch(url, shopId).then(
      (fault) => fault && this.#world.log.warn({ image: url, fault }, 'an image of a brand is left out'),
      (error: unknown) => this.#world.log.warn({ image: url, err: error }, 'an image of a brand is left out'),
    )
  }

  holds(name: string): boolean {
    return this.#fileContents.has(name) || this.#contents.has(name)
  }

  /** By its name in the address. */
  async file(name: string): Promise<ServedFile | undefined> {
    if (!/^[\da-f]{32}\.\w{3,4}$/.test(name)) return undefined
    const known = this.#fileContents.get(name) ?? this.#contents.get(name)
    if (known) return known
    const found = await this.#store.image({ name })
    if (!found) return undefined
    const served = servedFrom(found)
    this.#contents.set(name, served)
    return served
  }
}

const keyOf = (shopId: string, source: string): string => `${shopId} ${source}`

const servedFrom = ({ type, content }: StoredImage): ServedFile => ({
  type,
  content: Buffer.from(content, 'base64'),
})

const nameOf = ({ type, bytes }: BrandImage): string =>
  `${hash('sha256', bytes, 'hex').slice(0, 32)}.${type.slice('image/'.length)}`

/** An image that pages show, as it is served: its size is in pixels. */
interface BrandImage {
  type: `image/${string}`
  width: number
  height: number
  bytes: Buffer
}

/** In bytes. */
const mostImageBytes = 128 * 1024
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
function checkImage(bytes: Buffer): BrandImage | string {
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
