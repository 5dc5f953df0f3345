import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import type { AdapterFile, AdapterFiles } from '../../adapters/adapter-files.ts'
import { byProvider } from '../../audit.ts'
import type { Parts } from '../../parts.ts'
import type { Log } from '../../world.ts'
import { type FileKind, WatchedFile } from './watched-file.ts'

/** The most lines or points in memory, of all files of one adapter. A line of a tariff takes about 900 bytes (`npm run bench -- rates`). */
const mostSize = 1_000_000
const mostFiles = 1_000

interface Options {
  adapter: string
  /** The option that names the file, or a function that does for each shop. */
  file?: unknown
  /** The folder that files must lie in. Default: the working directory for those that a function names, otherwise anywhere. */
  folder?: string | undefined
  watch?: boolean | undefined
}

/** The files of one adapter in memory: those used last, as many as there is room for. The others are read again when they are needed. */
export class WatchedFiles<T> implements AdapterFiles {
  readonly #adapter: string
  readonly #folder: string | undefined
  readonly #watch: boolean
  readonly #files: LRUCache<string, WatchedFile<T>> = new LRUCache({
    max: mostFiles,
    maxSize: mostSize,
    sizeCalculation: (file) => Math.min(mostSize, 1 + file.state.size),
  })

  constructor({ adapter, file, folder, watch = true }: Options) {
    this.#adapter = adapter
    this.#folder = folder ?? (typeof file === 'function' ? '.' : undefined)
    this.#watch = watch
  }

  /**
   * The content of a file. `key` names the file and its kind: equal keys share one content. It is a promise until the file is read, which
   * rejects from memory while the file has the same fault; without looks the file is read again.
   */
  of(key: string, asked: { file: string; kind: FileKind<T>; now: () => number }): T | Promise<T> {
    const { file, kind, now } = asked
    const last = this.#files.get(key)
    if (last?.content !== undefined) return last.content
    const known = this.#watch || !last?.state.fault ? last : undefined
    const watched = known ?? new WatchedFile(file, kind, this.#folder)
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

  async look(ctx: { now(): number; log: Log }): Promise<void> {
    if (!this.#watch) return
    await Promise.all(
      [...this.#files.entries()].map(async ([key, file]) => {
        const changed = await file.look(this.#adapter, ctx)
        if (changed && this.#files.peek(key) === file) this.#files.set(key, file)
      }),
    )
  }
}

/** Writes into the audit trail which files are in use, once for each content of one. */
export class LoadedFiles {
  readonly #noted = new Map<string, string>()

  async note(
    { store, world }: Parts<'world' | 'store'>,
    files: readonly (AdapterFile & { adapter: string })[],
  ): Promise<void> {
    for (const { adapter, file, version } of files) {
      if (version === undefined || this.#noted.get(file) === version) continue
      const content = await readFile(file).catch(() => undefined)
      if (!content) continue
      const digest = hash('sha256', content, 'hex').slice(0, 16)
      const action = { action: 'tariff.loaded', adapter, file, digest, node: world.node } as const
      const trail = await store.searchAuditTrail({ shopId: '', action: action.action, limit: 200 })
      const last = trail.find(({ entry }) => entry.action === action.action && entry.file === file)?.entry
      const isKnown = last?.action === action.action && last.digest === digest
      if (!isKnown) await store.noteAudit('', { at: world.now(), by: byProvider }, action)
      this.#noted.set(file, version)
    }
  }
}
