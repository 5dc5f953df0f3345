import { hash } from 'node:crypto'
import { fstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The files are compared this often, in milliseconds, or seldom enough to take at most 2 % of the time. */
const often = 50
/** A save may be several steps, and a checkout many saves: this long without a change ends them, in milliseconds. */
const quiet = 40
/** Changes that never end, such as those of a large copy, are no reason to wait longer, in milliseconds. */
const patience = 1_000
/** A file that is gone or has become empty may be between two steps of its save. They have this long by default, in milliseconds. */
const underWay = 150

/** Sees every save of the watched files: it compares their content again and again. A save that changes nothing does not count. */
export class Saves {
  readonly #watched: WatchedFiles
  /** Files outside of the watched folders. */
  readonly #also = new Set<string>()
  #seen: Snapshot
  #lookTook = 0
  readonly #closing = new AbortController()
  readonly #saveTakes: number

  /** `saveTakes` is how long a file may be gone or empty during one save, in milliseconds. */
  constructor(watched: WatchedFiles, saveTakes = underWay) {
    this.#watched = watched
    this.#saveTakes = saveTakes
    this.#seen = this.#look()
  }

  /** Watches single files too, such as those that a provider imports from elsewhere. They need not be there yet. */
  add(files: readonly string[]): void {
    const added = files.filter((file) => !this.#also.has(file) && !this.#seen.has(file))
    if (added.length === 0) return
    for (const file of added) this.#also.add(file)
    // As they are now: they have just been read.
    const now = this.#look()
    this.#seen = new Map([...this.#seen, ...[...now].filter(([path]) => added.includes(path))])
  }

  /** Resolves after the next saves with the paths of the changed files, and with none once this is closed. */
  async next(): Promise<string[]> {
    const { signal } = this.#closing
    const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
    while (!signal.aborted) {
      let [before, now] = [this.#seen, this.#look()]
      let changed = differences(this.#seen, now)
      const isUnderWay = () => changed.some((path) => isEmpty(now.get(path)))
      const since = performance.now()
      for (let ms = 0; changed.length > 0 && !signal.aborted; ms = performance.now() - since) {
        const isStill = ms > patience || differences(before, now).length === 0
        if (isStill && (ms > this.#saveTakes || !isUnderWay())) break
        await pause(quiet)
        ;[before, now] = [now, this.#look()]
        changed = differences(this.#seen, now)
      }
      if (signal.aborted) break
      this.#seen = now
      if (changed.length > 0) return changed.map((path) => this.#watched.shown(path))
      await pause(Math.max(often, 50 * this.#lookTook))
    }
    return []
  }

  close(): void {
    this.#closing.abort()
  }

  #look(): Snapshot {
    const since = performance.now()
    const now = snapshotOf(this.#watched, this.#also)
    this.#lookTook = performance.now() - since
    return now
  }
}

/** Larger files are compared by their times and sizes, in bytes. */
const readsAtMost = 8 * 1024 * 1024

/** A hash of the content of each file, by its path. */
export type Snapshot = ReadonlyMap<string, string>

/** Reads the watched files. Links are followed. A file that vanishes meanwhile is not there. */
export function snapshotOf(watched: WatchedFiles, also: Iterable<string>): Snapshot {
  const found = new Map<string, string>()
  const visited = new Set<string>()
  const written = ownOutput()

  function look(path: string): void {
    const stats = ifThere(() => statSync(path))
    if (stats?.isDirectory()) enter(path)
    if (!stats?.isFile() || written.has(`${stats.dev} ${stats.ino}`)) return
    const content = contentOf(path, stats)
    if (content !== undefined) found.set(path, content)
  }

  function enter(folder: string): void {
    const real = ifThere(() => realpathSync(folder))
    if (real === undefined || visited.has(real)) return
    visited.add(real)
    for (const entry of ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const path = join(folder, entry.name)
      const mayBeFolder = !entry.isFile() && watched.hasFolder(path)
      if (entry.isDirectory()) mayBeFolder && enter(path)
      else if (watched.hasFile(path) || (entry.isSymbolicLink() && mayBeFolder)) look(path)
    }
  }

  for (const folder of watched.folders) enter(folder)
  for (const path of also) if (!found.has(path)) look(path)
  return found
}

/** The files that this process writes its output to: each line of dev would restart the provider. */
function ownOutput(): Set<string> {
  const outputs = [1, 2].map((output) => ifThere(() => fstatSync(output)))
  return new Set(outputs.flatMap((stats) => (stats?.isFile() ? `${stats.dev} ${stats.ino}` : [])))
}

/** The files that were added, changed or removed, in no order. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const changed = [...after.keys()].filter((path) => before.get(path) !== after.get(path))
  return [...changed, ...[...before.keys()].filter((path) => !after.has(path))]
}

const nothing = hash('sha1', '')
const isEmpty = (content = nothing): boolean => content === nothing
const sqlite = Buffer.from('SQLite format 3\0')

/** A store of any name is no change; it is one value for all. */
function contentOf(path: string, { size, mtimeMs, ctimeMs }: Stats): string | undefined {
  if (size > readsAtMost) return [size, mtimeMs, ctimeMs].join(' ')
  const bytes = ifThere(() => readFileSync(path))
  if (bytes === undefined) return undefined
  return bytes.subarray(0, sqlite.length).equals(sqlite) ? 'a store' : hash('sha1', bytes)
}

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Folders that other programs write or read: packages, builds, data, tests, and all with a dot, such as `.git`. */
const foreignFolder = /^(node_modules|data|dist|coverage|tests?|__tests__|\..+)$/

/** Editors and `sed -i` keep these beside a file while they save it. */
const editorFile =
  /~$|^#.*#$|\.sw[a-px]$|^4913$|^sed\w{6}$|___jb_(tmp|old|bak)___$|\.(tmp|temp|bak|orig|rej|part)$/i

/** Stores, logs, texts for people, tests and files of other tools: a provider does not start from them. One that it imports counts. */
const otherFile =
  /\.(db|db3|sqlite|sqlite3)$|-(wal|shm|journal)$|\.(log|pid|md|mdx)$|\.(test|spec)\.\w+$|^(package-lock|tsconfig.*|jsconfig|biome)\.jsonc?$|^((.+\.)?dockerfile(\..+)?|makefile|licen[cs]e(\.txt)?)$|^(docker-)?compose(\..+)?\.ya?ml$/i

const isEnv = (name: string): boolean => /^\.env(\.|$)/.test(name)

/**
 * The files that a provider may read: all of its folders but those that other programs write. All paths are absolute. `folder` is the one that
 * dev runs in, `without` are folders that dev itself writes.
 */
export function watchedFiles(file: string | undefined, folder: string, without: readonly string[] = []) {
  /** That folder, and the one of the provider's file if it lies elsewhere. None without such a file. */
  const folders = file === undefined ? [] : isBelow(folder, file) ? [folder] : [folder, dirname(file)]
  /** Whether to look into a folder. The one of the provider's file counts, whatever its name. */
  function hasFolder(path: string): boolean {
    if (folders.includes(path)) return true
    if (without.includes(path)) return false
    return !foreignFolder.test(basename(path)) || (file !== undefined && isBelow(path, file))
  }
  function hasFile(path: string): boolean {
    const name = basename(path)
    if (name.startsWith('.')) return isEnv(name) && !editorFile.test(name)
    return !editorFile.test(name) && !otherFile.test(name)
  }
  /** A path as the terminal shows it: from the folder of dev. */
  const shown = (path: string): string => relative(folder, path)
  return { folders, hasFolder, hasFile, shown }
}

export type WatchedFiles = ReturnType<typeof watchedFiles>

const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
