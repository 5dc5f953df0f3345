import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { movedTime } from '../network/moved-time.ts'
import { type StorePort, type StoreTrouble, StoreUnavailable } from '../store.ts'
import { atLeast } from '../version.ts'
import { AgreedClock } from './agreed-clock.ts'
import { type Group, GroupCommit, type Tried } from './group-commit.ts'
import { makeOwnFile, openToOthers } from './own-file.ts'
import { clockCommands } from './sql/clocks.ts'
import { sqlCommands } from './sql/commands.ts'
import { migrationsFor } from './sql/migrations.ts'
import { isNewer, newerStore } from './sql/newer.ts'
import { type Commands, portOf } from './sql/port.ts'
import type { Command } from './sql/query.ts'
import type { Tables } from './sql/tables.ts'
import { isBusy, isFailedSync, isUnavailable, openError, unavailable } from './sqlite-errors.ts'
import { run, type SqliteFile, tryGroup } from './sqlite-group.ts'
import { Writes, writeProbe } from './writes.ts'

/** An older SQLite may acknowledge commits before they are on disk. */
const oldestSqlite = '3.51.3'
const busyFor = 2_000
/** How long a command without a waiting caller may wait to share a commit, in milliseconds. */
const patience = 5

export interface SqliteOptions {
  /** A path, created with its folders if missing, for this user only. `:memory:` stores nothing on disk. */
  file: string
}

/** The store in one SQLite file. Commands that arrive together share one synced commit; a failed one undoes only itself. */
export function sqliteStore({ file }: SqliteOptions): StorePort {
  let database: DatabaseSync | undefined
  let commands: Commands | undefined
  let opening: Promise<void> | undefined
  let probe: () => Command<void>
  const writes = new Writes(() => write(() => probe(), false))
  const groups = new GroupCommit({
    triesFor: busyFor,
    patience: file === ':memory:' ? 0 : patience,
    mostTogether: Number.POSITIVE_INFINITY,
    mostApart: 0,
    commit,
    failed: () => writes.failed(),
  })
  const statements = new Map<string, StatementSync>()
  let report: (trouble: StoreTrouble) => void = () => {}
  let clocks: ReturnType<typeof clockCommands> | undefined
  /** A store in memory has no other nodes, and a process with a moved clock uses that clock. */
  const clock = file === ':memory:' || movedTime() ? undefined : new AgreedClock()

  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const prepared = database!.prepare(sql)
    statements.set(sql, prepared)
    return prepared
  }
  const sqliteFile: SqliteFile = { statement, damaged: () => report({ code: 'STORE_DAMAGED' }) }

  function commit({ commands }: Group): Tried {
    try {
      return tryGroup(sqliteFile, commands) ? 'committed' : 'again'
    } catch (error) {
      if (database?.isTransaction) database.exec('rollback')
      // Nothing ran: all commands wait for the other process, without blocking the event loop.
      if (isBusy(error) && database && performance.now() < commands[0]!.until) return 'busy'
      if (isFailedSync(error)) giveUp(error)
      throw unavailable(error)
    }
  }

  /**
   * After a failed sync the content of the disk is unknown, and the next sync may wrongly succeed. So the file is closed, and the process
   * ends unless it handles this. The next process reads the actual content.
   */
  function giveUp(cause: unknown): void {
    clock?.end()
    statements.clear()
    database?.close()
    database = undefined
    commands = undefined
    opening = Promise.reject(unavailable(cause))
    opening.catch(() => {})
    setImmediate(() => {
      throw new StoreUnavailable(
        `${file} could not be synced to its disk: this process ends. Check the disk.`,
        {
          cause,
        },
      )
    })
  }

  async function write<T>(command: () => Command<T>, patient: boolean): Promise<T> {
    if (!commands) await opened()
    return groups.write(command, patient)
  }

  /** A command that arrives while the store is being opened waits. */
  async function opened(): Promise<void> {
    if (!opening) throw unavailable()
    await opening
  }

  // A read outside a commit sees the last commit: no command stops halfway.
  async function read<T>(command: () => Command<T>): Promise<T> {
    if (!commands) await opened()
    try {
      return run(sqliteFile, command(), () => {})
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error
    }
  }

  /** Compares the agreed time with this machine's. While a process runs, its own watch reports changes of the clock. */
  async function look(agreedClock: AgreedClock, isStart: boolean): Promise<void> {
    const agree = (writes: boolean) => () => clocks!.agreeTime(agreedClock, { writes, isStart })
    // A full disk can be read.
    const agreed = await write(agree(true), !isStart).catch(() => read(agree(false)))
    const off = agreed && agreedClock.take(agreed)
    if (off !== undefined && isStart) report({ code: 'CLOCK_JUMPED', seconds: Math.round(off / 1_000) })
  }

  const port = portOf((kind, command) =>
    kind === 'read' ? read(() => command(commands!)) : write(() => command(commands!), kind === 'patient'),
  )

  /** Erased and replaced data is overwritten in the file and leaves the log too. */
  async function forGood<T>(erase: () => Promise<T>): Promise<T> {
    if (!commands) await opened()
    database?.exec('pragma secure_delete = on')
    try {
      return await erase()
    } finally {
      database?.exec('pragma secure_delete = fast')
      // Another reader may still use the log; then a later checkpoint removes it.
      database?.exec('pragma wal_checkpoint(truncate)')
    }
  }

  return {
    volatile: file === ':memory:',
    get warnings() {
      return file === ':memory:'
        ? []
        : openToOthers(file).map(
            (path) =>
              `other users of this machine can open ${path}, and this process cannot change that. Run: chown ${process.getuid?.() ?? '<user>'} ${path} && chmod 600 ${path}`,
          )
    },
    open() {
      opening ??= open()
      opening.catch(() => {
        opening = undefined
      })
      return opening
    },
    async close() {
      clock?.end()
      await groups.idle()
      statements.clear()
      database?.close()
      database = undefined
      commands = undefined
      opening = undefined
    },
    check: () => writes.check(),
    watch(given) {
      report = given
    },
    ...(clock && {
      now: clock.now,
      clockState: () => read(() => clocks!.clockState(clock.now, clock.wall)),
      releaseClock: () => write(() => clocks!.releaseClock(clock.wall), false),
    }),
    ...port,
    ensureKey: (name, key, anew) =>
      anew.length === 0 ? port.ensureKey(name, key, anew) : forGood(() => port.ensureKey(name, key, anew)),
    removeShop: (...args) => forGood(() => port.removeShop(...args)),
    erasePayment: (...args) => forGood(() => port.erasePayment(...args)),
    prunePayments: (prune) =>
      prune.dryRun ? port.prunePayments(prune) : forGood(() => port.prunePayments(prune)),
  }

  async function open(): Promise<void> {
    if (!atLeast(process.versions.sqlite!, oldestSqlite)) {
      throw new StoreUnavailable(
        `SQLite ${process.versions.sqlite} is older than ${oldestSqlite}. Run Node 24.15 or newer.`,
      )
    }
    try {
      if (file !== ':memory:') makeOwnFile(file)
      database = openDatabase(file)
      const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(database) }) })
      if (file === ':memory:') await copyTables(database, () => migrate(db, database!))
      else await migrate(db, database)
      database.exec('pragma busy_timeout = 0')
      commands = sqlCommands(db)
      clocks = clockCommands(db, 'sqlite')
      if (clock) {
        await look(clock, true)
        clock.keep(() => look(clock, false))
      }
      probe = writeProbe(db, (length) => randomBytes(length).toString('base64').slice(0, length))
    } catch (error) {
      database?.close()
      database = undefined
      throw openError(file, error)
    }
  }
}

