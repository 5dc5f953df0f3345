import { hash, randomInt } from 'node:crypto'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { Migrator } from 'kysely/migration'
import type { ClientConfig, Pool, PoolClient } from 'pg'
import { type Store, StoreUnavailable } from '../store.ts'
import { checkEncryption } from './postgres-tls.ts'
import { portOf, sqlCommands } from './sql/commands.ts'
import { migrationsFor } from './sql/migrations.ts'
import type { Command, Step } from './sql/query.ts'
import { sideBySide } from './sql/side-by-side.ts'
import type { Tables } from './sql/tables.ts'

/** The oldest server whose transactions can be asked for by their id. */
const oldestServer = 130_000
/** How long a command is tried again while the server is away or others are in its way, in milliseconds. */
const patience = 2_000
/** How long a statement may take: a connection that answers no more is let go of then. */
const statementTimeout = 5_000
const connectTimeout = 2_000
/** How long the tables may take to be brought up to date, by this node or another that has the lock. */
const migrateWithin = 300_000
/** A process that froze while it wrote is sent home by the server then, and the others go on. */
const idleTimeout = 3_000
/** How often the server is asked what time it is. */
const clockEvery = 60_000

export interface PostgresOptions {
  /** Such as `postgres://user:password@host/database`. */
  url: string
  /** Connections of this process. Default 10. */
  connections?: number
}

/**
 * The store on a PostgreSQL server that many processes share. They write one after the other, as on SQLite; commands that arrive in
 * the same moment share one commit; a commit whose answer was lost is asked for by its transaction and never blindly repeated. Its
 * clock is the server's, so that leases hold among machines whose clocks differ.
 */
