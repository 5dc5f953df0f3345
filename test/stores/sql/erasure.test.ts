import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { StorePort } from '../../../src/store-port.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { folderWith } from '../../folder.ts'
import { asReported, open, start } from '../cases/store-case.ts'

async function withOrders(store: StorePort, orders: number): Promise<void> {
  await store.ensureShop('one', { tokenHash: 'h', sealedToken: 'Canary sealed', now: start })
  for (let order = 0; order < orders; order++) {
    const redirectUrl = `https://shop.example/Canary/${order}`
    const { attempt } = await store.openAttempt(
      open({
        ...{ shopId: 'one', orderId: `${order}`, orderNumber: `Canary ${order}`, attemptId: `one.${order}` },
        ...{ redirectUrl, now: start, expiresAt: start, checkAt: start },
      }),
    )
    await store.learn('one', `${order}`, attempt.id, [{ word: 'cancelled', detail: 'Canary' }], asReported)
  }
}

test.each<[string, (store: StorePort) => Promise<unknown>]>([
  [
    'orders one by one',
    async (store) => {
      for (let order = 0; order < 300; order++) await store.erasePayment('one', `${order}`, start)
    },
  ],
  ['a whole shop', (store) => store.removeShop('one', start)],
])('of %s nothing is left in the file or its log', async (what, erase) => {
  const file = `${folderWith()}/erased.db`
  const store = sqliteStore({ file })
  await store.open()
  await withOrders(store, 300)
  await erase(store)
  const left = [file, `${file}-wal`].filter(existsSync).map((name) => readFileSync(name).toString('latin1'))
  const canaries = left.join('').split('Canary').length - 1
  // The shop itself stays where only its orders were erased.
  expect(canaries).toBe(what.startsWith('orders') ? 1 : 0)
  await store.close()
})
