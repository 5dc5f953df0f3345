import { hash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const [mostFiles, mostBytes] = [100, 1024 * 1024]

/** A script or a style that a page loads. The browser refuses one whose bytes are others. */
export interface PageAsset {
  kind: 'script' | 'style'
  url: string
  /** `sha384-...`; not set for a foreign script. */
  integrity: string | undefined
}

export interface ServedFile {
  type: string
  content: Buffer
}

/** A file under a name that changes with its content, so that a browser may keep it for ever. `ending` is one of the known kinds, such as `.js`. */
export function hashedFile(title: string, ending: string, content: Buffer) {
  const name = `${title}.${hash('sha256', content, 'hex').slice(0, 16)}${ending}`
  return { name, file: { type: types[ending]!, content } satisfies ServedFile }
}

/**
 * The files of an adapter's pages: `page.assets` is a folder, without those below it. Each has its hash in its name, so that a browser may
 * keep it for ever. Scripts and styles are loaded by every page of the adapter, fonts by its styles.
 */
export class PageAssets {
  readonly #files = new Map<string, ServedFile>()
  readonly #names = new Map<string, string>()
  readonly #loaded: { kind: PageAsset['kind']; name: string; integrity: string }[] = []

  /** Throws a `TypeError` for a folder that is not there, has too much in it, or holds a file of no known kind. */
  constructor(folder: string) {
    const names = readdirSync(folder).filter((name) => !name.startsWith('.') && isFileIn(folder, name))
    if (names.length > mostFiles) throw new TypeError(`has more than ${mostFiles} files`)
    for (const name of names.sort()) this.#add(folder, name)
  }

  #add(folder: string, name: string): void {
    const ending = extname(name).toLowerCase()
    if (types[ending] === undefined || !/^[\w-][\w.-]*$/.test(name))
      throw new TypeError(
        `holds ${name}, which is not a plain name that ends with one of ${Object.keys(types).join(', ')}`,
      )
    const path = join(folder, name)
    if (statSync(path).size > mostBytes) throw new TypeError(`holds ${name}, which is larger than 1 MiB`)
    const content = readFileSync(path)
    const { name: served, file } = hashedFile(name.slice(0, -ending.length), ending, content)
    this.#files.set(served, file)
    this.#names.set(name, served)
    const kind = ending === '.js' ? 'script' : ending === '.css' ? 'style' : undefined
    if (kind)
      this.#loaded.push({ kind, name: served, integrity: `sha384-${hash('sha384', content, 'base64')}` })
  }

  /** `name` is the one in the address. */
  file(name: string): ServedFile | undefined {
    return this.#files.get(name)
  }

  /** The name of a file in its address. */
  servedName(name: string): string | undefined {
    return this.#names.get(name)
  }

  get hasFonts(): boolean {
    return [...this.#files.values()].some(({ type }) => type.startsWith('font/'))
  }

  has(kind: PageAsset['kind']): boolean {
    return this.#loaded.some((one) => one.kind === kind)
  }

  /** The scripts and styles that a page loads, below `base`. */
  loadedFrom(base: string): PageAsset[] {
    return this.#loaded.map(({ kind, name, integrity }) => ({ kind, url: `${base}/${name}`, integrity }))
  }
}

/** Whether it is a file. A link is followed within the folder, as in mounted volumes of settings. */
function isFileIn(folder: string, name: string): boolean {
  const path = realpathSync(join(folder, name))
  if (!path.startsWith(`${realpathSync(folder)}${sep}`))
    throw new TypeError(`holds ${name}, a link that leads out of the folder`)
  return statSync(path).isFile()
}
