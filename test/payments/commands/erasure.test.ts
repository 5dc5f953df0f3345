import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { StorePort } from '../../../src/store-port.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { folderWith } from '../../folder.ts'
import { asReported, open, start } from '../../stores/cases/store-case.ts'
import { opened } from '../../stores/opened.ts'

async function withOrders(store: StorePort, orders: number): Promise<void> {
  await store.ensureShop('one', { tokenHash: 'h', sealedToken: 'Canary sealed', now: start })
  for (let order = 0; order < orders; order++) {
    const redirectUrl = `https://shop.example/Canary/${order}`
    const opening = open({ shopId: 'one', orderId: `${order}`, orderNumber: `Canary ${order}`, redirectUrl })
    const { attempt } = await store.openAttempt(opening)
    await store.learn('one', `${order}`, attempt.id, [{ word: 'cancelled', detail: 'Canary' }], asReported)
  }
}

test.each(['orders one by one', 'a whole shop'])(
  'of %s nothing is left in the file or its log',
  async (what) => {
    const file = `${folderWith()}/erased.db`
    const store = await opened(sqliteStore({ file }))
    await withOrders(store, 300)
    const isShop = what === 'a whole shop'
    if (isShop) await store.removeShop('one', start)
    else for (let order = 0; order < 300; order++) await store.erasePayment('one', `${order}`, start)
    const left = [file, `${file}-wal`].filter(existsSync).map((name) => readFileSync(name).toString('latin1'))
    const canaries = left.join('').split('Canary').length - 1
    // The shop itself stays where only its orders were erased.
    expect(canaries).toBe(isShop ? 0 : 1)
  },
)
