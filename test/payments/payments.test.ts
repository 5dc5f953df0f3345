import { expect, test } from 'vitest'
import { paymentsOf } from '../../src/payments/payments.ts'
import { minute, paid, paymentsWith } from '../helpers/provider.ts'
import { open } from '../stores/cases/store-case.ts'

const laterStart = { how: 'later', paymentUrl: undefined, urlExpiresAt: undefined } as const

/** Three payments with one anomaly each, a minute apart: orders 1 and 2 of the default shop, then order 1 of another. */
async function withAnomalies() {
  const { start, workings, world, move } = paymentsWith({})
  const { store } = workings
  const payments = paymentsOf(workings, async () => {})
  await store.ensureShop('other', { tokenHash: 'h', sealedToken: 's', now: world.now() })
  await store.openAttempt(open({ shopId: 'other', orderId: '1', amount: '29.34', now: world.now() }))
  for (const id of [1, 2]) await start({ id })
  for (const event of ['default-1', 'default-2', 'other-1']) {
    const [shop = '', orderId = ''] = event.split('-')
    await payments.report({ shop, orderId }, { ...paid, amount: '50.00', event })
    await move(minute)
  }
  return Object.assign(payments, { store })
}

test('a reference without a shop is that of the one shop that has it, and is refused by name where two have it', async () => {
  const { start, workings } = paymentsWith({ start: () => ({ later: true, reference: 'tr_1' }) })
  const { store, world } = workings
  const payments = paymentsOf(workings, async () => {})
  const inShop = async (shopId: string) => {
    await store.ensureShop(shopId, { tokenHash: shopId, sealedToken: 's', now: world.now() })
    const { attempt } = await store.openAttempt(open({ shopId, orderId: '7', attemptId: `${shopId}.1` }))
    const times = { expiresAt: world.now() + minute, checkAt: world.now() + minute }
    await store.noteStart(attempt, { ...laterStart, reference: 'tr_1' }, times)
  }
  await inShop('bikes')
  const ref = { adapter: 'psp', reference: 'tr_1' }
  expect(await payments.report(ref, paid)).toBe('paid')
  expect((await payments.get({ shop: 'bikes', orderId: 7 }))?.status).toBe('paid')
  await expect(payments.report({ ...ref, shop: 'cars' }, paid)).rejects.toMatchObject({
    code: 'UNKNOWN_PAYMENT',
  })
  await start({ id: 7 })
  const isRefused = { code: 'ARGUMENT_INVALID', message: expect.stringMatching(/bikes and default.*`shop`/) }
  await expect(payments.report(ref, paid)).rejects.toMatchObject(isRefused)
  await expect(payments.refund(ref)).rejects.toMatchObject(isRefused)
  expect(await payments.report({ ...ref, shop: 'default' }, paid)).toBe('paid')
})

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
  await expect(payments.closeAnomaly(second as never, undefined as never)).rejects.toMatchObject({
    code: 'ARGUMENT_INVALID',
  })
  await payments.closeAnomaly(second!.id, 'sent back')
  const audited = await payments.store.auditTrail({ shopId: 'default', limit: 9 })
  const closed = audited.filter(({ action }) => action === 'anomaly.closed')
  expect(closed.map(({ by }) => by).sort()).toEqual(['eve', 'provider'])
})
