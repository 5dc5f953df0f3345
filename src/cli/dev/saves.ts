import { hash } from 'node:crypto'
import { fstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FSWatcher, watch } from 'chokidar'
import type { WatchedFiles } from './watched-files.ts'

/** A save may be several events, and a checkout many saves: this long without one ends them, in milliseconds. */
const quiet = 40
/** Events that never end, such as those of a large copy, are no reason to wait longer, in milliseconds. */
const patience = 1_000
/** A file that is gone or has become empty may be between two steps of its save. They have this long by default, in milliseconds. */
const underWay = 150
/** Without an event the files are compared this often, in milliseconds: some disks, such as those of containers, send none. */
const slowly = 1_000

/** Sees every save of the watched files: it compares their content after each event and once a second. A save that changes nothing does not count. */
export class Saves {
  readonly #watched: WatchedFiles
  /** Its events make a save quick to be seen. */
  readonly watcher: FSWatcher
  /** Files outside of the watched folders. */
  readonly #also = new Set<string>()
  #seen: Snapshot = new Map()
  #lastEvent = 0
  #isStirred = false
  #wake: () => void = () => {}
  #isClosed = false
  #lookTook = 0
  readonly #saveTakes: number

  /** `failed` is called when the system sends no events. `saveTakes` is how long a file may be gone or empty during one save, in milliseconds. */
  constructor(watched: WatchedFiles, failed: (error: Error) => void = () => {}, saveTakes = underWay) {
    this.#watched = watched
    this.#saveTakes = saveTakes
    this.#seen = this.#look()
    this.watcher = watch([...watched.folders], {
      ignoreInitial: true,
      atomic: false,
      ignorePermissionErrors: true,
      ignored: (path, stats) =>
        stats !== undefined && !(stats.isDirectory() ? watched.hasFolder(path) : watched.hasFile(path)),
    })
    this.watcher
      .on('all', () => this.#stir())
      // Saves before this moment had no event.
      .on('ready', () => this.#stir())
      .on('error', (error) => failed(error as Error))
  }

  /** Watches single files too, such as those that a provider imports from elsewhere. They need not be there yet. */
  add(files: readonly string[]): void {
    const added = files.filter((file) => !this.#also.has(file) && !this.#watched.covers(file))
    if (added.length === 0 || this.#isClosed) return
    for (const file of added) this.#also.add(file)
    // As they are now: they have just been read.
    const now = this.#look()
    this.#seen = new Map([...this.#seen, ...[...now].filter(([path]) => added.includes(path))])
    this.watcher.add(added)
  }

  /** Resolves after the next saves with the paths of the changed files, and with none once this is closed. */
  async next(): Promise<string[]> {
    while (!this.#isClosed) {
      // Without an event it is time for a slow look, which takes at most 2 % of the time.
      if (!this.#isStirred) await this.#pause(Math.max(slowly, 50 * this.#lookTook))
      let { now, changed } = await this.#calm()
      const until = performance.now() + this.#saveTakes
      const isUnderWay = () => changed.some((path) => isEmpty(now.get(path))) && !this.#isClosed
      for (let left = this.#saveTakes; left > 0 && isUnderWay(); left = until - performance.now()) {
        await this.#pause(left)
        ;({ now, changed } = await this.#calm())
      }
      if (this.#isClosed) break
      this.#seen = now
      if (changed.length > 0) return changed.map((path) => this.#watched.shown(path))
    }
    return []
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake()
    await this.watcher.close()
  }

  #look(): Snapshot {
    const since = performance.now()
    const now = snapshotOf(this.#watched, this.#also)
    this.#lookTook = performance.now() - since
    return now
  }

  #stir(): void {
    this.#lastEvent = performance.now()
    this.#isStirred = true
    this.#wake()
  }

  /** The files and what has changed, once no event has come for a moment. */
  async #calm(): Promise<{ now: Snapshot; changed: string[] }> {
    const until = performance.now() + patience
    const left = () => Math.min(this.#lastEvent + quiet, until) - performance.now()
    for (let ms = left(); ms > 0 && !this.#isClosed; ms = left()) await sleep(ms)
    this.#isStirred = false
    const now = this.#look()
    return { now, changed: differences(this.#seen, now) }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
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
    else if (stats?.isFile()) note(path, stats)
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

  function note(path: string, stats: Stats): void {
    if (written.has(`${stats.dev} ${stats.ino}`)) return
    const content = contentOf(path, stats)
    if (content !== undefined) found.set(path, content)
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

const isEmpty = (content: string | undefined): boolean => content === undefined || content === nothing

const nothing = hash('sha1', '')
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
