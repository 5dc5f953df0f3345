import { LRUCache } from 'lru-cache'
import type { AdapterFile, AdapterFiles } from '../../adapters/adapter-files.ts'
import type { Log } from '../../world.ts'
import { type FileKind, WatchedFile } from './watched-file.ts'

/** The most lines or points in memory, of all files of one adapter. A line of a tariff takes about 900 bytes (`npm run bench -- rates`). */
const mostSize = 1_000_000
const mostFiles = 1_000

interface Options {
  adapter: string
  /** Whether to look for changes. */
  watch: boolean
  /** The folder that files must lie in. Default: anywhere. */
  folder?: string | undefined
}

interface Asked<T> {
  file: string
  kind: FileKind<T>
  now: () => number
}

/** The files of one adapter in memory: those used last, as many as there is room for. The others are read again when they are needed. */
export class WatchedFiles<T> implements AdapterFiles {
  readonly #options: Options
  readonly #files: LRUCache<string, WatchedFile<T>>

  constructor(options: Options) {
    this.#options = options
    this.#files = new LRUCache({
      max: mostFiles,
      maxSize: mostSize,
      sizeCalculation: (file) => Math.min(mostSize, 1 + file.state.size),
      dispose: (file, key) => {
        if (this.#files.peek(key) !== file) void file.close()
      },
    })
  }

  /**
   * The content of a file. `key` names the file and its kind: equal keys share one content. It is a promise until the file is read, which
   * rejects from memory while the file has the same fault.
   */
  of(key: string, { file, kind, now }: Asked<T>): T | Promise<T> {
    const known = this.#files.get(key)
    if (known?.content !== undefined) return known.content
    const watched = known ?? new WatchedFile(file, kind, this.#options.folder)
    if (!known) this.#files.set(key, watched)
    return watched.load(now).then((content) => {
      // Counts its size, which is known now.
      this.#files.set(key, watched)
      return content
    })
  }

  list(): readonly AdapterFile[] {
    return [...this.#files.values()].map(({ state }) => state)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.close()))
  }

  async look(ctx: { now(): number; log: Log }): Promise<void> {
    const { adapter, watch } = this.#options
    if (!watch) return
    await Promise.all(
      [...this.#files.entries()].map(async ([key, file]) => {
        const changed = await file.look({ now: () => ctx.now(), log: ctx.log, adapter })
        if (changed && this.#files.peek(key) === file) this.#files.set(key, file)
      }),
    )
  }
}
