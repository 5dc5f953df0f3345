import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StoreUnavailable } from '../../store.ts'
import type { Tables } from './tables.ts'

/** The names of the migrations that were carried out; none in a database without tables. */
async function migrationsOf(db: Kysely<Tables>): Promise<string[]> {
  try {
    const done = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
      .selectFrom('kysely_migration')
      .select('name')
      .execute()
    return done.map(({ name }) => name)
  } catch {
    return []
  }
}

/** Whether the tables are those of this version. The migrator needs ten queries to find that it has nothing to do. */
export async function isMigrated(db: Kysely<Tables>, known: Record<string, Migration>): Promise<boolean> {
  const done = await migrationsOf(db)
  return done.length === Object.keys(known).length && done.every((name) => Object.hasOwn(known, name))
}

/** Updates the tables. Resolves with the number of changes, or with the error that stopped it: that of a newer store by name. */
export async function migrateTables(
  db: Kysely<Tables>,
  known: Record<string, Migration>,
): Promise<{ error?: unknown; changes: number }> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => known },
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (!error) return { changes: results.length }
  const isNewer = (await migrationsOf(db)).some((name) => !Object.hasOwn(known, name))
  return { error: isNewer ? newerStore(error) : error, changes: 0 }
}

const newerStore = (cause: unknown): StoreUnavailable =>
  new StoreUnavailable(
    'The tables were created by a newer version. Run that version, or restore an earlier backup.',
    { cause },
  )
