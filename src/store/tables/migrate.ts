import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StoreUnavailable } from '../connection.ts'
import type { Engine, Tables } from '../schema.ts'
import { makeTables } from './make-tables.ts'

export type Migrations = Readonly<Record<string, Migration>>

/**
 * From a database without tables to those of today, forward only. A migration that has been released is never changed: the first one is
 * `schema.ts` as the first release has it, and those that follow it add to that.
 */
export const migrationsFor = (engine: Engine): Migrations => ({
  '0001-first': { up: (db: Kysely<unknown>) => makeTables(db, engine) },
})

export const databaseOfAnother =
  'The database has tables of another program. Give the provider a database of its own.'

/** The first migrations of stores that were made before there were releases. Until then it gets another name with each change of the tables. */
const beforeReleases = ['2026-11-start', '0001-tables', '0001-start']

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
const takesAway = (name: string): boolean => name.endsWith('-contract')

/** How the tables stand: by which migrations were carried out. */
export type Level = 'none' | 'older' | 'current' | 'newer' | 'early' | 'of another program'

/** `newer`: another version has taken something away. */
function levelOf(done: readonly string[], known: Migrations): Level {
  if (done.length === 0) return 'none'
  if (done.some((name) => beforeReleases.includes(name))) return 'early'
  // Each version knows the first ones of all others.
  if (!done.some((name) => Object.hasOwn(known, name))) return 'of another program'
  if (done.some((name) => !Object.hasOwn(known, name) && takesAway(name))) return 'newer'
  return Object.keys(known).every((name) => done.includes(name)) ? 'current' : 'older'
}

/** The level of tables as they are. The migrator needs ten queries to find that it has nothing to do. */
export const levelIn = async (db: Kysely<Tables>, known: Migrations): Promise<Level> =>
  levelOf(await migrationsOf(db), known)

/** Why tables at a level are left alone. */
export const tablesOfOther: Partial<Record<Level, string>> = {
  early:
    'The store was made before the first release, and no version reads it. Delete it to begin anew, or name an empty database or another file in PURVEYOR_DATABASE_URL.',
  newer: 'The tables were created by a newer version. Run that version, or restore an earlier backup.',
  'of another program': databaseOfAnother,
}

/**
 * Updates the tables. Resolves with the number of changes, or with the error that stopped it: that of a newer store by name. `isNew`: the migrator
 * has no tables yet. Asking for them would end a transaction on a server.
 */
export async function migrateTables(
  db: Kysely<Tables>,
  known: Migrations,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<{ error?: unknown; changes: number }> {
  const done = isNew ? [] : await migrationsOf(db)
  const refusal = tablesOfOther[levelOf(done, known)]
  if (refusal !== undefined) return { error: new StoreUnavailable(refusal), changes: 0 }
  const ofNewer = Object.fromEntries(
    done.filter((name) => !Object.hasOwn(known, name)).map((name) => [name, { up: async () => {} }]),
  )
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...known, ...ofNewer }) },
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  return error ? { error, changes: 0 } : { changes: results.length }
}
