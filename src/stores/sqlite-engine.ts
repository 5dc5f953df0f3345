import { randomBytes } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type StoreTrouble, StoreUnavailable } from '../store.ts'
import { type Group, GroupCommit, type Tried } from './group-commit.ts'
import type { Command } from './sql/query.ts'
import { isBusy, isFailedSync, isUnavailable, openError, unavailable } from './sqlite-errors.ts'
import { run, type SqliteFile, tryGroup } from './sqlite-group.ts'
import { openSqlite } from './sqlite-open.ts'
import { Writes, writeProbe } from './writes.ts'

const busyFor = 2_000
/** How long a command without a waiting caller may wait to share a commit, in milliseconds. */
const patience = 5

type MakeCommand<T> = () => Command<T>

/** Runs commands in one SQLite file. A command that arrives while it is being opened waits. */
export class SqliteEngine implements SqliteFile {
  readonly #file: string
  #database: DatabaseSync | undefined
  /** Its tables are up to date. */
  #isOpen = false
  #probe: (() => Command<void>) | undefined
  #opening: Promise<void> | undefined
  readonly #groups: GroupCommit
  readonly #statements = new Map<string, StatementSync>()
  readonly writes = new Writes(() => this.write(() => this.#probe!(), false))
  report: (trouble: StoreTrouble) => void = () => {}

  constructor(file: string) {
    this.#file = file
    this.#groups = new GroupCommit({
      triesFor: busyFor,
      patience: file === ':memory:' ? 0 : patience,
      mostTogether: Number.POSITIVE_INFINITY,
      mostApart: 0,
      commit: (group) => this.#commit(group),
      failed: () => this.writes.failed(),
    })
  }

  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const prepared = this.#database!.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }

  damaged(): void {
    this.report({ code: 'STORE_DAMAGED' })
  }

  #commit({ commands }: Group): Tried {
    const database = this.#database
    try {
      return tryGroup(this, commands) ? 'committed' : 'again'
    } catch (error) {
      if (database?.isTransaction) database.exec('rollback')
      // Nothing ran: all commands wait for the other process, without blocking the event loop.
      if (isBusy(error) && database && performance.now() < commands[0]!.until) return 'busy'
      if (isFailedSync(error)) this.#giveUp(error)
      throw unavailable(error)
    }
  }

  /**
   * After a failed sync the content of the disk is unknown, and the next sync may wrongly succeed. So the file is closed, and the process
   * ends unless it handles this. The next process reads the actual content.
   */
  #giveUp(cause: unknown): void {
    this.#closeFile()
    this.#opening = Promise.reject(unavailable(cause))
    this.#opening.catch(() => {})
    const end = () => {
      const message = `${this.#file} could not be synced to its disk: this process ends. Check the disk.`
      throw new StoreUnavailable(message, { cause })
    }
    // Answers leave at the end of a turn: those about the failure leave before.
    setImmediate(() => setImmediate(end))
  }

  #closeFile(): void {
    this.#statements.clear()
    this.#database?.close()
    this.#database = undefined
    this.#isOpen = false
  }

  async write<T>(command: MakeCommand<T>, patient: boolean): Promise<T> {
    if (!this.#isOpen) await this.#opened()
    return this.#groups.write(command, patient)
  }

  // A read outside a commit sees the last commit: no command stops halfway.
  async read<T>(command: MakeCommand<T>): Promise<T> {
    if (!this.#isOpen) await this.#opened()
    try {
      return run(this, command(), () => {})
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error
    }
  }

  /** Erased and replaced data is overwritten in the file and leaves the log too, unless the result says that there was none. */
  async forGood<T>(erase: () => Promise<T>, isNone: (result: T) => boolean = () => false): Promise<T> {
    if (!this.#isOpen) await this.#opened()
    this.#database?.exec('pragma secure_delete = on')
    let erased = true
    try {
      const result = await erase()
      erased = !isNone(result)
      return result
    } finally {
      this.#database?.exec('pragma secure_delete = fast')
      // Another reader may still use the log; then a later checkpoint removes it.
      if (erased) this.#database?.exec('pragma wal_checkpoint(truncate)')
    }
  }

  open(): Promise<void> {
    this.#opening ??= this.#open()
    this.#opening.catch(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async close(): Promise<void> {
    await this.#groups.idle()
    this.#closeFile()
    this.#opening = undefined
  }

  async #opened(): Promise<void> {
    if (!this.#opening) throw unavailable()
    await this.#opening
  }

  async #open(): Promise<void> {
    const { database, db } = await openSqlite(this.#file)
    try {
      this.#database = database
      this.#isOpen = true
      this.#probe = writeProbe(db, (length) => randomBytes(length).toString('base64').slice(0, length))
    } catch (error) {
      this.#closeFile()
      throw openError(this.#file, error)
    }
  }
}
