import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { AdapterFile, FileFault } from '../../adapters/adapter-files.ts'
import { type ErrorCode, PurveyorError } from '../../errors/errors.ts'
import { fileFault } from '../../file-fault.ts'
import type { Log } from '../../world.ts'

export interface FileKind<T> {
  code: ErrorCode
  /** The call or the option that names such files with `file`. */
  option: 'tableRates()' | 'pickupPoints()' | 'rates.productFacts'
  /** Reads the content of an open file. Rejects with a `PurveyorError` that names every fault. */
  read: (handle: FileHandle, file: string) => Promise<T>
  sizeOf: (content: T) => number
}

/** The largest file that is read, in bytes: a tariff of about a million lines. */
const mostBytes = 64 * 1024 * 1024
/** The codes of a read that fails for a moment, whatever the file is. */
const passing = ['EMFILE', 'ENFILE', 'EIO', 'ESTALE']
/** A read that another change of the file has overtaken. */
class ChangedMeanwhile extends Error {}

/**
 * One file in use. A change is loaded when it is whole, and used if it has no fault; until then the content before it stays in use.
 *
 * A changed file may be half written, and end in the middle of a price. So it is read at the second look that finds it as it is.
 */
export class WatchedFile<T> {
  readonly #file: string
  readonly #kind: FileKind<T>
  readonly #folder: string | undefined
  #content: T | undefined
  #loading: Promise<T> | undefined
  #inUse: Version | undefined
  #faulty: Version | undefined
  /** The error of a file that was never read without a fault. */
  #error: unknown
  #seen: Version | undefined
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
    return { file: this.#file, size, version: this.#inUse, fault: this.#fault }
  }

  /** Reads it for the first time. Rejects if it has a fault, from memory until a look finds another file. `now` dates the fault. */
  async load(now: () => number = Date.now): Promise<T> {
    if (this.#error !== undefined) throw this.#error
    this.#loading ??= this.#loadFirst(now).finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #loadFirst(now: () => number): Promise<T> {
    const version = await versionOf(this.#file)
    for (let tries = 1; ; tries++) {
      try {
        return await this.#read()
      } catch (error) {
        if (error instanceof ChangedMeanwhile && tries < 10) continue
        this.#note(version, error, now())
        throw error
      }
    }
  }

  /** Reads one state of one file, whatever happens to its name meanwhile, and uses it. With `only` no other state than this one. */
  async #read(only?: Version): Promise<T> {
    const handle = await this.#open().catch(this.#rethrown)
    try {
      const before = await handle.stat({ bigint: true })
      if (before.isDirectory()) throw this.#refused(fileFault(this.#file, 'EISDIR'))
      if (!before.isFile()) throw this.#refused('is a pipe or a device: name a file')
      if (before.size > mostBytes)
        throw this.#refused(`is larger than ${mostBytes / 1024 / 1024} MB: divide it`)
      const content = await this.#kind.read(handle, this.#file).catch(this.#rethrown)
      const version = versionIn(await handle.stat({ bigint: true }))
      if (version !== versionIn(before) || (only && version !== only)) throw new ChangedMeanwhile()
      this.#content = content
      this.#inUse = version
      this.#faulty = undefined
      this.#fault = undefined
      this.#error = undefined
      return content
    } finally {
      await handle.close()
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

  /** Loads the file if it has changed, and has not since the look before. Never rejects. Resolves with whether other content is in use. */
  async look(adapter: string, { now, log }: { now(): number; log: Log }): Promise<boolean> {
    if (this.#loading || (this.#content === undefined && this.#error === undefined)) return false
    const before = this.#seen
    const found = await versionOf(this.#file)
    this.#seen = found
    if (found === this.#inUse) {
      this.#fault = undefined
      this.#faulty = undefined
    }
    if (found === this.#inUse || found === this.#faulty || found !== before) return false
    try {
      await this.#read(found)
      log.info({ adapter, file: this.#file, size: this.state.size }, 'the changed file is in use')
      return true
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return false
      const known = this.#fault?.message
      const fault = this.#note(found, error, now())
      // A fault that may pass is found again and again.
      if (this.#faulty === undefined && fault === known) return false
      const stays = this.#content === undefined ? 'it is not used' : 'its content before stays in use'
      log.error({ adapter, file: this.#file, fault, err: error }, `the changed file has faults: ${stays}`)
      return false
    }
  }

  #note(version: Version, error: unknown, now: number): string {
    const message = error instanceof PurveyorError ? error.message : (error as Error).name
    const { code } = Object(error instanceof PurveyorError ? error.cause : error) as { code?: string }
    this.#faulty = passing.includes(code!) ? undefined : version
    if (this.#faulty || this.#fault?.message !== message) this.#fault = { since: now, message }
    if (this.#content === undefined) this.#error = error
    return message
  }

  readonly #rethrown = (error: unknown): never => {
    if (error instanceof PurveyorError) throw error
    throw this.#refused(fileFault(this.#file, (error as { code?: string }).code), error)
  }

  #refused(fault: string, cause?: unknown): PurveyorError {
    const message = `${this.#kind.option}: file ${this.#file} ${fault}`
    return new PurveyorError(this.#kind.code, message, { place: this.#file, cause })
  }
}

/** A state of a file: its inode, its size, and when it was written and changed, which its permissions are too. */
type Version = string

const versionIn = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): Version =>
  [ino, size, mtimeNs, ctimeNs].join(' ')

/** The state of the file of a path. One that is not there has one too. */
const versionOf = (file: string): Promise<Version> =>
  stat(file, { bigint: true }).then(versionIn, () => 'not there')

/** Whether a file lies in a folder, by its path and by its links. A file that is not there is judged by its path. */
async function isWithin(file: string, folder: string): Promise<boolean> {
  const inside = (path: string, of: string) => path.startsWith(of.endsWith(sep) ? of : `${of}${sep}`)
  if (!inside(resolve(file), resolve(folder))) return false
  const [real, realFolder] = await Promise.all(
    [file, folder].map((path) => realpath(path).catch(() => undefined)),
  )
  return real === undefined || realFolder === undefined || inside(real, realFolder)
}