export function postgresStore({ url, connections = 10 }: PostgresOptions): Store {
  const commands = sqlCommands(compiling)
  let pool: Pool | undefined
  let opening: Promise<void> | undefined
  const waiting: Waiting[] = []
  let writing = false
  let offset = 0
  let clock: NodeJS.Timeout | undefined
  /** The reads that take more than one query, which is known once they were made. */
  const long = new Set<string>()

  async function open(): Promise<void> {
    const { Client, Pool, types } = await loadPg()
    const config: ClientConfig = {
      connectionString: url,
      connectionTimeoutMillis: connectTimeout,
      keepAlive: true,
      // A flight of queries goes out without waiting for the answer of each.
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
    // A connection that breaks is replaced by the pool; who uses it is told by the query. Unheard it would end the process.
    made.on('error', () => {})
    made.on('connect', (client) => {
      client.on('error', () => {})
      // Said here, because a pool in between takes no such thing at the start of a connection.
      client.query(limits).catch(() => {})
    })
    try {
      await checkServer(made)
      await migrate(new Pool({ ...config, max: 1, query_timeout: migrateWithin }))
      pool = made
      await setClock()
      clock = setInterval(() => void setClock().catch(() => {}), clockEvery).unref()
    } catch (error) {
      pool = undefined
      await made.end().catch(() => {})
      throw startError(error)
    }
  }

  /** How far the server's clock is ahead of this machine's. */
  async function setClock(): Promise<void> {
    const before = Date.now()
    const { rows } = await pool!.query<{ now: string }>(
      'select extract(epoch from clock_timestamp()) * 1000 as now',
    )
    offset = Math.round(Number(rows[0]!.now) - (before + Date.now()) / 2)
  }

  /** Runs with a connection, and again with another one while the server is away. */
  async function connected<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    if (!pool) await opened()
    const until = Date.now() + patience
    for (let attempt = 0; ; attempt++) {
      let client: PoolClient | undefined
      try {
        client = await pool!.connect()
        const result = await use(client)
        client.release()
        return result
      } catch (error) {
        // Nobody knows what a connection that failed is in the middle of.
        client?.release(isAway(error) ? true : await rolledBack(client))
        if (!isRetryable(error)) throw isAway(error) ? unavailable(error) : error
        if (Date.now() > until) throw unavailable(error)
        await pause(attempt)
      }
    }
  }

  async function opened(): Promise<void> {
    if (!opening) throw unavailable()
    await opening
  }

  /** One query is one moment by itself; several are read as of one moment. */
  function read<T>(name: string, command: () => Command<T>): Promise<T> {
    return connected(async (client) => {
      if (!long.has(name)) {
        const running = command()
        const { done, value } = running.next()
        if (done) return value
        if ('steps' in value && value.steps.length === 1) {
          const next = running.next(await send(client, value.steps))
          if (next.done) return next.value
        }
        long.add(name)
      }
      const begun = client.query('begin isolation level repeatable read, read only')
      const [result] = await Promise.all([toEnd(client, command()), begun])
      await client.query('commit')
      return result
    })
  }

  function write<T>(command: () => Command<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ command, resolve: resolve as (value: unknown) => void, reject })
      if (!writing) {
        writing = true
        setImmediate(() => void writeAll())
      }
    })
  }

  /** One group of commands after the other: what comes meanwhile is the next group. */
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, mostTogether)
      try {
        await commitTogether(group)
        for (const { settle } of group) settle!()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    writing = false
  }

  async function commitTogether(group: Waiting[]): Promise<void> {
    for (;;) {
      try {
        return await connected(async (client) => {
          let transaction: string | undefined
          while (transaction === undefined) transaction = await tryTogether(client, group)
          const told = await client.query('commit').catch((error: unknown) => {
            throw isConnectionFault(error) ? new AnswerLost(error, transaction) : error
          })
          // Of a transaction that broke the server makes a rollback, and calls that no error.
          if (told.command !== 'COMMIT') throw new Error('the server has rolled back what it was to commit')
        })
      } catch (error) {
        if (!(error instanceof AnswerLost)) throw error
        if (await wasCommitted(error.transaction)) return
      }
    }
  }

  /** What became of a transaction whose commit was not answered. Rejects when nobody can say. */
  async function wasCommitted(id: string): Promise<boolean> {
    const until = Date.now() + 2 * patience
    for (let attempt = 0; ; attempt++) {
      const status = await connected(async (client) => {
        const { rows } = await client.query<{ status: string | null }>(
          'select pg_xact_status($1::xid8) as status',
          [id],
        )
        return rows[0]?.status
      })
      if (status === 'committed' || status === 'aborted') return status === 'committed'
      if (status !== 'in progress' || Date.now() > until) {
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
    now: () => Date.now() + offset,
    open() {
      opening ??= open()
      opening.catch(() => {
        opening = undefined
      })
      return opening
    },
    async close() {
      clearInterval(clock)
      const ending = pool
      opening = undefined
      while (writing) await new Promise((resolve) => setTimeout(resolve, 5))
      pool = undefined
      await ending?.end()
    },
    check: () => connected(async (client) => void (await client.query('select 1'))),
  }
}

const limits = `set statement_timeout = ${statementTimeout}; set idle_in_transaction_session_timeout = ${idleTimeout}`
const int8 = 20
/** What PostgreSQL says to every query after one that failed. */
const afterAnother = '25P02'
/**
 * One writer at a time, whichever process it is in. Serializable transactions side by side were tried: with four busy processes they
 * got into each other's way for so long that commands were given up. Whoever waits sees all that was committed before.
 */
const beginWriting = `begin isolation level read committed; select pg_advisory_xact_lock(7236844117);
  select pg_current_xact_id()::text as id`
/** So many commands share a commit at most: one that fails costs the others another try. */
const mostTogether = 50

interface Waiting {
  command: () => Command<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Tells what became of it, once that is on disk. */
  settle?: () => void
  /** It takes no part in a further try. */
  failed?: boolean
}

/** The answer to COMMIT did not come. */
class AnswerLost extends Error {
  readonly transaction: string
  constructor(cause: unknown, transaction: string) {
    super('the answer to the commit was lost', { cause })
    this.transaction = transaction
  }
}

/** Writes SQL, and talks to nobody. */
const compiling = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Loaded by those who use it: it is not there for SQLite. */
const loadPg = async () => (await import('pg')).default

/** Each query is planned once for each connection. */
const names = new Map<string, string>()
function nameOf(sql: string): string {
  const known = names.get(sql) ?? `p${hash('sha256', sql, 'hex').slice(0, 24)}`
  names.set(sql, known)
  return known
}

/** Sends queries in one flight. What fails is told when all are answered, so that nothing is under way any more. */
async function send(client: PoolClient, steps: readonly Step[]): Promise<unknown[][]> {
  const answers = await Promise.allSettled(
    steps.map(({ sql, values }) => {
      // Text there has no NUL.
      const clean = values.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '') : value))
      return client.query({ name: nameOf(sql), text: sql, values: clean })
    }),
  )
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value.rows
  })
}

/** Runs a command with nothing beside it. */
async function toEnd<T>(client: PoolClient, command: Command<T>): Promise<T> {
  let next = command.next()
  while (!next.done) {
    next = command.next('steps' in next.value ? await send(client, next.value.steps) : [])
  }
  return next.value
}

/**
 * Runs the commands of one group in one transaction, and returns its id on the server. `undefined` when one failed after it had
 * written: nothing is kept, and it takes no part in the next try.
 */
async function tryTogether(client: PoolClient, group: readonly Waiting[]): Promise<string | undefined> {
  const begun = (await client.query(beginWriting)) as unknown as { rows: { id: string }[] }[]
  const tried = group.filter(({ failed }) => !failed)
  const { outcomes, broken } = await sideBySide(
    tried.map(({ command }) => command),
    (steps) => send(client, steps),
  )
  const errors = outcomes.flatMap((outcome) => (outcome && 'error' in outcome ? [outcome.error] : []))
  const inTheWay = errors.find((error) => isRetryable(error) || isAway(error))
  if (inTheWay !== undefined) throw inTheWay
  for (const [index, one] of tried.entries()) {
    const outcome = outcomes[index]
    if (!outcome) continue
    if ('value' in outcome) one.settle = () => one.resolve(outcome.value)
    else if (sqlState(outcome.error) !== afterAnother) {
      one.settle = () => one.reject(outcome.error)
      one.failed = true
    }
  }
  if (!broken) return begun[2]!.rows[0]!.id
  await client.query('rollback')
  return undefined
}

