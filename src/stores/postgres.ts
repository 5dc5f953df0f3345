import { randomBytes, randomInt } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { ClientConfig, Pool } from 'pg'
import { type StorePort, type StoreTrouble, StoreUnavailable } from '../store.ts'
import { AgreedClock } from './agreed-clock.ts'
import { type Group, GroupCommit, type Tried, type Waiting } from './group-commit.ts'
import { Connection, send, toEnd } from './postgres-connection.ts'
import {
  AnswerLost,
  Blocked,
  driverFault,
  isAway,
  isConnectionFault,
  isRetryable,
  readOnlyServer,
  startError,
  unavailable,
} from './postgres-errors.ts'
import { type Elsewhere, tryGroup } from './postgres-group.ts'
import { LockedRows } from './postgres-locked.ts'
import { migratePostgres } from './postgres-migrate.ts'
import { checkEncryption } from './postgres-tls.ts'
import { clockCommands } from './sql/clocks.ts'
import { sqlCommands } from './sql/commands.ts'
import { portOf } from './sql/port.ts'
import type { Command, Step } from './sql/query.ts'
import type { Tables } from './sql/tables.ts'
import { Writes, writeProbe } from './writes.ts'

/** The oldest server version whose transactions can be looked up by id. */
const oldestServer = 130_000
/** How long a command is retried while the server is unavailable or others block it, in milliseconds. */
const patience = 2_000
/** The limit for a statement: a connection that no longer answers is closed then. */
const statementTimeout = 5_000
/** How long a statement waits for another client's lock. In a group of commands it is less. */
const lockTimeout = 300
const connectTimeout = 2_000
/** The server ends the transaction of a frozen process after this time, and the others continue. */
const idleTimeout = 3_000

export interface PostgresOptions {
  /** Such as `postgres://user:password@host/database`. */
  url: string
  /** Connections of this process. Default 10. */
  connections?: number
}

/**
 * The store on a PostgreSQL server that many processes share. They write one after the other, as on SQLite. Commands that arrive together
 * share one commit. A commit whose answer was lost is looked up by its transaction and never blindly repeated. All nodes agree on a clock
 * based on the server's, so that leases hold across machines whose clocks differ, and none ends when the server's clock is set.
 */
