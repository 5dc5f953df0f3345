import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProvider } from '../../../src/index.ts'
import type { StorePort } from '../../../src/store.ts'
import { storeOf } from '../../../src/stores/open.ts'
import { isLong } from '../../long.ts'
import { connectTo, type SharedPostgres, sharedPostgres } from '../../postgres.ts'
import { folder } from '../copy/copying.ts'
import { type KeptStore, keptStores, secret } from '../kept/kept-stores.ts'

const onSqlite = keptStores('sqlite')
const onPostgres = keptStores('postgres')
/** These differ in how texts are sealed, or in migrations that were renamed or changed. */
const special = ['d4db93b', '6610f17', 'f70fead', '84a682d', 'b61c1e4', '169a8e6']

/** A paid order, an open one, an owed webhook and a shop are there. */
async function expectWhole(store: StorePort): Promise<void> {
  expect((await store.shops()).map(({ id }) => id)).toEqual(['default'])
  const statuses = (await store.paymentSummaries({ limit: 10 } as never)).map(({ orderId, status }) => [
    orderId,
    status,
  ])
  expect(statuses.sort()).toEqual([
    ['1001', 'paid'],
    ['1002', 'pending'],
  ])
  expect(await store.countWebhooks()).toMatchObject({ owed: 1, dead: 0 })
  expect(await store.nextWebhookDue()).toEqual(expect.any(Number))
}

/** A provider of today serves it to the same endpoint, and opens what is sealed in it. */
async function expectServed(databaseUrl: string, { endpoint }: KeptStore): Promise<void> {
  const provider = createProvider({
    development: true,
    logger: pino({ level: 'silent' }),
    secret,
    store: databaseUrl,
    payments: {
      name: 'psp',
      methods: () => [],
      start: () => ({ page: true }),
      page: { render: () => '' as never, submit: () => ({ status: 'pending' }) },
    },
  })
  for (const time of ['first', 'second']) {
    const listening = await provider.listen({ port: 0 })
    expect([time, new URL(listening.endpoint).pathname]).toEqual([time, endpoint])
    const answer = await fetch(`${listening.endpoint}/payment/1001`)
    expect(await answer.json()).toEqual({ status: 'paid' })
    await provider.stop()
  }
}

describe('SQLite', () => {
  const shapeOf = (file: string) => {
    const database = new DatabaseSync(file)
    const columns = database
      .prepare(`select m.name as "table", c.name, lower(c.type) as type, c."notnull", c.pk
        from sqlite_master as m join pragma_table_info(m.name) as c where m.type = 'table' order by 1, 2`)
      .all()
    const indexes = database
      .prepare("select lower(sql) from sqlite_master where type = 'index' and sql is not null order by 1")
      .all()
    database.close()
    return {
      columns,
      indexes: indexes.map((index) => String(Object.values(index)[0]).replaceAll(/\s+/g, ' ')),
    }
  }
  const made = async ({ statements }: KeptStore) => {
    const file = join(folder(), 'kept.db')
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
    for (const statement of statements) database.exec(statement)
    database.close()
    return file
  }

  let ofNew: ReturnType<typeof shapeOf> | undefined
  const shapeOfNew = async () => {
    if (ofNew) return ofNew
    const file = join(folder(), 'new.db')
    const store = storeOf(`sqlite:${file}`)
    await store.open()
    await store.close()
    ofNew = shapeOf(file)
    return ofNew
  }

  test.each(onSqlite)('a store of $commit is as whole as a new one', async (kept) => {
    const file = await made(kept)
    const store = storeOf(`sqlite:${file}`)
    await store.open()
    await expectWhole(store)
    await store.close()
    expect(shapeOf(file)).toEqual(await shapeOfNew())
  })

  const served = onSqlite.filter(({ commit }) => isLong || special.includes(commit))
  test.each(served)('a store of $commit is served', async (kept) => {
    await expectServed(`sqlite:${await made(kept)}`, kept)
  })
})

describe('PostgreSQL', () => {
  let server: SharedPostgres
  beforeAll(async () => {
    server = await sharedPostgres()
  }, 600_000)

  const shapeOf = async (url: string) => {
    const client = await connectTo(url)
    const { rows: columns } = await client.query(
      `select table_name, column_name, data_type, is_nullable from information_schema.columns
        where table_schema = 'public' order by 1, 2`,
    )
    const { rows: indexes } = await client.query(
      "select indexdef from pg_indexes where schemaname = 'public' order by 1",
    )
    await client.end()
    return { columns, indexes }
  }
  const some = onPostgres.filter(
    ({ commit }) => isLong || ['1c578dc', '84a682d', 'b61c1e4', 'af9a5de'].includes(commit),
  )

  test.each(some)(
    'a store of $commit is as whole as a new one, and served',
    { timeout: 60_000 },
    async (kept) => {
      const url = await server.database()
      const client = await connectTo(url)
      await client.query(kept.statements.join('\n'))
      await client.end()
      const store = storeOf(url)
      await store.open()
      await expectWhole(store)
      await store.close()
      expect(await shapeOf(url)).toEqual(await shapeOf(await server.databaseWithTables()))
      await expectServed(url, kept)
    },
  )
})
