import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import type { StorePort } from '../../../src/store.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { type Engine, migrationsFor } from '../../../src/stores/sql/migrations.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { folderWith } from '../../cli/command.ts'
import { kyselyOf, sharedPostgres } from '../../postgres.ts'
import { claim, delivered, minute, open, paid, start } from '../cases/store-case.ts'
import { sqliteTables } from '../sqlite-tables.ts'

type Opened = { engine: Engine; db: Kysely<unknown>; store: StorePort }

async function onEach(engine: Engine): Promise<Opened> {
  if (engine === 'sqlite') {
    const file = join(folderWith(), 'purveyor.db')
    return { engine, db: sqliteTables(file), store: sqliteStore({ file }) }
  }
  const url = await (await sharedPostgres()).database()
  return { engine, db: kyselyOf(url), store: postgresStore({ url }) }
}

const payment = (
  db: Kysely<unknown>,
  order: string,
  { status = 1, was = 1, remindAt }: { status?: number; was?: number; remindAt?: number },
) =>
  sql`insert into payments (shop_id, order_id, status, status_version, delivered_version, read_version, redirect_url, webhook_url,
      created_at, changed_at, accepted_at, remind_at)
    values ('default', ${order}, 'paid', ${status}, ${was}, 0, 'https://shop.example/r', 'https://shop.example/w', ${start}, ${start},
      ${start}, ${remindAt ?? null})`.execute(db)

const owed = (db: Kysely<unknown>, order: string, version: number) =>
  sql`insert into webhooks (shop_id, order_id, lane, webhook_url, version, due_at, owed_since, tries)
    values ('default', ${order}, 'default shop.example', 'https://shop.example/w', ${version}, ${start}, ${start}, 0)`.execute(
    db,
  )

const deliveredOf = async (store: StorePort, order: string) =>
  (await store.payment('default', order))?.deliveredVersion

/** The tables as they were before reminders had their own. */
async function makeTablesOfBefore({ engine, db }: Opened): Promise<void> {
  const before = Object.entries(migrationsFor(engine)).filter(([name]) => name < '2027-08')
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(before) } })
  expect((await migrator.migrateToLatest()).error).toBeUndefined()
}

test.for<Engine>(['sqlite', 'postgres'])(
  'what was delivered, and reminders that wait, are taken over: %s',
  async (engine) => {
    const opened = await onEach(engine)
    const { db, store } = opened
    onTestFinished(() => store.close())
    await makeTablesOfBefore(opened)
    await payment(db, 'settled', {})
    await payment(db, 'owed again', { status: 3, was: 2 })
    await owed(db, 'owed again', 3)
    await payment(db, 'unread', { remindAt: start + 60 * minute })
    for (const order of ['settled', 'unread'])
      await sql`insert into deliveries (shop_id, order_id, version, at, ms, status, answer)
        values ('default', ${order}, 1, ${start}, 5, 200, '')`.execute(db)
    await db.destroy()
    await store.open()
    expect(await deliveredOf(store, 'settled')).toBe(1)
    expect(await deliveredOf(store, 'owed again')).toBe(2)
    const early = await store.remindUnread({ now: start + 59 * minute, limit: 5 })
    expect(early.reminded).toEqual([])
    const { reminded } = await store.remindUnread({ now: start + 60 * minute, limit: 5 })
    // Deliveries of before have the reminders that they had.
    expect(reminded).toEqual([{ shopId: 'default', orderId: 'unread' }])
  },
)

test.for<Engine>(['sqlite', 'postgres'])(
  'a node of the version before writes beside a newer one: %s',
  async (engine) => {
    const { db, store } = await onEach(engine)
    await store.open()
    onTestFinished(async () => {
      await db.destroy()
      await store.close()
    })
    // It owes a webhook without the version that was delivered before.
    await payment(db, 'its own', { status: 2, was: 1 })
    await owed(db, 'its own', 2)
    expect(await deliveredOf(store, 'its own')).toBe(1)
    const { attempt } = await store.openAttempt(open())
    await store.learn('default', '1001', attempt.id, [paid], { source: 'report', now: start })
    const [ours] = (await store.claimWebhooks(claim)).filter(({ orderId }) => orderId === '1001')
    await store.settleWebhook(ours!, delivered())
    expect(await deliveredOf(store, '1001')).toBe(1)
    // It settles its own, and notes that at the payment.
    await sql`delete from webhooks where order_id = 'its own'`.execute(db)
    await sql`update payments set delivered_version = 2 where order_id = 'its own'`.execute(db)
    expect(await deliveredOf(store, 'its own')).toBe(2)
    expect(await store.countWebhooks()).toEqual({ owed: 0, dead: 0, owedSince: undefined })
  },
)
