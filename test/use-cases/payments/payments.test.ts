import { expect, test } from 'vitest'
import { paymentsOf } from '../../../src/use-cases/payments/payments.ts'
import { open } from '../../stores/cases/store-case.ts'
import { minute, paid, paymentsWith } from '../provider.ts'

/** Three payments with one anomaly each, a minute apart: orders 1 and 2 of the default shop, then order 1 of another. */
async function withAnomalies() {
  const { start, workings, world, move } = paymentsWith({})
  const { store } = workings
  const payments = paymentsOf(workings, async () => {})
  await store.ensureShop('other', { tokenHash: 'h', sealedToken: 's', now: world.now() })
  await store.openAttempt(open({ shopId: 'other', orderId: '1', amount: '29.34', now: world.now() }))
  for (const id of [1, 2]) await start({ id })
  for (const [shop, orderId] of [
    ['default', 1],
    ['default', 2],
    ['other', 1],
  ] as const) {
    await payments.report({ shop, orderId }, { ...paid, amount: '50.00', event: `${shop}-${orderId}` })
    await move(minute)
  }
  return Object.assign(payments, { store })
}

test('anomalies are those of every shop, of a shop, or of an order', async () => {
  const payments = await withAnomalies()
  const listed = async (query?: Parameters<typeof payments.anomalies>[0]) =>
    (await payments.anomalies(query)).map(({ shopId, orderId }) => `${shopId} ${orderId}`).sort()
  expect(await listed()).toEqual(['default 1', 'default 2', 'other 1'])
  expect(await listed({ shop: 'default' })).toEqual(['default 1', 'default 2'])
  expect(await listed({ orderId: 1 })).toEqual(['default 1', 'other 1'])
  expect(await listed({ orderId: '2' })).toEqual(['default 2'])
  expect(await listed({ shop: 'other', orderId: 1 })).toEqual(['other 1'])
  expect(await listed({ shop: 'other', orderId: 2 })).toEqual([])
})

test('anomalies are the oldest and open, up to the limit, and closed ones with `closed`', async () => {
  const payments = await withAnomalies()
  const [oldest, second, third] = await payments.anomalies()
  expect([oldest, second, third]).toMatchObject([
    { shopId: 'default', orderId: '1' },
    { shopId: 'default', orderId: '2' },
    { shopId: 'other', orderId: '1' },
  ])
  expect(await payments.anomalies({ limit: 2 })).toEqual([oldest, second])
  expect(await payments.anomalies({ limit: 5_000 })).toHaveLength(3)
  await payments.closeAnomaly(oldest!.id, 'sent back', { by: 'eve' })
  expect(await payments.anomalies()).toEqual([second, third])
  expect((await payments.anomalies({ closed: true })).map(({ id }) => id)).toContain(oldest!.id)
  await payments.closeAnomaly(second!.id, 'sent back')
  const audited = await payments.store.auditTrail({ shopId: 'default', limit: 9 })
  expect(
    audited
      .filter(({ action }) => action === 'anomaly.closed')
      .map(({ by }) => by)
      .sort(),
  ).toEqual(['eve', 'provider'])
})
