import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type StoreTrouble, StoreUnavailable } from '../../src/store.ts'
import type { ClaimedPush, OwedWebhook, StorePort } from '../../src/store-port.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { at, delivered, keep, minute, open, openOwed, start } from './cases/store-case.ts'
import { opened } from './opened.ts'
import { spoilPage } from './sqlite-tables.ts'

const shops = Array.from({ length: 12 }, (_, shop) => `shop-${10 + shop}`)
const orders = Array.from({ length: 40 }, (_, order) => `${order}`)

/** The commands that one damaged page may stop. */
const damaged = (error: unknown) => {
  expect(error).toBeInstanceOf(StoreUnavailable)
  return []
}

/** Webhooks and pushes of twelve shops, and a page in the middle of a table that cannot be read. */
async function spoilt(table: string): Promise<StorePort> {
  const file = join(folderWith(), 'purveyor.db')
  const store = sqliteStore({ file })
  await store.open()
  await Promise.all(
    shops.flatMap((shopId) =>
      orders.map(async (orderId) => {
        await openOwed(store, { shopId, orderId })
        await keep(store, [orderId], { shopId, sealed: 'text'.repeat(20) })
      }),
    ),
  )
  await store.close()
  spoilPage(file, table, 0.5)
  return opened(sqliteStore({ file }))
}

/** The shops all of whose orders were claimed, among others. */
function whole(claimed: readonly { shopId: string }[]): string[] {
  const found = shops.filter(
    (shop) => claimed.filter(({ shopId }) => shopId === shop).length === orders.length,
  )
  expect(found.length).toBeLessThan(shops.length)
  return found
}
const looks = Array.from({ length: minute / 5_000 }, (_, look) => ({
  ...at(start + look * 5_000),
  ...{ limit: 500, perLane: 50 },
}))

test('a page that cannot be read stops the webhooks of the shops on it alone, and no command of others', async () => {
  const store = await spoilt('webhooks')
  const reported: StoreTrouble[] = []
  store.watch?.((trouble) => reported.push(trouble))
  const heard: OwedWebhook[] = []
  for (const look of looks) {
    const [claimed] = await Promise.all([
      store.claimWebhooks(look).catch(damaged),
      // In the same commit.
      store.openAttempt(open({ shopId: shops[0]!, orderId: `new ${look.now}` })),
    ])
    heard.push(...claimed)
    for (const one of claimed) await store.settleWebhook(one, delivered(look.now)).catch(damaged)
  }
  expect(whole(heard).length).toBeGreaterThanOrEqual(shops.length - 3)
  expect(reported).toContainEqual({ code: 'STORE_DAMAGED' })
})

test('a page that cannot be read stops the pushes of the shops on it alone', async () => {
  const store = await spoilt('pushes')
  const processed: ClaimedPush[] = []
  for (const look of looks) {
    for (const one of await store.claimPushes({ ...look, adapter: 'psp' }).catch(damaged)) {
      processed.push(one)
      await store.settlePush(one, { outcome: 'processed', detail: 'noted' }, look.now).catch(damaged)
    }
  }
  // The rows lie in the order of their arrival: a page has those of several shops.
  expect(whole(processed).length).toBeGreaterThan(0)
})
