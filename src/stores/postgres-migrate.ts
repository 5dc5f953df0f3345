import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { StoreUnavailable } from '../store.ts'
import { sqlState } from './postgres-errors.ts'
import { isMigrated, migrateTables } from './sql/migrate.ts'
import { migrationsFor } from './sql/migrations.ts'
import type { Tables } from './sql/tables.ts'

/** The limit for updating the tables, by this node or another one with the lock. */
const migrateWithin = 300_000
/** How long a change waits for the users of its table, in milliseconds: less than their lock timeout, as they wait behind it. */
const lockTimeout = 200
/** The shortest pause before the next try, in which the nodes use the table, in milliseconds. */
const standBack = 1_000

/** The most tries to read which tables there are, while another node changes them. */
const mostReads = 5

/** How often the users of a table to be changed are read, in milliseconds. */
const askEvery = 50

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
  { within = migrateWithin }: { within?: number } = {},
): Promise<void> {
  const until = performance.now() + within
  const pool = new Pool({ ...config, max: 1, query_timeout: within })
  let migrating: number | undefined
  pool.on('error', () => {})
  pool.on('connect', (client: PoolClient & { processID?: number }) => {
    // A connection may break while the migrator holds it idle.
    client.on('error', () => {})
    client.query(`set lock_timeout = ${lockTimeout}`).catch(() => {})
    migrating = client.processID
  })
  const onlooker = new Pool({ ...config, max: 1, query_timeout: standBack })
  onlooker.on('error', () => {})
  onlooker.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  let users = ''
  try {
    for (let attempt = 0; ; attempt++) {
      const began = performance.now()
      const running = migrate(db)
      // A start without a conflict uses one connection.
      if (attempt > 0) users = (await usersUntil(running, onlooker, () => migrating)) || users
      const error = await running
      if (error === undefined) return
      if (!(isLocked(error) || (isBesideChange(error) && attempt < mostReads))) throw error
      const pause = Math.max(standBack, performance.now() - began) + randomInt(standBack / 2)
      if (attempt > 0 && performance.now() + pause > until) throw inUse(users, error)
      await sleep(pause)
    }
  } finally {
    await Promise.all([db.destroy(), onlooker.end()])
  }
}

const isLocked = (error: unknown): boolean => sqlState(error) === '55P03'

/**
 * The migrator reads the catalog before it takes its lock, and a catalog that another node changes at this moment does not hold together:
 * a column, a table or an entry of it is missing.
 */
const isBesideChange = (error: unknown): boolean =>
  ['42703', '42P01', '42704', 'XX000'].includes(sqlState(error) ?? '')

/** Resolves with the error that stopped the update. */
async function migrate(db: Kysely<Tables>): Promise<unknown> {
  const migrations = migrationsFor('postgres')
  return (await isMigrated(db, migrations)) ? undefined : (await migrateTables(db, migrations)).error
}

/** The clients seen blocking the migration until it ended, as text; empty if there were none. */
async function usersUntil(
  running: Promise<unknown>,
  onlooker: Pool,
  migrating: () => number | undefined,
): Promise<string> {
  let users = ''
  let ended = false
  const stop = () => {
    ended = true
  }
  const end = running.then(stop, stop)
  while (!ended) {
    const found = await onlooker.query<User>(usersOf, [migrating()]).catch(() => undefined)
    if (found?.rows.length) users = found.rows.map(inWords).join(', ')
    await Promise.race([end, sleep(askEvery)])
  }
  return users
}

interface User {
  name: string
  pid: number
  role: string
}

const usersOf = `select application_name as name, pid, usename as role from pg_stat_activity
  where pid = any(pg_blocking_pids($1)) order by xact_start limit 5`

const inWords = ({ name, pid, role }: User) => `"${name}" (process ${pid}, user ${role})`

const inUse = (users: string, cause: unknown): StoreUnavailable =>
  new StoreUnavailable(
    `A table to be changed stays in use${users && ` by ${users}`}. End that transaction, or start again once it is over.`,
    { cause },
  )
