import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Db } from '../columns.ts'
import { type StoreTrouble, StoreUnavailable } from '../connection.ts'
import type { Command } from '../query.ts'
import { standsStill } from '../standstill.ts'
import { Writes, writeProbe } from '../writes.ts'
import { isBusy, isDamaged, isFailedSync, isUnavailable, unavailable } from './errors.ts'
import { openSqlite } from './open.ts'

/** How long a command is tried again while another process writes, and the pause before each try, in milliseconds. */
const busyFor = 2_000
const busyRetry = 20
/** How long a command without a waiting caller may wait to share a commit, in milliseconds. */
const patience = 5
const mostDamages = 100

interface Waiting {
  command: () => Command<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Until when it is tried again, in milliseconds of `performance.now()`. */
  until: number
  /** Answers its caller once the commit is on disk. */
  settle?: () => void
  /** It has rejected by itself, and further tries leave it out. */
  refused?: boolean
  /** How often a damaged page has stopped a part of it. */
  damages: number
}

/**
 * Runs commands in one SQLite file. A command that arrives while it is being opened waits. Those that arrive in the same moment share one commit, and
 * are answered once it is on disk. Groups run one after the other; new commands form the next group.
 */
export class SqliteEngine {
  readonly #file: string
  #database: DatabaseSync | undefined
  readonly #probe = writeProbe(new Db('sqlite'))
  #opening: Promise<void> | undefined
  readonly #waiting: Waiting[] = []
  #later: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  readonly #statements = new Map<string, StatementSync>()
  readonly writes = new Writes(() => this.write(this.#probe, false))
  report: (trouble: StoreTrouble) => void = () => {}

  constructor(file: string) {
    this.#file = file
  }

  statement(sql: string): StatementSync {
    const prepared = this.#statements.get(sql) ?? this.#database!.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }

  async write<T>(command: () => Command<T>, isPatient: boolean): Promise<T> {
    if (!this.#database) await this.#opened()
    return new Promise((resolve, reject) => {
      const until = performance.now() + busyFor
      this.#waiting.push({ command, resolve: resolve as (value: unknown) => void, reject, until, damages: 0 })
      if (this.#writing) return
      if (isPatient && this.#file !== ':memory:') this.#later ??= setTimeout(() => this.#begin(), patience)
      else this.#begin()
    })
  }

  #begin(): void {
    clearTimeout(this.#later)
    this.#later = undefined
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    do {
      // Commands of the same moment join the group.
      await new Promise(setImmediate)
      const group = this.#waiting.splice(0)
      if (this.#commit(group)) continue
      this.#waiting.unshift(...group)
      await new Promise((resolve) => setTimeout(resolve, busyRetry))
    } while (this.#waiting.length > 0)
    this.#writing = undefined
  }

  /** Answers the commands of a group. `false`: nothing ran, and all of them wait for another process, without blocking the event loop. */
  #commit(group: readonly Waiting[]): boolean {
    const database = this.#database
    try {
      while (!tryGroup(this, group));
      for (const { settle } of group) settle!()
    } catch (error) {
      if (database?.isTransaction) database.exec('rollback')
      if (isBusy(error) && database && performance.now() < group[0]!.until) return false
      if (isFailedSync(error)) this.#giveUp(error)
      this.writes.failed()
      for (const { reject } of group) reject(unavailable(error))
    }
    return true
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
  }

  // A read outside a commit sees the last commit: no command stops halfway.
  async read<T>(command: () => Command<T>): Promise<T> {
    if (!this.#database) await this.#opened()
    try {
      return run(this, command(), () => {})
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error
    }
  }

  /** Erased and replaced data is overwritten in the file and leaves the log too. */
  async forGood<T>(erase: () => Promise<T>): Promise<T> {
    if (!this.#database) await this.#opened()
    this.#database?.exec('pragma secure_delete = on')
    try {
      return await erase()
    } finally {
      this.#database?.exec('pragma secure_delete = fast')
      // Another reader may still use the log; then a later checkpoint removes it.
      this.#database?.exec('pragma wal_checkpoint(truncate)')
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
    if (this.#later) this.#begin()
    while (this.#writing) await this.#writing
    this.#closeFile()
    this.#opening = undefined
  }

  async #opened(): Promise<void> {
    if (!this.#opening) throw unavailable()
    await this.#opening
  }

  async #open(): Promise<void> {
    this.#database = await openSqlite(this.#file)
  }
}

/** Runs a command in one go. `wrote` is called before it changes anything. */
function run<T>(file: SqliteEngine, command: Command<T>, wrote: () => void): T {
  let wait = command.next()
  while (!wait.done) {
    // It runs alone, so it has what it holds.
    const { steps, damagedAt } = 'steps' in wait.value ? wait.value : { steps: [], damagedAt: undefined }
    wait = command.next(
      steps.map(({ sql, writes, values }, index) => {
        if (writes) wrote()
        try {
          return file.statement(sql).all(...values)
        } catch (error) {
          if (!isDamaged(error)) throw error
          file.report({ code: 'STORE_DAMAGED' })
          if (!damagedAt) throw error
          damagedAt(index)
          throw new LeavesOut(error)
        }
      }),
    )
  }
  return wait.value
}

/** Runs commands under one commit. `false`: one failed after a write, nothing is committed, and the next try leaves it out. Throws if all of them fail. */
function tryGroup(file: SqliteEngine, commands: readonly Waiting[]): boolean {
  file.statement('begin immediate').all()
  for (const one of commands) {
    if (one.refused) continue
    let wrote = false
    try {
      const value = run(file, one.command(), () => {
        wrote = true
      })
      one.settle = () => one.resolve(value)
    } catch (error) {
      const damaged = isDamaged(error) || error instanceof LeavesOut
      if (isUnavailable(error) && !damaged) throw error
      const cause = error instanceof LeavesOut ? error.cause : error
      if (error instanceof LeavesOut) one.damages++
      if (cause === error || one.damages >= mostDamages) {
        const refusal = damaged ? unavailable(cause) : (standsStill(error) ?? error)
        one.settle = () => one.reject(refusal)
        one.refused = true
      }
      // SQLite does not commit a transaction that met a damaged page.
      if (wrote || damaged) {
        file.statement('rollback').all()
        return false
      }
    }
  }
  file.statement('commit').all()
  return true
}

/** A damaged page stops a part of a command; the command runs again without that part. */
class LeavesOut extends Error {
  override readonly name = 'LeavesOut'
  constructor(cause: unknown) {
    super('a damaged page', { cause })
  }
}
