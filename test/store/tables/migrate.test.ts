import { join } from 'node:path'
import {
  type CompiledQuery,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { expect, test } from 'vitest'
import type { Engine, Tables } from '../../../src/store/schema.ts'
import { forKysely, openSqlite } from '../../../src/store/sqlite/open.ts'
import { type Migrations, migrateTables, migrationsFor } from '../../../src/store/tables/migrate.ts'
import { storeOf } from '../../../src/stores/open.ts'
import { folderWith } from '../../folder.ts'
import { kyselyOf, sharedPostgres } from '../../postgres.ts'
import { open } from '../../stores/cases/store-case.ts'
import { opened } from '../../stores/opened.ts'
import { sqliteTables } from '../../stores/sqlite-tables.ts'

const server = await sharedPostgres()

/** Migrations of later versions: one adds, the next one takes away what nodes of today need. */
const wider = {
  async '2999-01-wider'(db: Kysely<unknown>) {
    await sql`alter table payments add column note text`.execute(db)
    await sql`create table notes (id text primary key)`.execute(db)
  },
}
const narrower = {
  async '2999-02-narrower-contract'(db: Kysely<unknown>) {
    await sql`alter table drifts rename to strays`.execute(db)
  },
}

/** A node of a later version starts: it carries out its migrations. */
async function migrateAs(url: string, engine: Engine, later: Migrations): Promise<void> {
  const known = { ...migrationsFor(engine), ...later }
  if (engine === 'postgres') {
    const db = kyselyOf(url)
    await migrateTables(db as Kysely<Tables>, known)
    return db.destroy()
  }
  const database = await openSqlite(url.slice('sqlite:'.length))
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(database) }) })
  database.exec('pragma busy_timeout = 2000; begin immediate')
  await migrateTables(db, known)
  database.exec('commit')
  database.close()
}

test.each(['sqlite', 'postgres'] as const)(
  'a later node migrates %s while an earlier one serves, and refuses it only after the step that takes something away',
  { timeout: 60_000 },
  async (engine) => {
    const url =
      engine === 'sqlite' ? `sqlite:${join(folderWith(), 'store.db')}` : await server.databaseWithTables()
    const serving = await opened(storeOf(url))
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
    const again = await opened(storeOf(url))
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

/** A database of either engine without tables, and what runs statements in it. */
async function empty(engine: Engine): Promise<{ url: string; db: Kysely<unknown> }> {
  if (engine === 'sqlite') {
    const file = join(folderWith(), 'store.db')
    return { url: `sqlite:${file}`, db: sqliteTables(file) }
  }
  const url = await server.database()
  return { url, db: kyselyOf(url) }
}

test.each(['sqlite', 'postgres'] as const)(
  'a store of %s from before the first release is refused in one sentence, and nothing is written into it',
  async (engine) => {
    const { url, db } = await empty(engine)
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255))`.execute(
      db,
    )
    await sql`insert into kysely_migration values ('2026-11-start', 'x'), ('2027-12-names', 'y')`.execute(db)
    await sql`create table payments (shop_id text, order_id text)`.execute(db)
    const names = () => db.introspection.getTables()
    const before = await names()
    await expect(storeOf(url).open()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(
        /was made before the first release, and no version reads it\. Delete it to begin anew, or name .* in PURVEYOR_DATABASE_URL\.$/,
      ),
    })
    expect(await names()).toEqual(before)
    await db.destroy()
  },
)

/** Runs no query, and notes when each was sent and has ended. */
class SlowDriver extends DummyDriver {
  readonly queries: string[] = []
  underWay = 0
  atOnce = 0

  override async acquireConnection() {
    const executeQuery = async ({ sql: text }: CompiledQuery) => {
      this.queries.push(text)
      this.atOnce = Math.max(this.atOnce, ++this.underWay)
      await new Promise((resolve) => setImmediate(resolve))
      this.underWay--
      return { rows: [] }
    }
    return { executeQuery } as never
  }
}

test.each(['sqlite', 'postgres'] as const)(
  'a migration of %s sends its queries one by one, is over with the last, and says by its name if it takes something away',
  async (engine) => {
    for (const [name, carryOut] of Object.entries(migrationsFor(engine))) {
      const driver = new SlowDriver()
      const dialect: Dialect = {
        createAdapter: () => (engine === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
        createDriver: () => driver,
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () =>
          engine === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler(),
      }
      await carryOut(new Kysely<unknown>({ dialect }))
      const sent = driver.queries.length
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
      expect([name, driver.atOnce, driver.underWay, driver.queries.length]).toEqual([name, 1, 0, sent])
      if (!name.endsWith('-contract'))
        expect(driver.queries.filter((query) => /drop (table|column)|rename/i.test(query))).toEqual([])
    }
  },
)