/** SQLite's own backup, for a store in use. Rejects with a `StoreUnavailable`; an incomplete copy does not open as a database. */
export async function backupSqlite(file: string, target: string): Promise<void> {
  try {
    const source = new DatabaseSync(file, { readOnly: true })
    try {
      closeSync(openSync(target, 'a', 0o600))
      await backup(source, target)
    } finally {
      source.close()
    }
  } catch (cause) {
    throw new StoreUnavailable(
      `${file} could not be copied to ${target}. Check both paths, and the free space.`,
      { cause },
    )
  }
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 })
  const pragma = (sql: string) => Object.values(database.prepare(`pragma ${sql}`).get() ?? {})[0]
  pragma('busy_timeout = 2000')
  pragma('journal_mode = wal')
  database.exec('pragma synchronous = full')
  // Deleted and moved data is overwritten in pages that are written anyway.
  database.exec('pragma secure_delete = fast')
  // 64 MB of pages, enough for the indexes of a million payments.
  database.exec('pragma cache_size = -65536')
  if (file !== ':memory:' && pragma('journal_mode') !== 'wal') {
    throw new StoreUnavailable(
      'SQLite refused WAL mode. Put the file on a local disk, not on a network share.',
    )
  }
  if (pragma('synchronous') !== 2) throw new StoreUnavailable('SQLite refused synchronous = full.')
  return database
}

/** The tables of an empty store. Migrations take 50 ms, a copy of what they leave takes none: tests open many stores in memory. */
let emptyTables: Uint8Array | undefined

async function copyTables(database: DatabaseSync, make: () => Promise<void>): Promise<void> {
  if (emptyTables) database.deserialize(emptyTables)
  else {
    await make()
    emptyTables = database.serialize()
  }
  database.exec('pragma secure_delete = fast')
}

/** All or nothing: no process finds a half-made table, even after a crash. */
async function migrate(db: Kysely<Tables>, database: DatabaseSync): Promise<void> {
  const migrations = migrationsFor('sqlite')
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    allowUnorderedMigrations: true,
  })
  // Data that a migration replaces may be secret, so it is overwritten.
  database.exec('pragma secure_delete = on')
  database.exec('begin immediate')
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error && (await isNewer(db, migrations))) throw newerStore(error)
  if (error) throw error
  database.exec('commit')
  database.exec('pragma secure_delete = fast')
  if (results.length > 0) database.exec('pragma wal_checkpoint(truncate)')
}

/** Kysely's SQLite dialect expects another driver's shape: parameters in one array, and `reader` for queries with rows. */
const forKysely = (database: DatabaseSync) => ({
  close: () => {},
  prepare(sql: string) {
    const prepared = database.prepare(sql)
    return {
      reader: prepared.columns().length > 0,
      all: (values: readonly unknown[]) => prepared.all(...(values as never[])),
      run: (values: readonly unknown[]) => prepared.run(...(values as never[])),
      iterate: (values: readonly unknown[]) => prepared.iterate(...(values as never[])),
    }
  },
})
