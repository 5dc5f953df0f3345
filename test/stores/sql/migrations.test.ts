import { DatabaseSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { expect, test } from 'vitest'
import { type Engine, migrationsFor } from '../../../src/stores/sql/migrations.ts'

/** How many of the queries of a migration were sent, have ended, and ran beside another. */
interface Watched {
  sent: number
  ended: number
  atOnce: number
}

/** A database on which every query takes a while, as on a server. */
function slowly(engine: Engine, answer: (query: CompiledQuery) => object[]) {
  const watched: Watched = { sent: 0, ended: 0, atOnce: 0 }
  const connection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      watched.atOnce = Math.max(watched.atOnce, ++watched.sent - watched.ended)
      await new Promise((resolve) => setImmediate(resolve))
      watched.ended++
      return { rows: answer(query) as R[] }
    },
    // biome-ignore lint/correctness/useYield: no migration streams
    async *streamQuery() {
      throw new Error('not here')
    },
  }
  class SlowDriver extends DummyDriver implements Driver {
    override async acquireConnection() {
      return connection as never
    }
  }
  const dialect: Dialect =
    engine === 'sqlite'
      ? {
          createAdapter: () => new SqliteAdapter(),
          createDriver: () => new SlowDriver(),
          createIntrospector: (db) => new SqliteIntrospector(db),
          createQueryCompiler: () => new SqliteQueryCompiler(),
        }
      : {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => new SlowDriver(),
          createIntrospector: (db) => new PostgresIntrospector(db),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        }
  return { db: new Kysely<unknown>({ dialect }), watched }
}

/** A query sent after the end of a migration runs outside its transaction, or not at all. */
async function watch(name: string, engine: Engine, answer: (query: CompiledQuery) => object[]) {
  const { db, watched } = slowly(engine, answer)
  await migrationsFor(engine)[name]!.up(db)
  const atEnd = { ...watched }
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(watched).toEqual(atEnd)
  expect(watched).toEqual({ sent: watched.sent, ended: watched.sent, atOnce: 1 })
  return watched.sent
}

const names = Object.keys(migrationsFor('sqlite'))

test('a migration sends its queries one by one, and is over with the last of them, on SQLite', async () => {
  const database = new DatabaseSync(':memory:')
  const run = ({ sql, parameters }: CompiledQuery) => database.prepare(sql).all(...(parameters as never[]))
  // A file has one writer and needs no rows for holds, and no vacuum.
  const ofServers = ['2027-07-holds', '2027-07-hot-tables']
  for (const name of names.filter((one) => !ofServers.includes(one))) {
    if (name === '2026-12-at-rest') {
      database.exec(`insert into attempts
        (shop_id, order_id, number, id, adapter, method_id, amount, currency, mode, language, idempotency_key, page_token,
          opened_at, expires_at)
        values ('a', '1', 1, 'a.1', 'p', 'p', '1', 'eur', 'test', 'nl', 'k', 't', 1, 2)`)
    }
    expect(await watch(name, 'sqlite', run), name).toBeGreaterThan(0)
  }
  // The rows that were there are taken along.
  expect(database.prepare('select page_hash from attempts').get()).not.toEqual({ page_hash: 't' })
  database.close()
})

test.each(names)('and on PostgreSQL: %s', async (name) => {
  expect(await watch(name, 'postgres', () => [])).toBeGreaterThan(0)
})
