import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { StoreUnavailable } from '../connection.ts'
import type { Tables } from '../schema.ts'
import { levelIn, migrateTables, migrationsFor } from '../tables/migrate.ts'
import { openError } from './errors.ts'
import { makeOwnFile } from './own-file.ts'

/** An older SQLite may acknowledge commits before they are on disk. */
const oldestSqlite = '3.51.3'

/** Opens a file, creates it if it is missing, and migrates it. Rejects with a `StoreUnavailable`. */
export async function openSqlite(file: string): Promise<DatabaseSync> {
  if (process.versions.sqlite!.localeCompare(oldestSqlite, 'en', { numeric: true }) < 0)
    throw new StoreUnavailable(
      `SQLite ${process.versions.sqlite} is older than ${oldestSqlite}. Run Node 24.15 or newer.`,
    )
  let opened: DatabaseSync | undefined
  try {
    if (file !== ':memory:') makeOwnFile(file)
    const database = openDatabase(file)
    opened = database
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(database) }) })
    if (file === ':memory:') await emptyTables.putInto(database, () => migrate(db, database))
    else await migrate(db, database)
    database.exec('pragma busy_timeout = 0')
    return database
  } catch (error) {
    opened?.close()
    throw openError(file, error)
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
  if (file !== ':memory:' && pragma('journal_mode') !== 'wal')
    throw new StoreUnavailable(
      'SQLite refused WAL mode. Put the file on a local disk, not on a network share.',
    )
  if (pragma('synchronous') !== 2) throw new StoreUnavailable('SQLite refused synchronous = full.')
  return database
}

/**
 * The tables of an empty store, made by its first opening and copied by all later ones: migrations take 50 ms, a copy takes none, and tests
 * open many stores in memory. One for the process, because it is the same for every store and never changes.
 */
class EmptyTables {
  #bytes: Uint8Array | undefined

  async putInto(database: DatabaseSync, make: () => Promise<void>): Promise<void> {
    if (this.#bytes) database.deserialize(this.#bytes)
    else await make()
    this.#bytes ??= database.serialize()
    database.exec('pragma secure_delete = fast')
  }
}
const emptyTables = new EmptyTables()

/** All or nothing: no process finds a half-made table, even after a crash. */
async function migrate(db: Kysely<Tables>, database: DatabaseSync): Promise<void> {
  const migrations = migrationsFor('sqlite')
  if ((await levelIn(db, migrations)) === 'current') return
  // Data that a migration replaces may be secret, so it is overwritten.
  database.exec('pragma secure_delete = on')
  database.exec('begin immediate')
  const changes = await migrateTables(db, migrations)
  database.exec('commit')
  database.exec('pragma secure_delete = fast')
  if (changes > 0) database.exec('pragma wal_checkpoint(truncate)')
}

/** Kysely's SQLite dialect expects another driver's shape: parameters in one array, and `reader` for queries with rows. */
export const forKysely = (database: DatabaseSync, guarded = <T>(use: () => T): T => use()) => ({
  close: () => {},
  prepare(sql: string) {
    const prepared = guarded(() => database.prepare(sql))
    return {
      reader: prepared.columns().length > 0,
      all: (values: readonly unknown[]) => guarded(() => prepared.all(...(values as never[]))),
      run: (values: readonly unknown[]) => guarded(() => prepared.run(...(values as never[]))),
      iterate: (values: readonly unknown[]) => prepared.iterate(...(values as never[])),
    }
  },
})
