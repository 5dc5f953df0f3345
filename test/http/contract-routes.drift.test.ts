import supertest from 'supertest'
import { expect, test } from 'vitest'
import { flatRate } from '../../src/adapters/index.ts'
import { checkoutExample } from '../../src/contract/examples/requests.ts'
import { memoryStore } from '../../src/index.ts'
import type { StorePort } from '../../src/store.ts'
import { listening } from '../listening.ts'

test('what a platform sends beside the contract is stored when the provider stops, with what became of it', async () => {
  const store = memoryStore() as StorePort
  const noted: object[] = []
  const { noteDrifts } = store
  store.noteDrifts = (drifts) => {
    noted.push(...drifts)
    return noteDrifts(drifts)
  }
  const { provider, endpoint } = await listening({
    store,
    rates: flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0.21' }),
  })
  const post = (body: object) => supertest(endpoint).post('/shipment_methods').send(body)
  expect((await post({ ...checkoutExample, loyalty: 1 })).status).toBe(201)
  expect((await post({ ...checkoutExample, quote: 7 })).status).toBe(422)
  const lost = {
    shipping_address: { country: { code: 'nl' } },
    customer: { gender: 1, birthdate: '04-07-1988' },
  }
  expect((await post({ ...checkoutExample, ...lost })).status).toBe(201)
  await provider.stop()
  expect(noted).toMatchObject([
    { shopId: 'default', message: 'shipment_methods', path: 'loyalty', became: 'ignored', count: 1 },
    { path: 'quote', kind: 'number', became: 'refused' },
    { path: 'customer.gender', kind: 'number', became: 'lost' },
    { path: 'customer.birthdate', kind: 'text', became: 'lost' },
    { path: 'shipping_address.country', kind: 'object', became: 'lost' },
  ])
})
