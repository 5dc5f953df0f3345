import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import type { Pool, PoolConfig } from 'pg'
import { StoreUnavailable } from '../store.ts'
import { isAfterAnother, isLocked } from './postgres-errors.ts'
import { levelIn, type Migrations, migrateTables, migrationsFor } from './sql/migrate.ts'
import type { Tables } from './sql/schema.ts'

/** The limit for updating the tables, by this node or another one with the lock. */
const migrateWithin = 300_000
/** How long a change waits for the users of its table, in milliseconds: less than their lock timeout, as they wait behind it. */
const lockTimeout = 200
/** The shortest pause before the next try, in which the nodes use the table, in milliseconds. */
const standBack = 1_000

/** How often the users of a table to be changed are read, in milliseconds. */
const askEvery = 50

/** How often it asks for the lock while another node changes the tables, in milliseconds. */
const tryEvery = 100
/** The lock of the migrator, which takes it for its session. */
const migrationLock = '3853314791062309107'

interface Driver {
  Pool: new (config: PoolConfig) => Pool
}

/** The lock is that of the whole transaction: a session may belong to a pool, which gives it to others. */
class LockedAlready extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LockedAlready()
  }
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
  // A connection may break while the migrator holds it idle.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const onlooker = new Pool({ ...config, max: 1, query_timeout: standBack })
  onlooker.on('error', () => {})
  onlooker.on('connect', (client) => void client.on('error', () => {}))
  let running: Migration | undefined
  const db = new Kysely<Tables>({
    dialect: new Dialect({ pool }),
    log(event) {
      if (event.level === 'error') running?.failed(event.error)
    },
  })
  let users = ''
  let tries = 0
  try {
    for (;;) {
      const began = performance.now()
      running = new Migration(db, migrations)
      const ended = running.run()
      // A start without a conflict uses one connection.
      if (tries > 0) users = (await usersUntil(ended, onlooker, () => running?.pid)) || users
      const outcome = await ended
      if (outcome === 'done') return
      if (outcome === 'another node') {
        if (performance.now() > until) throw inUse(users)
        await sleep(tryEvery)
        continue
      }
      const { error } = outcome
      if (!isLocked(error)) throw error
      const pause = Math.max(standBack, performance.now() - began) + randomInt(standBack / 2)
      if (tries > 0 && performance.now() + pause > until) throw inUse(users, error)
      tries++
      await sleep(pause)
    }
  } finally {
    await Promise.all([db.destroy(), onlooker.end()])
  }
}

const begin = sql<{ pid: number; is_locked: boolean; is_new: boolean }>`select pg_backend_pid() as pid,
  set_config('lock_timeout', ${sql.lit(`${lockTimeout}`)}, true),
  pg_try_advisory_xact_lock(${sql.lit(migrationLock)}::bigint) as is_locked,
  to_regclass('kysely_migration') is null as is_new`

/** One try to update the tables. */
class Migration {
  /** The process of the server that does it. */
  pid: number | undefined
  readonly #db: Kysely<Tables>
  readonly #migrations: Migrations
  #fault: unknown

  constructor(db: Kysely<Tables>, migrations: Migrations) {
    this.#db = db
    this.#migrations = migrations
  }

  /** A query of it has failed. The migrator goes on with others, and rejects with an error of those. */
  failed(error: unknown): void {
    this.#fault ??= error
  }

  /** Resolves with the error that stopped it: then nothing has changed. */
  async run(): Promise<'done' | 'another node' | { error: unknown }> {
    if ((await levelIn(this.#db, this.#migrations)) === 'current') return 'done'
    this.#fault = undefined
    try {
      return await this.#db.transaction().execute(async (transaction) => {
        const { rows } = await begin.execute(transaction)
        const { pid, is_locked, is_new } = rows[0]!
        this.pid = pid
        if (!is_locked) return 'another node'
        const { error } = await migrateTables(transaction, this.#migrations, { isNew: is_new })
        if (error) throw error
        return 'done'
      })
    } catch (error) {
      return { error: isAfterAnother(error) ? this.#fault : error }
    }
  }
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

const inUse = (users: string, cause?: unknown): StoreUnavailable =>
  new StoreUnavailable(
    `A table to be changed stays in use${users && ` by ${users}`}. End that transaction, or start again once it is over.`,
    { cause },
  )