/** Whether the connection has to go: `true` where it could not be brought back to rest. */
async function rolledBack(client: PoolClient | undefined): Promise<boolean> {
  try {
    await client?.query('rollback')
    return false
  } catch {
    return true
  }
}

/** Rejects with a `StoreUnavailable` when the server is too old, takes no writes, or acknowledges what is not on disk. */
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
  if (readonly === 'on') throw new StoreUnavailable(startFaults['25006'])
  if (sync === 'off' || fsync === 'off') {
    throw new StoreUnavailable(
      'The PostgreSQL server acknowledges what is not on disk yet. Set synchronous_commit and fsync to on.',
    )
  }
}

/** Locked, and one transaction: of several nodes that start at once one makes the tables. Ends the pool. */
async function migrate(pool: Pool): Promise<void> {
  pool.on('error', () => {})
  // A connection may break while the migrator holds it and asks nothing.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsFor('postgres') } })
  const { error } = await migrator.migrateToLatest().finally(() => db.destroy())
  if (!error) return
  if (/corrupted migrations/.test(String(error))) {
    throw new StoreUnavailable(
      'The tables were made by a newer version. Run that version, or restore the backup of before.',
      { cause: error },
    )
  }
  throw error
}

const sqlState = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Another transaction was in the way, or the server is about to be back: the same command may be tried again. */
function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return /^(25P03|40P01|55P03|57014|57P0[123]|53300)$/.test(state)
  return isConnectionFault(error)
}

/** Whatever the command is, it cannot be carried out there now: a server that is full, demoted, closed to us or without its tables. */
const isAway = (error: unknown): boolean =>
  isConnectionFault(error) || /^(25006|28|3D|42501|42P01|53|57|58|XX)/.test(sqlState(error) ?? '')

/** The connection is gone, or does not answer any more. */
function isConnectionFault(error: unknown): boolean {
  if (error instanceof AnswerLost) return false
  if (sqlState(error) !== undefined) return /^(08|25P03|57P0)/.test(sqlState(error)!)
  const { code, message = '' } = (error ?? {}) as { code?: string; message?: string }
  return (
    /^E[A-Z_]+$/.test(code ?? '') ||
    /terminated|timeout|timed out|not queryable|Connection|connection|closed/.test(message)
  )
}

const pause = (attempt: number) =>
  new Promise((resolve) => setTimeout(resolve, randomInt(5, 10 * 2 ** Math.min(attempt, 5) + 10)))

const unavailable = (cause?: unknown) =>
  new StoreUnavailable('The PostgreSQL server cannot be used now.', { cause })

const startFaults: Record<string, string> = {
  '28P01': 'The PostgreSQL server refuses the password. Check PURVEYOR_DATABASE_URL.',
  '28000':
    'The PostgreSQL server refuses the user. Check PURVEYOR_DATABASE_URL, that the role may log in, and pg_hba.conf.',
  '3D000': 'There is no such database on the PostgreSQL server. Make it, or check PURVEYOR_DATABASE_URL.',
  '57014':
    'The tables are held by another process, or take too long to be brought up to date. Try again, one node first.',
  '42501':
    'The user may not make tables in the database. Grant it: grant create on schema public to ..., and make it the owner of what is there.',
  '42P07': 'The database has tables of somebody else. Give the provider a database of its own.',
  '53300': 'The PostgreSQL server takes no more connections. Raise max_connections, or run fewer processes.',
  '25006': 'The database takes no writes: it is read-only, or a standby. Name the primary.',
  ERR_INVALID_URL:
    'PURVEYOR_DATABASE_URL cannot be read. Check the port, and write what is special in a password as %40 for @, %23 for #.',
}

const startError = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(startFault(error), { cause: error })

function startFault(error: unknown): string {
  const {
    code,
    syscall,
    message = '',
  } = (error ?? {}) as { code?: string; syscall?: string; message?: string }
  const known = startFaults[code ?? '']
  if (known !== undefined) return known
  if (/does not support SSL/.test(message))
    return 'The PostgreSQL server has no TLS. Give it a certificate; or write ?sslmode=disable into PURVEYOR_DATABASE_URL where nobody else is on the network between.'
  if (/CERT|ALTNAME|ISSUER/.test(code ?? ''))
    return `The certificate of the PostgreSQL server does not prove who it is (${code}). Name its host as the certificate has it, and its authority with &sslrootcert= in PURVEYOR_DATABASE_URL.`
  if (syscall === 'open')
    return `A file of a certificate that PURVEYOR_DATABASE_URL names cannot be read (${code}). Check sslrootcert, sslcert and sslkey.`
  const why = typeof code === 'string' ? ` (${code})` : ''
  return `The PostgreSQL server cannot be reached${why}. Check PURVEYOR_DATABASE_URL, and that it runs.`
}
