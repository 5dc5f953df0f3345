import { expect, test } from 'vitest'
import { checkProvider } from '../../src/conformance/index.ts'
import { memoryStore } from '../../src/index.ts'
import type { StorePort } from '../../src/store-port.ts'
import { movableClock } from '../../src/testing/index.ts'
import { testPayments } from '../../templates/full/payments.ts'
import { listening } from '../listening.ts'

test('a check leaves nothing at a provider of this framework: no open payment, no webhook and no anomaly, for weeks', async () => {
  const [clock, store] = [movableClock(), memoryStore()]
  const { provider, endpoint } = await listening({ store, clock, payments: testPayments })
  const { failed, advice, testOrders } = await checkProvider(endpoint)
  expect([failed, advice, testOrders.open]).toEqual([0, 0, 0])

  const port = store as unknown as StorePort
  const statuses = async () => {
    const payments = await port.payments({ limit: 500 })
    expect(payments.length).toBeGreaterThan(40)
    return [...new Set(payments.map(({ status }) => status))].sort()
  }
  expect(await statuses()).toEqual(['cancelled', 'paid'])
  expect(await port.countWebhooks()).toMatchObject({ owed: 0, dead: 0 })
  for (let day = 0; day < 16; day++) {
    clock.advance(24 * 3_600_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await statuses()).toEqual(['cancelled', 'paid'])
  expect(await port.countWebhooks()).toMatchObject({ owed: 0, dead: 0 })
  expect(await provider.payments.anomalies({})).toEqual([])
})
