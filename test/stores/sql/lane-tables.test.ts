import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import type { StorePort } from '../../../src/store.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { type Engine, migrationsFor } from '../../../src/stores/sql/migrations.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { kyselyOf, sharedPostgres } from '../../postgres.ts'
import { claim, start } from '../cases/store-case.ts'
import { sqliteTables } from '../sqlite-tables.ts'

/** Tables as they were before lanes had their own: a row for each call, pushes without lanes, a closed lane, and leases. */
async function makeTablesOfBefore(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const before = Object.entries(migrationsFor(engine)).filter(([name]) => name < '2027')
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(before) } })
  expect((await migrator.migrateToLatest()).error).toBeUndefined()
  for (const [order, version, at, status] of [
    ['1', 1, 100, 404],
    ['1', 1, 200, 500],
    ['1', 1, 300, 200],
    ['1', 2, 400, 200],
    ['2', 1, 500, 204],
  ])
    await sql`insert into deliveries (shop_id, order_id, at, ms, version, status, answer)
      values ('default', ${order}, ${at}, 5, ${version}, ${status}, ${`at ${at}`})`.execute(db)
  await sql`insert into pushes (shop_id, adapter, push_key, headers, query, received_at, times, due_at)
    values ('default', 'psp', 'waits', '{}', '', 100, 1, 100), ('default', 'psp', 'done', '{}', '', 100, 1, null)`.execute(
    db,
  )
  await sql`insert into lanes (lane, next_due, failures, probe_at, is_full)
    values ('default shop.example', 600000, 4, 600000, 0)`.execute(db)
  await sql`insert into notifications
    (shop_id, order_id, lane, webhook_url, version, due_at, owed_since, tries, owner, held_until)
    values ('default', '9', 'default shop.example', 'https://shop.example/', 1, 100, 100, 0, 'old', 700000)`.execute(
    db,
  )
  await sql`insert into attempts (shop_id, order_id, number, id, adapter, method_id, amount, currency, mode, language,
      idempotency_key, page_hash, how, opened_at, expires_at, page_held_until)
    values ('default', '9', 1, 'default.9', 'page', 'page', '29.34', 'eur', 'test', 'en', 'key', 'page', 'page', 1, 2, 5000)`.execute(
    db,
  )
}

async function expectTakenOver(store: StorePort): Promise<void> {
  await store.open()
  try {
    const call = (at: number, version: number, status: number) => ({
      ...{ at, ms: 5, version, status, failure: undefined, answer: `at ${at}` },
    })
    expect(await store.deliveries('default', '1')).toEqual([
      { version: 1, calls: 3, first: call(100, 1, 404), last: call(300, 1, 200) },
      { version: 2, calls: 1, first: call(400, 2, 200), last: undefined },
    ])
    expect((await store.deliveries('default', '2')).map(({ calls }) => calls)).toEqual([1])
    expect(await store.adaptersWithPushes(1_000)).toEqual(['psp'])
    const claim = { adapter: 'psp', now: 1_000, leaseUntil: 2_000, limit: 10, perLane: 10, owner: 'a' }
    expect((await store.claimPushes(claim)).map(({ key }) => key)).toEqual(['waits'])
    expect(await store.lanes({ now: 1_000, kind: 'webhook', limit: 5 })).toMatchObject([
      { shopId: 'default', to: 'shop.example', closedAt: 300_000, probeAt: 600_000 },
    ])
    await expectLeasesTakenOver(store)
  } finally {
    await store.close()
  }
}

/** The webhook and the page that another process has leased are its own until the lease ends. */
async function expectLeasesTakenOver(store: StorePort): Promise<void> {
  const claimAt = (now: number) => store.claimWebhooks({ ...claim, now, leaseUntil: now + 1_000 })
  expect(await claimAt(600_000)).toEqual([])
  expect(await claimAt(700_000)).toMatchObject([{ orderId: '9', takenOver: true }])
  const leaseAt = (now: number) =>
    store.leasePage('default', 'default.9', { now, until: now + 1_000, seen: undefined, state: undefined })
  expect([await leaseAt(4_999), await leaseAt(5_000), await leaseAt(5_999)]).toEqual([false, true, false])
}

function sqliteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-lanes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'old.db')
}

async function postgresUrl(): Promise<string> {
  return (await sharedPostgres()).database()
}

test('calls, pushes and closed lanes of before are taken over: sqlite', async () => {
  const file = sqliteFile()
  const db = sqliteTables(file)
  await makeTablesOfBefore(db, 'sqlite')
  await db.destroy()
  await expectTakenOver(sqliteStore({ file }))
})

test('calls, pushes and closed lanes of before are taken over: postgres', async () => {
  const url = await postgresUrl()
  const db = kyselyOf(url)
  await makeTablesOfBefore(db, 'postgres')
  await db.destroy()
  await expectTakenOver(postgresStore({ url }))
})

test('a push that a node of the version before lanes has kept is found a minute later, whatever lane it has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-old-push-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'purveyor.db')
  const store = sqliteStore({ file })
  await store.open()
  onTestFinished(() => store.close())
  const minute = 60_000
  const keep = (key: string, now: number) => {
    const database = new DatabaseSync(file)
    database
      .prepare(`insert into pushes (shop_id, adapter, push_key, body, headers, query, received_at, times, due_at)
        values ('default', 'psp', ?, 'e30=', '{}', '', ?, 1, ?)`)
      .run(key, now, now)
    database.close()
  }
  const claimed = async (now: number) => {
    const lease = { now, leaseUntil: now + minute, limit: 10, perLane: 10, owner: 'a' }
    return store.claimPushes({ adapter: 'psp', ...lease })
  }
  keep('without a lane', start)
  expect(await store.adoptPushes(start + minute - 1)).toBe(0)
  expect(await store.adaptersWithPushes(start + minute)).toEqual([])
  expect(await store.adoptPushes(start + minute)).toBe(1)
  const [first] = await claimed(start + minute)
  expect(first?.key).toBe('without a lane')
  // A claimed call is not left behind.
  expect(await store.adoptPushes(start + minute)).toBe(0)
  const later = { dueAt: start + 60 * minute, failure: 'Unexpected token', aboutPush: true }
  await store.postponePush(first!, later, start + minute)

  keep('beside one that waits', start + minute)
  expect(await claimed(start + 2 * minute)).toEqual([])
  expect(await store.adoptPushes(start + 2 * minute)).toBe(1)
  expect((await claimed(start + 2 * minute)).map(({ key }) => key)).toEqual(['beside one that waits'])
})
