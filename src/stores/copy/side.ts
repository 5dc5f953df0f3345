import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import type { ClientConfig } from 'pg'
import { PurveyorError } from '../../errors.ts'
import { StoreUnavailable } from '../../store.ts'
import { shownUrl, sqliteFileOf } from '../open.ts'
import { sqlState, startError } from '../postgres-errors.ts'
import { migratePostgres } from '../postgres-migrate.ts'
import { checkServer } from '../postgres-server.ts'
import { checkEncryption } from '../postgres-tls.ts'
import { type Engine, type TableName, type Tables, tables } from '../sql/schema.ts'
import { openError } from '../sqlite-errors.ts'
import { forKysely, openSqlite } from '../sqlite-open.ts'
import { cellsOf, lineOf } from './lines.ts'
import { copyFrom, copyTo } from './postgres-copy.ts'

/** How a transaction is begun: reads of one moment, a store that takes no writes of others meanwhile, or writes. */
type How = 'moment' | 'still' | 'write'

/** One of the two stores of a copy, on a connection of its own. `close` undoes a transaction that has not ended. */
export interface Side {
  readonly engine: Engine
  /** Its address without a password. */
  readonly shown: string
  readonly db: Kysely<Tables>
  begin(how: How, names: readonly TableName[]): Promise<void>
  commit(): Promise<void>
  /** The rows of a table as lines, some at a time. */
  lines(name: TableName): AsyncIterable<string[]>
  add(name: TableName, lines: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** A store that is named: its address, and what errors call that. */
export interface Place {
  address: string
  option: string
}

/** The most rows that are read at once. */
const atOnce = 2_000

/** Opens a store, with `creates` after its tables were made or updated. A file that is not there is empty. */
export function openSide(place: Place, { creates = false } = {}): Promise<Side> {
  const file = sqliteFileOf(place.address)
  return file === undefined ? postgresSide(place, creates) : sqliteSide(resolve(file), creates)
}

async function sqliteSide(file: string, creates: boolean): Promise<Side> {
  if (creates) (await openSqlite(file)).database.close()
  const guarded = <T>(use: () => T): T => {
    try {
      return use()
    } catch (error) {
      throw openError(file, error)
    }
  }
  const database = guarded(() => new DatabaseSync(existsSync(file) ? file : ':memory:', { timeout: 5_000 }))
  guarded(() => database.exec('pragma schema_version'))
  const columnsOf = (name: TableName) => Object.keys(tables[name].columns)
  return {
    ...{ engine: 'sqlite', shown: `sqlite:${file}` },
    db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(database) }) }),
    async begin(how) {
      guarded(() => database.exec(how === 'moment' ? 'begin' : 'begin immediate'))
    },
    async commit() {
      guarded(() => database.exec('commit; pragma wal_checkpoint(truncate)'))
    },
    async *lines(name) {
      const reading = database.prepare(`select ${columnsOf(name).join(', ')} from ${name}`)
      reading.setReturnArrays(true)
      let some: string[] = []
      for (const row of reading.iterate() as Iterable<unknown> as Iterable<unknown[]>) {
        if (some.push(lineOf(name, row)) < atOnce) continue
        yield some
        some = []
      }
      yield some
    },
    async add(name, lines) {
      const columns = columnsOf(name)
      const insert = database.prepare(
        `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      guarded(() => {
        for (const line of lines) insert.run(...cellsOf(name, line))
      })
    },
    async close() {
      database.close()
    },
  }
}

const int8 = 20
const settings = `set local statement_timeout = 0; set local lock_timeout = 5000;
  set local idle_in_transaction_session_timeout = 0; set local jit = off`

async function postgresSide({ address, option }: Place, creates: boolean): Promise<Side> {
  const pg = (await import('pg')).default
  const shown = shownUrl(address)
  const getTypeParser = (oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)
  const config: ClientConfig = {
    connectionString: address,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'purveyor db copy',
    types: { getTypeParser } as never,
  }
  /** Errors of a provider's store name its variable, which is not what was read here. */
  const named = (cause: unknown): StoreUnavailable => {
    const { message } = startError(cause)
    const isOdd = sqlState(cause) !== undefined && message.includes('refuses a step of the start')
    const here = isOdd
      ? `The PostgreSQL server refuses a step of the copy: ${(cause as Error).message}.`
      : message.replaceAll('PURVEYOR_DATABASE_URL', option)
    return new StoreUnavailable(`${here} ${option} is ${shown}.`, { cause })
  }
  const client = new pg.Client(config)
  // Without a listener Node exits on this event; the query that runs rejects.
  client.on('error', () => {})
  try {
    checkEncryption(address, client)
    await client.connect()
    if (creates) {
      await checkServer(client)
      await migratePostgres(pg, config)
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw named(error)
  }
  const guarded = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw named(error)
    })
  const query = (text: string, values?: unknown[]) => guarded(client.query(text, values))
  // One connection, so that what is begun is ended on it.
  const pool = { connect: async () => ({ query, release() {} }), end: async () => {} }
  const listOf = (name: TableName) => `${name} (${Object.keys(tables[name].columns).join(', ')})`
  return {
    ...{ engine: 'postgres', shown },
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) }),
    async begin(how, names) {
      const isolation = how === 'moment' ? 'isolation level repeatable read, read only' : ''
      await query(`begin ${isolation}; ${settings}`)
      if (how !== 'moment') await query(`lock table ${names.join(', ')} in exclusive mode`)
    },
    async commit() {
      await query('commit')
    },
    async *lines(name) {
      try {
        yield* copyTo(client, `copy ${listOf(name)} to stdout`, atOnce)
      } catch (error) {
        throw error instanceof PurveyorError ? error : named(error)
      }
    },
    add: (name, lines) => guarded(copyFrom(client, `copy ${listOf(name)} from stdin`, lines)),
    async close() {
      await client.end().catch(() => {})
    },
  }
}
