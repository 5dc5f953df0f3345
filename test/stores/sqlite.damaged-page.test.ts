import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type StoreTrouble, StoreUnavailable } from '../../src/store.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { claim, delivered, minute, open, openOwed, start } from './cases/store-case.ts'
import { opened } from './opened.ts'

const shops = Array.from({ length: 12 }, (_, shop) => `shop-${10 + shop}`)
const orders = Array.from({ length: 40 }, (_, order) => `${order}`)
const pageSize = 4_096

/** Spoils the page in the middle of a table. */
function spoil(file: string, table: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  const leaves = database
    .prepare("select pageno from dbstat where name = ? and pagetype = 'leaf' order by path")
    .all(table) as { pageno: number }[]
  database.close()
  expect(leaves.length).toBeGreaterThan(4)
  const { pageno } = leaves[leaves.length >> 1]!
  const to = openSync(file, 'r+')
  writeSync(to, Buffer.alloc(pageSize, 0xff), 0, pageSize, (pageno - 1) * pageSize)
  closeSync(to)
}

/** The commands that one damaged page may stop. */
const damaged = (error: unknown) => {
  expect(error).toBeInstanceOf(StoreUnavailable)
  return []
}

const push = (shopId: string, key: string) => ({
  ...{ shopId, adapter: 'psp', key, sealed: 'text'.repeat(20) },
  receivedAt: start,
})

/** Webhooks and pushes of twelve shops. */
async function filled(): Promise<string> {
  const file = join(folderWith(), 'purveyor.db')
  const store = sqliteStore({ file })
  await store.open()
  await Promise.all(
    shops.flatMap((shopId) =>
      orders.map(async (orderId) => {
        await openOwed(store, { shopId, orderId })
        await store.keepPush(push(shopId, orderId), start)
      }),
    ),
  )
  await store.close()
  return file
}

test('a page that cannot be read stops the webhooks of the shops on it alone, and no command of others', async () => {
  const file = await filled()
  spoil(file, 'webhooks')
  const store = await opened(sqliteStore({ file }))
  const reported: StoreTrouble[] = []
  store.watch?.((trouble) => reported.push(trouble))
  const heard = new Map<string, number>()
  for (let now = start; now < start + minute; now += 5_000) {
    const [claimed] = await Promise.all([
      store
        .claimWebhooks({ ...claim, now, leaseUntil: now + minute, limit: 500, perLane: 50 })
        .catch(damaged),
      // In the same commit.
      store.openAttempt(open({ shopId: shops[0]!, orderId: `new ${now}` })),
    ])
    for (const one of claimed) {
      heard.set(one.shopId, (heard.get(one.shopId) ?? 0) + 1)
      await store.settleWebhook(one, delivered(now)).catch(damaged)
    }
  }
  const whole = shops.filter((shop) => heard.get(shop) === orders.length)
  expect(whole.length).toBeGreaterThanOrEqual(shops.length - 3)
  expect(whole.length).toBeLessThan(shops.length)
  expect(reported).toContainEqual({ code: 'STORE_DAMAGED' })
})

test('a page that cannot be read stops the pushes of the shops on it alone', async () => {
  const file = await filled()
  spoil(file, 'pushes')
  const store = await opened(sqliteStore({ file }))
  const processed = new Map<string, number>()
  for (let now = start; now < start + minute; now += 5_000) {
    const due = { adapter: 'psp', now, leaseUntil: now + minute, limit: 500, perLane: 50, owner: 'a' }
    for (const one of await store.claimPushes(due).catch(damaged)) {
      processed.set(one.shopId, (processed.get(one.shopId) ?? 0) + 1)
      await store.settlePush(one, { outcome: 'processed', detail: 'noted' }, now).catch(damaged)
    }
  }
  const whole = shops.filter((shop) => processed.get(shop) === orders.length)
  // The rows lie in the order of their arrival: a page has those of several shops.
  expect(whole.length).toBeGreaterThan(0)
  expect(whole.length).toBeLessThan(shops.length)
})
