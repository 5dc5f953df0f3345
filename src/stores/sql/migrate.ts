import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StoreUnavailable } from '../../store.ts'
import type { Tables } from './tables.ts'

export const databaseOfAnother =
  'The database has tables of another program. Give the provider a database of its own.'

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

/**
 * Whether a migration takes away or renames what older nodes need: its name ends so. All others only add, and nodes that do not know them go on
 * and start beside newer ones.
 */
export const takesAway = (name: string): boolean => name.endsWith('-contract')

/** The migrations that newer nodes have carried out. */
const unknownIn = (done: readonly string[], known: Record<string, Migration>): string[] =>
  done.filter((name) => !Object.hasOwn(known, name))

/** Whether another program carried them out: each version knows the first ones of all others. */
export const isOfAnother = (done: readonly string[], known: Record<string, Migration>): boolean =>
  done.length > 0 && !done.some((name) => Object.hasOwn(known, name))

/**
 * Whether this version can use the tables as they are: all its migrations were carried out, and those of newer nodes took nothing away. The
 * migrator needs ten queries to find that it has nothing to do.
 */
export async function isMigrated(db: Kysely<Tables>, known: Record<string, Migration>): Promise<boolean> {
  const done = await migrationsOf(db)
  return Object.keys(known).every((name) => done.includes(name)) && !unknownIn(done, known).some(takesAway)
}

/**
 * Updates the tables. Resolves with the number of changes, or with the error that stopped it: that of a newer store by name. `isNew`: the migrator
 * has no tables yet. Asking for them would end a transaction on a server.
 */
export async function migrateTables(
  db: Kysely<Tables>,
  known: Record<string, Migration>,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<{ error?: unknown; changes: number }> {
  const done = isNew ? [] : await migrationsOf(db)
  if (isOfAnother(done, known)) return { error: ofAnotherProgram(), changes: 0 }
  const unknown = unknownIn(done, known)
  if (unknown.some(takesAway)) return { error: newerStore(), changes: 0 }
  const ofNewer = Object.fromEntries(unknown.map((name) => [name, { up: async () => {} }]))
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...known, ...ofNewer }) },
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  return error ? { error, changes: 0 } : { changes: results.length }
}

const newerStore = (): StoreUnavailable =>
  new StoreUnavailable(
    'The tables were created by a newer version. Run that version, or restore an earlier backup.',
  )

const ofAnotherProgram = (): StoreUnavailable => new StoreUnavailable(databaseOfAnother)
