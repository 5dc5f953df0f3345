import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { StoreUnavailable } from '../connection.ts'
import { type Engine, type Tables, tables } from '../schema.ts'
import { makeTables } from './make-tables.ts'

/** By their names, in their order. */
export type Migrations = Readonly<Record<string, (db: Kysely<unknown>) => Promise<void>>>

const digest = createHash('sha256').update(JSON.stringify(tables)).digest('hex')

/**
 * From a database without tables to those of today, forward only. A migration that has been released is never changed: the first one is
 * `schema.ts` as the first release has it, and those that follow it add to that. Until then its name follows the tables, so that a store with
 * others is refused, and nobody has to think of it.
 */
export const migrationsFor = (engine: Engine): Migrations => ({
  [`0001-${digest.slice(0, 8)}`]: (db) => makeTables(db, engine),
})

export const databaseOfAnother =
  'The database has tables of another program. Give the provider a database of its own.'

async function migrationsOf(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
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
  if (done.some((name) => /^(0001|2026-11)-/.test(name) && !Object.hasOwn(known, name))) return 'early'
  // Each version knows the first ones of all others.
  if (!done.some((name) => Object.hasOwn(known, name))) return 'of another program'
  if (done.some((name) => !Object.hasOwn(known, name) && takesAway(name))) return 'newer'
  return Object.keys(known).every((name) => done.includes(name)) ? 'current' : 'older'
}

export const levelIn = async (db: Kysely<Tables>, known: Migrations): Promise<Level> =>
  levelOf(await migrationsOf(db).catch(() => []), known)

/** Why tables at a level are left alone. */
export const tablesOfOther: Partial<Record<Level, string>> = {
  early:
    'The store was made before the first release, and no version reads it. Delete it to begin anew, or name an empty database or another file in PURVEYOR_DATABASE_URL.',
  newer: 'The tables were created by a newer version. Run that version, or restore an earlier backup.',
  'of another program': databaseOfAnother,
}

/**
 * Updates the tables in the transaction of `db`, and notes what it did as Kysely's migrator does. Resolves with the number of changes. Rejects
 * with what stopped it, or with a `StoreUnavailable` for tables that are left alone.
 */
export async function migrateTables(db: Kysely<Tables>, known: Migrations): Promise<number> {
  await sql`create table if not exists kysely_migration
    (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  const done = await migrationsOf(db)
  const refusal = tablesOfOther[levelOf(done, known)]
  if (refusal !== undefined) throw new StoreUnavailable(refusal)
  const left = Object.entries(known).filter(([name]) => !done.includes(name))
  for (const [name, carryOut] of left) {
    await carryOut(db as Kysely<unknown>)
    await sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(db)
  }
  return left.length
}