export function postgresStore({ url, connections = 10 }: PostgresOptions): StorePort {
  const commands = sqlCommands(compiling)
  let pool: Pool | undefined
  let opening: Promise<void> | undefined
  let report: (trouble: StoreTrouble) => void = () => {}
  const locked = new LockedRows({
    free,
    goOn: (one) => groups.add(one),
    found(things) {
      const [, shop, order] = /^order (\S+) (.+)$/.exec(things[0] ?? '') ?? []
      report({ code: 'ROW_LOCKED', ...(shop && order && { shop, order }) })
    },
  })
  const groups = new GroupCommit({
    triesFor: patience,
    // A flight to the server takes long enough for others to come.
    patience: 0,
    mostTogether,
    mostApart,
    isApart: (one) => locked.mayBlock(one),
    keeps: (one) => locked.takes(one),
    commit,
    failed: () => writes.failed(),
  })
  const write = <T>(command: () => Command<T>) => groups.write(command)
  const probe = writeProbe(compiling, (length) => randomBytes(length).toString('base64').slice(0, length))
  const writes = new Writes(() => write(probe))
  const clock = new AgreedClock()
  const clocks = clockCommands(compiling, 'postgres')
  /** The reads with more than one query, which is known once they ran. */
  const long = new Set<string>()

  async function open(): Promise<void> {
    const { Client, Pool, types } = await loadPg()
    const config: ClientConfig = {
      connectionString: url,
      connectionTimeoutMillis: connectTimeout,
      keepAlive: true,
      // A flight of queries is sent without waiting for each answer.
      pipeline: true,
      application_name: 'purveyor',
      // Times and counts are 64 bits wide there and exact numbers here.
      types: {
        getTypeParser: (oid: number, format?: 'text' | 'binary') =>
          oid === int8 ? Number : types.getTypeParser(oid, format as 'text'),
      } as never,
    }
    try {
      checkEncryption(url, new Client(config))
    } catch (error) {
      throw startError(error)
    }
    const made = new Pool({
      ...config,
      max: connections,
      query_timeout: statementTimeout,
      idleTimeoutMillis: 30_000,
    })
    // The pool replaces a connection that breaks, and the query on it rejects. Without a listener Node exits on this 'error' event.
    made.on('error', () => {})
    made.on('connect', (client) => {
      client.on('error', () => {})
      // Set here, because a pooler in between accepts no such settings at the start of a connection.
      client.query(limits).catch(() => {})
    })
    try {
      await checkServer(made)
      await migratePostgres({ Pool }, config)
      pool = made
      await look(true)
      clock.keep(() => look(false))
    } catch (error) {
      pool = undefined
      await made.end().catch(() => {})
      throw startError(error)
    }
  }

  async function look(isStart: boolean): Promise<void> {
    const agree = (writes: boolean) => () => clocks.agreeTime(clock, { writes, isStart })
    // A read-only server still gives the time.
    const agreed = await write(agree(true)).catch(() => read('agreeTime', agree(false)))
    const off = agreed && clock.take(agreed)
    if (off !== undefined) report({ code: 'SERVER_CLOCK_JUMPED', seconds: Math.round(off / 1_000) })
  }

  /** Runs with a connection, and again with another one while the server is unavailable. */
  async function connected<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (!pool) await opened()
    const until = performance.now() + patience
    for (let attempt = 0; ; attempt++) {
      let connection: Connection | undefined
      try {
        connection = new Connection(
          await pool!.connect().catch((error: unknown) => {
            throw driverFault(error)
          }),
        )
        const result = await use(connection)
        connection.release(false)
        return result
      } catch (error) {
        // The state of a failed connection is unknown.
        connection?.release(isAway(error) ? true : await rolledBack(connection))
        if (!isRetryable(error)) throw isAway(error) ? unavailable(error) : error
        if (performance.now() > until) throw unavailable(error)
        await pause(attempt)
      }
    }
  }

  async function opened(): Promise<void> {
    if (!opening) throw unavailable()
    await opening
  }

  /** One query is consistent by itself; several read the same snapshot. */
  function read<T>(name: string, command: () => Command<T>): Promise<T> {
    return connected(async (connection) => {
      if (!long.has(name)) {
        const running = command()
        const { done, value } = running.next()
        if (done) return value
        if ('steps' in value && value.steps.length === 1) {
          const next = running.next(await send(connection, value.steps))
          if (next.done) return next.value
        }
        long.add(name)
      }
      const begun = connection.query('begin isolation level repeatable read, read only')
      const [result] = await Promise.all([toEnd(connection, command()), begun])
      await connection.query('commit')
      return result
    })
  }

  /** A rejected command is retried alone while there is time, or fails. */
  function leave(one: Waiting, error: unknown): void {
    if (error instanceof Blocked) locked.add(one, error.step)
    else if (isRetryable(error) && performance.now() < one.until) {
      void pause(0).then(() => groups.add(one))
    } else if (isRetryable(error) || isAway(error)) {
      writes.failed()
      one.reject(unavailable(error))
    } else one.reject(error)
  }

  const elsewhere: Elsewhere = {
    leave,
    setApart: (one) => groups.setApart(one),
    isLocked: (step) => locked.has(step),
  }

  async function commit(group: Group): Promise<Tried> {
    try {
      return await connected(async (connection) => {
        const transaction = await tryGroup(connection, group, elsewhere)
        if (transaction === undefined) return 'again'
        const answer = await connection.query('commit').catch((error: unknown) => {
          throw isConnectionFault(error) ? new AnswerLost(error, transaction) : error
        })
        // The server rolls back a broken transaction at COMMIT, without an error.
        if (answer.command !== 'COMMIT') throw new Error('the server has rolled back what it was to commit')
        return 'committed'
      })
    } catch (error) {
      if (!(error instanceof AnswerLost)) throw error
      return (await wasCommitted(error.transaction)) ? 'committed' : 'again'
    }
  }

  /** Finds the steps that would not wait for a lock now: tries each in a transaction of its own, and undoes it. */
  function free(steps: readonly Step[]): Promise<boolean[]> {
    return connected(async (connection) => {
      const outcomes: boolean[] = []
      for (const step of steps) {
        await connection.query(`begin isolation level read committed; set local lock_timeout = ${lookFor}`)
        outcomes.push(
          await send(connection, [step]).then(
            () => true,
            (error: unknown) => {
              if (isConnectionFault(error)) throw error
              return !(error instanceof Blocked)
            },
          ),
        )
        await connection.query('rollback')
      }
      return outcomes
    })
  }

  /** The outcome of a transaction whose commit was not answered. Rejects if it is unknown. */
  async function wasCommitted(id: string): Promise<boolean> {
    const until = performance.now() + 2 * patience
    for (let attempt = 0; ; attempt++) {
      const status = await connected(async (connection) => {
        const { rows } = await connection.query<{ status: string | null }>(
          'select pg_xact_status($1::xid8) as status',
          [id],
        )
        return rows[0]?.status
      })
      if (status === 'committed' || status === 'aborted') return status === 'committed'
      if (status !== 'in progress' || performance.now() > until) {
        throw unavailable(new Error(`transaction ${id} is ${status ?? 'forgotten'}`))
      }
      await pause(attempt)
    }
  }

  const port = portOf((kind, command, name) =>
    kind === 'read' ? read(name, () => command(commands)) : write(() => command(commands)),
  )

  return {
    ...port,
    now: clock.now,
    clockState: () => read('clockState', () => clocks.clockState(clock.now, clock.wall)),
    releaseClock: () => write(() => clocks.releaseClock(clock.wall)),
    open() {
      opening ??= open()
      opening.catch(() => {
        opening = undefined
      })
      return opening
    },
    async close() {
      clock.end()
      const ending = pool
      opening = undefined
      locked.end()
      await groups.idle()
      pool = undefined
      await ending?.end()
    },
    check: () => writes.check(),
    watch(given) {
      report = given
    },
  }
}

