import { type FSWatcher, watch } from 'chokidar'
import { differences, isEmpty, type Snapshot, snapshotOf } from './snapshot.ts'
import type { WatchedFiles } from './watched-files.ts'

/** A save may be several events, and a checkout many saves: this long without one ends them, in milliseconds. */
const quiet = 40
/** Events that never end, such as those of a large copy, are no reason to wait longer, in milliseconds. */
const patience = 1_000
/** A file that is gone or has become empty may be between two steps of its save. They have this long by default, in milliseconds. */
const underWay = 150
/** Without an event the files are compared this often, in milliseconds: some disks, such as those of containers, send none. */
const slowly = 1_000

/**
 * Sees every save of the watched files. It compares their content after each event and once a second, so that neither the way of saving
 * nor a lost event matters. A save that changes nothing does not count.
 */
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

  /**
   * Compares with the files as they are now. `failed` is called when the system sends no events. `saveTakes` is how long a file may be gone
   * or empty during one save, in milliseconds.
   */
  constructor(watched: WatchedFiles, failed: (error: Error) => void = () => {}, saveTakes = underWay) {
    this.#watched = watched
    this.#saveTakes = saveTakes
    this.#seen = this.#look()
    this.watcher = watch([...watched.folders], {
      ignoreInitial: true,
      // We wait and compare ourselves.
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

  /**
   * Resolves after the next saves, with the paths of the files that hold something else than at the last time, and with none once this is
   * closed.
   */
  async next(): Promise<string[]> {
    while (!this.#isClosed) {
      await this.#stirred()
      await this.#calm()
      if (this.#isClosed) break
      this.#isStirred = false
      let now = this.#look()
      let changed = differences(this.#seen, now)
      const until = performance.now() + this.#saveTakes
      while (changed.some((path) => isEmpty(now.get(path))) && performance.now() < until) {
        await this.#pause(until - performance.now())
        await this.#calm()
        if (this.#isClosed) return []
        now = this.#look()
        changed = differences(this.#seen, now)
      }
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
    const now = snapshotOf(this.#watched, this.#also, this.#seen)
    this.#lookTook = performance.now() - since
    return now
  }

  #stir(): void {
    this.#lastEvent = performance.now()
    this.#isStirred = true
    this.#wake()
  }

  /** An event since the last look, or time for a slow one: it takes at most 2 % of the time. */
  async #stirred(): Promise<void> {
    if (!this.#isStirred) await this.#pause(Math.max(slowly, 50 * this.#lookTook))
  }

  async #calm(): Promise<void> {
    const until = performance.now() + patience
    for (;;) {
      const now = performance.now()
      const left = Math.min(this.#lastEvent + quiet, until) - now
      if (left <= 0 || this.#isClosed) return
      await new Promise((resolve) => setTimeout(resolve, left))
    }
  }

  /** Ends with the next event. */
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
