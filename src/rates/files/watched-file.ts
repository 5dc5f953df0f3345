import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { AdapterFile, FileFault } from '../../adapters/adapter-files.ts'
import { type ErrorCode, PurveyorError } from '../../errors/errors.ts'
import { fileFault } from '../../file-fault.ts'
import type { Log } from '../../world.ts'

export interface FileKind<T> {
  /** The code of a file that cannot be read. */
  code: ErrorCode
  /** The call or the option that names such files with `file`. */
  option: 'tableRates()' | 'pickupPoints()' | 'rates.productFacts'
  /** Reads the content of an open file. Rejects with a `PurveyorError` that names every fault. */
  read: (handle: FileHandle, file: string) => Promise<T>
  /** The number of its lines or points. */
  sizeOf: (content: T) => number
}

/** The largest file that is read, in bytes: a tariff of about a million lines. */
const mostBytes = 64 * 1024 * 1024
/** A changed file that had a fault is read again once it has not changed for so long, in milliseconds. */
const settled = 1_000

/** A read that another change of the file has overtaken. */
class ChangedMeanwhile extends Error {}

/** How a look is made: what the log and the fault need. */
interface Looking {
  now: () => number
  log: Log
  adapter: string
}

/**
 * One file in use. A change is loaded when it is whole, and used if it has no fault; until then the content before it stays in use.
 *
 * A changed file may be half written, and end in the middle of a price. So it is opened at one look, and read at the next one if it has not
 * changed in between. It is read even where another file has its name by then, so that a file that is replaced all the time is in use too.
 */
export class WatchedFile<T> {
  readonly #file: string
  readonly #kind: FileKind<T>
  /** The folder that the file must lie in. */
  readonly #folder: string | undefined
  #content: T | undefined
  #loading: Promise<T> | undefined
  #inUse: Version | undefined
  #faulty: Version | undefined
  /** The error of a file that was never read without a fault. */
  #error: unknown
  /** A changed file that is read at the next look. */
  #candidate: { handle: FileHandle; version: Version } | undefined
  #isMissing = false
  #fault: FileFault | undefined

  /** With `folder` the file must lie in it, whatever its path and its links say. */
  constructor(file: string, kind: FileKind<T>, folder?: string) {
    this.#file = file
    this.#kind = kind
    this.#folder = folder
  }

  get content(): T | undefined {
    return this.#content
  }

