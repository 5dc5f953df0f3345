import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import type { StorePort } from '../../../src/store.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { type Engine, migrationsFor } from '../../../src/stores/sql/migrations.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { kyselyOf, sharedPostgres } from '../../postgres.ts'
import { again, claim, failed, open, paid, start } from '../cases/store-case.ts'
import { sqliteTables } from '../sqlite-tables.ts'

async function database(engine: Engine): Promise<{ db: Kysely<unknown>; store: () => StorePort }> {
  if (engine === 'postgres') {
    const url = await (await sharedPostgres()).database()
    return { db: kyselyOf(url), store: () => postgresStore({ url }) }
  }
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-deliveries-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'old.db')
  return { db: sqliteTables(file), store: () => sqliteStore({ file }) }
}

const call = (at: number, status: number, failure?: string) => ({
  ...{ at, ms: 5, version: 1, status, failure, answer: `at ${at}` },
})

test.each(['sqlite', 'postgres'] as const)('rows for one status become one: %s', async (engine) => {
  const { db, store } = await database(engine)
  const before = Object.entries(migrationsFor(engine)).filter(([name]) => name < '2027-10')
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(before) } })
  expect((await migrator.migrateToLatest()).error).toBeUndefined()
  const several = [
    ['1', 1, 1, 200, 500, 'status 500', null],
    ['1', 3, 0, 300, 502, 'status 502', 700],
    ['1', 1, 0, 100, 404, 'status 404', null],
    ['2', 7, 1, 400, 500, 'status 500', 900],
    ['3', 1, 0, 500, 200, null, null],
  ] as const
  for (const [order, calls, counted, at, status, failure, last] of several)
    await sql`insert into deliveries (shop_id, order_id, version, calls, is_counted, at, ms, status, failure, answer,
        last_at, last_ms, last_status, last_failure, last_answer)
      values ('default', ${order}, 1, ${calls}, ${counted}, ${at}, 5, ${status}, ${failure}, ${`at ${at}`},
        ${last}, ${last && 5}, ${last && 200}, null, ${last && `at ${last}`})`.execute(db)
  await db.destroy()

  const opened = store()
  await opened.open()
  onTestFinished(() => opened.close())
  const of = (order: string) => opened.deliveries('default', order)
  expect(await of('1')).toEqual([
    { version: 1, calls: 5, first: call(100, 404, 'status 404'), last: call(700, 200) },
  ])
  expect(await of('2')).toEqual([
    { version: 1, calls: 7, first: call(400, 500, 'status 500'), last: call(900, 200) },
  ])
  expect(await of('3')).toEqual([{ version: 1, calls: 1, first: call(500, 200), last: undefined }])
})

test.each(['sqlite', 'postgres'] as const)(
  'a node that counts the calls for a status runs on beside a newer one: %s',
  async (engine) => {
    const { db, store } = await database(engine)
    const opened = store()
    await opened.open()
    onTestFinished(async () => {
      await db.destroy()
      await opened.close()
    })
    const { attempt } = await opened.openAttempt(open())
    await opened.learn('default', '1001', attempt.id, [paid], { source: 'report', now: start })
    const [owed] = await opened.claimWebhooks(claim)
    await opened.postponeWebhook(owed!, failed(start + 10), again(start + 10))
    for (const at of [start + 15, start + 30])
      await sql`insert into deliveries (shop_id, order_id, version, at, ms, status, failure, answer, calls, is_counted)
        values ('default', '1001', 1, ${at}, 5, 500, 'status 500', ${`at ${at}`}, 1, 1)
        on conflict (order_id, shop_id, version) where is_counted = 1 do update set calls = deliveries.calls + 1,
          last_at = excluded.at, last_ms = excluded.ms, last_status = excluded.status, last_failure = excluded.failure,
          last_answer = excluded.answer`.execute(db)
    const [repeated] = await opened.claimWebhooks({ ...claim, now: start + 20, leaseUntil: start + 99 })
    await opened.postponeWebhook(repeated!, failed(start + 40), again(start + 40))
    const [of, ...others] = await opened.deliveries('default', '1001')
    expect(others).toEqual([])
    expect([of?.calls, of?.first.at, of?.last?.at]).toEqual([4, start + 10, start + 40])
  },
)
