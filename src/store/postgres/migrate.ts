import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool, PoolConfig } from 'pg'
import { StoreUnavailable } from '../connection.ts'
import { completeHolds, hasHolds, hasHoldsAtEnds } from '../holds.ts'
import type { Tables } from '../schema.ts'
import { levelIn, type Migrations, migrateTables, migrationsFor } from '../tables/migrate.ts'
import { isLocked, sqlState } from './errors.ts'

/** The limit for updating the tables, by this node or another one with the lock. */
const migrateWithin = 300_000
/** How long a change waits for the users of its table, in milliseconds: less than their lock timeout, as they wait behind it. */
const lockTimeout = 200
/** The shortest pause before the next try, in which the nodes use the table, in milliseconds. */
const standBack = 1_000

/** How often it asks for the lock while another node changes the tables, in milliseconds. */
const tryEvery = 100
/** Of the transaction: a session may belong to a pool, which gives it to others. */
const migrationLock = '3853314791062309107'

interface Driver {
  Pool: new (config: PoolConfig) => Pool
}

/**
 * Updates the tables under a lock and in one transaction, so that one of several starting nodes does it. If another client uses a table to
 * be changed, it releases the lock and tries again until `within` milliseconds are over. Then it rejects with a `StoreUnavailable` that
 * names the client.
 */
export async function migratePostgres(
  { Pool }: Driver,
  config: PoolConfig,
  {
    within = migrateWithin,
    migrations = migrationsFor('postgres'),
  }: { within?: number; migrations?: Migrations } = {},
): Promise<void> {
  const until = performance.now() + within
  const pool = new Pool({ ...config, max: 1, query_timeout: within })
  pool.on('error', () => {})
  // A connection may break while it is idle.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    for (;;) {
      if ((await levelIn(db, migrations)) === 'current') return
      const began = performance.now()
      const outcome = await migrate(db, migrations).catch((cause) => {
        if (!isLocked(cause)) throw cause
        return { cause }
      })
      if (outcome === 'done') return
      const pause =
        outcome === 'another node'
          ? tryEvery
          : Math.max(standBack, performance.now() - began) + randomInt(standBack / 2)
      if (performance.now() + pause > until)
        throw inUse((await users.execute(db)).rows, outcome === 'another node' ? undefined : outcome.cause)
      await sleep(pause)
    }
  } finally {
    await db.destroy()
  }
}

const begin = sql<{ is_locked: boolean }>`select
  set_config('lock_timeout', ${sql.lit(`${lockTimeout}`)}, true),
  pg_try_advisory_xact_lock(${sql.lit(migrationLock)}::bigint) as is_locked`

/** One try to update the tables. Rejects with what stopped it: then nothing has changed. */
function migrate(db: Kysely<Tables>, migrations: Migrations): Promise<'done' | 'another node'> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await begin.execute(transaction)
    if (!rows[0]!.is_locked) return 'another node'
    await migrateTables(transaction, migrations)
    return 'done'
  })
}

interface User {
  name: string
  pid: number
  role: string
}

/** The clients whose transactions keep our tables, the oldest first. */
const users = sql<User>`select application_name as name, pid, usename as role from pg_stat_activity
  where datname = current_database() and pid in (
    select pid from pg_locks join pg_class on pg_class.oid = relation
    where granted and relkind = 'r' and relnamespace = current_schema()::regnamespace and pid <> pg_backend_pid()
  ) order by xact_start limit 5`

function inUse(users: readonly User[], cause: unknown): StoreUnavailable {
  const by = users.map(({ name, pid, role }) => `"${name}" (process ${pid}, user ${role})`).join(', ')
  return new StoreUnavailable(
    `A table to be changed stays in use${by && ` by ${by}`}. End that transaction, or start again once it is over.`,
    { cause },
  )
}

/**
 * Adds the rows of `holds` that are not there, such as after a restore without its data: every write locks some of them. A node that `serves`
 * counts them all; a command in a terminal looks for two.
 */
export async function fillHolds(pool: Pick<Pool, 'query'>, serves: boolean): Promise<void> {
  const looked = serves ? hasHolds : hasHoldsAtEnds
  const found = await pool.query<{ complete: boolean }>(looked).catch((error: unknown) => {
    if (sqlState(error) === '42P01') return { rows: [{ complete: false }] }
    throw error
  })
  if (!found.rows[0]!.complete) await pool.query(completeHolds)
}
