import { realpathSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../sqlite-errors.ts'

/**
 * A lock beside a SQLite file, which ends with its process: an empty file on which SQLite holds a lock of the system. A transaction in the
 * store itself would also keep its readers waiting at their start.
 */
export class SqliteLock {
  readonly #path: string
  readonly #held: DatabaseSync

  private constructor(path: string, held: DatabaseSync) {
    this.#path = path
    this.#held = held
    process.on('exit', this.#remove)
  }

  /** `undefined` if another process has it. */
  static of(file: string): SqliteLock | undefined {
    const path = `${realpathSync(file)}-copying`
    for (;;) {
      const held = new DatabaseSync(path, { timeout: 0 })
      const opened = inodeOf(path)
      try {
        // Otherwise SQLite makes a second file.
        held.exec('pragma journal_mode = memory; begin exclusive')
      } catch (error) {
        held.close()
        if (isBusy(error)) return undefined
        throw error
      }
      // The one that had it before may have removed the file after it was opened here.
      if (opened !== undefined && inodeOf(path) === opened) return new SqliteLock(path, held)
      held.close()
    }
  }

  release(): void {
    // First: whoever opens it from now on makes a new one.
    this.#remove()
    process.off('exit', this.#remove)
    this.#held.close()
  }

  readonly #remove = (): void => rmSync(this.#path, { force: true })
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino
