import { join } from 'node:path'
import {
  type Dialect,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Migration } from 'kysely/migration'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { StorePort } from '../../../src/store.ts'
import { storeOf } from '../../../src/stores/open.ts'
import { migrateTables, takesAway } from '../../../src/stores/sql/migrate.ts'
import { type Engine, migrationsFor } from '../../../src/stores/sql/migrations.ts'
import type { Tables } from '../../../src/stores/sql/tables.ts'
import { openSqlite } from '../../../src/stores/sqlite-open.ts'
import { kyselyOf, type SharedPostgres, sharedPostgres } from '../../postgres.ts'
import { open } from '../cases/store-case.ts'
import { folder } from '../copy/copying.ts'

let server: SharedPostgres

beforeAll(async () => {
  server = await sharedPostgres()
}, 600_000)

/** Migrations of later versions: one adds, the next one takes away what nodes of today need. */
const wider = {
  '2999-01-wider': {
    async up({ schema }: Kysely<unknown>) {
      await schema.alterTable('payments').addColumn('note', 'text').execute()
      await schema
        .createTable('notes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .execute()
    },
  },
}
const narrower = {
  '2999-02-narrower-contract': {
    async up({ schema }: Kysely<unknown>) {
      await schema.alterTable('drifts').renameTo('strays').execute()
    },
  },
}

/** A node of a later version starts: it carries out its migrations. */
async function migrateAs(url: string, engine: Engine, later: Record<string, Migration>): Promise<void> {
  const known = { ...migrationsFor(engine), ...later }
  if (engine === 'postgres') {
    const db = kyselyOf(url)
    expect(await migrateTables(db as Kysely<Tables>, known)).not.toHaveProperty('error')
    return db.destroy()
  }
  const { database, db } = await openSqlite(url.slice('sqlite:'.length))
  database.exec('pragma busy_timeout = 2000; begin immediate')
  expect(await migrateTables(db, known)).not.toHaveProperty('error')
  database.exec('commit')
  database.close()
}

const opened = async (url: string): Promise<StorePort> => {
  const store = storeOf(url)
  onTestFinished(() => store.close())
  await store.open()
  return store
}

test.each(['sqlite', 'postgres'] as const)(
  'a later node migrates %s while an earlier one serves, and refuses it only after the step that takes something away',
  {
    timeout: 60_000,
  },
  async (engine) => {
    const url =
      engine === 'sqlite' ? `sqlite:${join(folder(), 'store.db')}` : await server.databaseWithTables()
    const serving = await opened(url)
    let order = 0
    const start = () => serving.openAttempt(open({ orderId: String(++order) }))
    await start()
    // On all connections, which keep their plans.
    const reads = () => Promise.all(Array.from({ length: 20 }, () => serving.payments({ limit: 5 })))
    await reads()
    let goesOn = true
    const starts = (async () => {
      while (goesOn) await start()
    })()
    await migrateAs(url, engine, wider)
    goesOn = false
    await starts
    await start()
    expect((await reads()).every((list) => list.length > 0)).toBe(true)

    // An earlier node starts anew in the middle of the upgrade, and the tables stay as they are.
    const again = await opened(url)
    expect((await again.payment('default', String(order)))?.status).toBe('pending')
    await again.openAttempt(open({ orderId: 'of the earlier one' }))
    // A node of the later version finds nothing to do.
    await migrateAs(url, engine, wider)

    await migrateAs(url, engine, { ...wider, ...narrower })
    await expect(storeOf(url).open()).rejects.toThrow('The tables were created by a newer version.')
    // The one that runs goes on where it needs nothing of what is gone.
    await start()
  },
)

test('a migration that takes something away says so by its name', async () => {
  expect(takesAway('2999-02-narrower-contract')).toBe(true)
  const queries: string[] = []
  for (const [name, migration] of Object.entries(migrationsFor('sqlite'))) {
    // Earlier ones landed before nodes went by the name.
    if (name < '2027-07' || takesAway(name)) continue
    const log = ({ query }: { query: { sql: string } }) => {
      queries.push(`${name}: ${query.sql}`)
    }
    await migration.up(new Kysely<unknown>({ dialect, log }))
  }
  expect(queries.length).toBeGreaterThan(0)
  expect(queries.filter((query) => /drop (table|column)|rename/i.test(query))).toEqual([])
})

/** Runs no query. */
const dialect: Dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}