  get state(): AdapterFile {
    const size = this.#content === undefined ? 0 : this.#kind.sizeOf(this.#content)
    return { file: this.#file, size, fault: this.#fault }
  }

  /** Reads it for the first time. Rejects if it has a fault, from memory until the file changes. `now` dates the fault. */
  load(now: () => number = Date.now): Promise<T> {
    this.#loading ??= this.#loadChanged(now).finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #loadChanged(now: () => number): Promise<T> {
    const version = (await versionOf(this.#file)) ?? nowhere
    if (this.#error !== undefined && (isSame(version, this.#faulty) || !hasSettled(version)))
      throw this.#error
    try {
      return await this.#load()
    } catch (error) {
      this.#note(version, error, now())
      throw error
    }
  }

  async #load(): Promise<T> {
    for (let tries = 1; ; tries++) {
      const handle = await this.#open().catch(this.#rethrown)
      try {
        this.#use(await this.#readWhole(handle))
        return this.#content!
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile) || tries === 10) throw error
      } finally {
        await handle.close()
      }
    }
  }

  /** Never waits, as a pipe would. */
  async #open(): Promise<FileHandle> {
    if (this.#folder !== undefined && !(await isWithin(this.#file, this.#folder))) {
      const where = this.#folder === '.' ? 'the working directory' : `the folder ${this.#folder}`
      throw this.#refused(`lies outside of ${where}: put it there, or set the option folder`)
    }
    return open(this.#file, constants.O_RDONLY | constants.O_NONBLOCK)
  }

  /** Loads the file if it has changed. Never rejects. Resolves with whether other content is in use. */
  async look(looking: Looking): Promise<boolean> {
    if (this.#loading || (this.#content === undefined && this.#error === undefined)) return false
    const used = await this.#takeCandidate(looking)
    const found = await versionOf(this.#file)
    if (!found) {
      if (this.#isMissing) this.#failed(nowhere, this.#unreadable('ENOENT'), looking)
      this.#isMissing = true
      return used
    }
    this.#isMissing = false
    if (isSame(found, this.#inUse)) {
      // The file was put back as it was.
      this.#fault = undefined
      this.#faulty = undefined
    } else if (!isSame(found, this.#faulty)) await this.#openCandidate()
    return used
  }

  /** Forgets a change that is not in use yet. */
  async close(): Promise<void> {
    const { handle } = this.#candidate ?? {}
    this.#candidate = undefined
    await handle?.close()
  }

  async #openCandidate(): Promise<void> {
    const handle = await this.#open().catch(() => undefined)
    if (!handle) return
    this.#candidate = { handle, version: versionIn(await handle.stat({ bigint: true })) }
  }

  /** Uses the file that the last look opened, if it is whole. */
  async #takeCandidate(looking: Looking): Promise<boolean> {
    if (!this.#candidate) return false
    const { handle, version } = this.#candidate
    try {
      if (!isSame(versionIn(await handle.stat({ bigint: true })), version)) return false
      this.#use(await this.#readWhole(handle))
      const { adapter, log } = looking
      log.info({ adapter, file: this.#file, size: this.state.size }, 'the changed file is in use')
      return true
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) this.#failed(version, error, looking)
      return false
    } finally {
      await this.close()
    }
  }

  #failed(version: Version, error: unknown, { now, log, adapter }: Looking): void {
    if (isSame(version, this.#faulty)) return
    const fault = this.#note(version, error, now())
    const about = { adapter, file: this.#file, fault, err: error }
    const stays = this.#content === undefined ? 'it is not used' : 'its content before stays in use'
    log.error(about, `the changed file has faults: ${stays}`)
  }

  #note(version: Version, error: unknown, now: number): string {
    const message = error instanceof PurveyorError ? error.message : (error as Error).name
    this.#faulty = version
    this.#fault = { since: now, message }
    if (this.#content === undefined) this.#error = error
    return message
  }

  readonly #rethrown = (error: unknown): never => {
    throw error instanceof PurveyorError ? error : this.#unreadable((error as { code?: string }).code, error)
  }

  #unreadable(why: string | undefined, cause?: unknown): PurveyorError {
    return this.#refused(fileFault(this.#file, why), cause)
  }

  #refused(fault: string, cause?: unknown): PurveyorError {
    const message = `${this.#kind.option}: file ${this.#file} ${fault}`
    return new PurveyorError(this.#kind.code, message, { place: this.#file, cause })
  }

  #use({ content, version }: { content: T; version: Version }): void {
    this.#content = content
    this.#inUse = version
    this.#faulty = undefined
    this.#fault = undefined
    this.#error = undefined
  }

  /** Reads one state of one file, whatever happens to its name meanwhile. */
  async #readWhole(handle: FileHandle): Promise<{ content: T; version: Version }> {
    const before = await handle.stat({ bigint: true })
    if (before.isDirectory()) throw this.#unreadable('EISDIR')
    if (!before.isFile()) throw this.#refused('is a pipe or a device: name a file')
    if (before.size > mostBytes)
      throw this.#refused(`is larger than ${mostBytes / 1024 / 1024} MB: divide it`)
    const content = await this.#kind.read(handle, this.#file).catch(this.#rethrown)
    const version = versionIn(await handle.stat({ bigint: true }))
    if (!isSame(version, versionIn(before))) throw new ChangedMeanwhile()
    return { content, version }
  }
}

/** A state of a file. */
interface Version {
  inode: bigint
  size: bigint
  /** In nanoseconds. */
  written: bigint
}

const versionIn = ({ ino, size, mtimeNs }: BigIntStats): Version => ({ inode: ino, size, written: mtimeNs })

const nowhere: Version = { inode: 0n, size: 0n, written: 0n }

const versionOf = (file: string): Promise<Version | undefined> =>
  stat(file, { bigint: true }).then(versionIn, () => undefined)

const isSame = (one: Version, other: Version | undefined): boolean =>
  one.inode === other?.inode && one.size === other.size && one.written === other.written

/** Has not changed for a second. The times of files are those of the machine's clock. */
const hasSettled = ({ written }: Version): boolean => Date.now() - Number(written / 1_000_000n) >= settled

/** Whether a file lies in a folder, by its path and by its links. A file that is not there is judged by its path. */
async function isWithin(file: string, folder: string): Promise<boolean> {
  const inside = (path: string, of: string) => path.startsWith(of.endsWith(sep) ? of : `${of}${sep}`)
  if (!inside(resolve(file), resolve(folder))) return false
  const [real, realFolder] = await Promise.all(
    [file, folder].map((path) => realpath(path).catch(() => undefined)),
  )
  return real === undefined || realFolder === undefined || inside(real, realFolder)
}
