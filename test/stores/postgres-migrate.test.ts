import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { postgresStore } from '../../src/stores/postgres.ts'
import { migratePostgres } from '../../src/stores/postgres-migrate.ts'
import { connectTo, kyselyOf, type SharedPostgres, sharedPostgres } from '../postgres.ts'
import { makeOldStore } from './old-store.ts'

let server: SharedPostgres

beforeAll(async () => {
  server = await sharedPostgres()
}, 600_000)

/** A database with tables of an older version, and a client that reads one of them in an open transaction. */
async function withReader() {
  const url = await server.database()
  const db = kyselyOf(url)
  await makeOldStore(db, 'postgres')
  await db.destroy()
  const connect = async (name: string) => {
    const client = await connectTo(url, name)
    onTestFinished(() => client.end())
    return client
  }
  const reader = await connect('report of the month')
  await reader.query('begin')
  await reader.query('select count(*) from attempts')
  return { url, reader, other: await connect('a running node') }
}

test('tables that somebody reads are not locked for others while a new version starts', {
  timeout: 30_000,
}, async () => {
  const { url, reader, other } = await withReader()
  const store = postgresStore({ url })
  onTestFinished(() => store.close())
  const opening = store.open()
  const waiting = `select 1 from pg_locks where not granted and relation = 'attempts'::regclass`
  while ((await other.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  // This queues behind the migration, which stands back. The reader goes on all the time.
  expect((await other.query('select count(*) from attempts')).rowCount).toBe(1)
  await reader.query('rollback')
  await opening
  expect((await store.payments({ limit: 1 })).length).toBe(1)
})

test('a table that stays in use ends the start, and the error names who uses it', async () => {
  const { url } = await withReader()
  const config = { connectionString: url, application_name: 'purveyor' }
  await expect(migratePostgres(pg, config, { within: 1_500 })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(/"report of the month" \(process \d+, user purveyor\)/),
  })
})

/** A pool whose clients read the catalog so many times while another node changes it. */
function shifting(times: number) {
  let left = times
  const fault = { code: '42703', severity: 'ERROR' }
  return class extends pg.Pool {
    constructor(config: pg.PoolConfig) {
      super(config)
      this.on('connect', (client) => {
        const query = client.query.bind(client) as (...args: unknown[]) => unknown
        client.query = ((text: unknown, ...rest: unknown[]) =>
          typeof text === 'string' && text.includes('pg_catalog') && left-- > 0
            ? Promise.reject(Object.assign(new Error('column "a" of relation "b" does not exist'), fault))
            : query(text, ...rest)) as never
      })
    }
  }
}

test('a catalog that another node changes while it is read is read again, and not for ever', async () => {
  const config = async () => ({ connectionString: await server.database() })
  await migratePostgres({ Pool: shifting(2) }, await config())
  await expect(migratePostgres({ Pool: shifting(100) }, await config())).rejects.toMatchObject({
    code: '42703',
  })
})