const limits = `set statement_timeout = ${statementTimeout}; set lock_timeout = ${lockTimeout};
  set idle_in_transaction_session_timeout = ${idleTimeout}`
const int8 = 20
/** The most commands of one commit: a failed one costs the others another try. */
const mostTogether = 50
/** The most separate commands of one commit: each runs by itself, and other shops wait for them. */
const mostApart = 10
/** The limit for checking whether a row is still locked, in milliseconds. */
const lookFor = 10

/** Compiles SQL and opens no connection. */
const compiling = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Loaded on use: a SQLite installation may not have it. */
const loadPg = async () => (await import('pg')).default

/** Whether the connection must be closed: `true` if its transaction could not be ended. */
async function rolledBack(connection: Connection | undefined): Promise<boolean> {
  try {
    await connection?.query('rollback')
    return false
  } catch {
    return true
  }
}

/** Rejects with a `StoreUnavailable` if the server is too old, accepts no writes, or acknowledges commits that are not on disk. */
export async function checkServer(pool: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await pool.query<{ version: string; sync: string; fsync: string; readonly: string }>(
    `select current_setting('server_version_num') as version,
      current_setting('synchronous_commit') as sync, current_setting('fsync') as fsync,
      current_setting('transaction_read_only') as readonly`,
  )
  const { version, sync, fsync, readonly } = rows[0]!
  if (Number(version) < oldestServer) {
    throw new StoreUnavailable(
      `The PostgreSQL server is older than version 13 (${version}). Run a newer one.`,
    )
  }
  // Of a standby too.
  if (readonly === 'on') throw new StoreUnavailable(readOnlyServer)
  if (sync === 'off' || fsync === 'off') {
    throw new StoreUnavailable(
      'The PostgreSQL server acknowledges commits before they are on disk. Set synchronous_commit and fsync to on.',
    )
  }
}

const pause = (attempt: number) =>
  new Promise((resolve) => setTimeout(resolve, randomInt(5, 10 * 2 ** Math.min(attempt, 5) + 10)))
