import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createProvider, memoryStore, type Provider } from 'purveyor'
import { createSandbox, type Sandbox } from 'purveyor/sandbox'
import { courier, tariff } from './rates.ts'

let provider: Provider
let shop: Sandbox

before(async () => {
  provider = createProvider({ store: memoryStore(), rates: [tariff, courier], units: { weight: 'g' } })
  const { endpoint } = await provider.listen({ port: 0 })
  shop = createSandbox({ endpoint, services: provider.services })
  await shop.listen()
})

after(async () => {
  await shop.close()
  await provider.stop()
})

test('the cart and the checkout see the same methods', async () => {
  const estimated = await shop.estimate({ country: 'nl', zipcode: '1016GV' })
  const offered = await shop.checkout().shipmentMethods()
  assert.deepEqual(
    offered.map(({ id, price_incl }) => `${id} ${price_incl}`),
    ['door 7.01', 'point 5', 'courier 12.04'],
  )
  assert.deepEqual(estimated, offered)
})

test('islands cost more, and have no courier', async () => {
  const offered = await shop.estimate({ country: 'nl', zipcode: '8881AA' })
  assert.deepEqual(
    offered.map(({ id, price_excl }) => `${id} ${price_excl}`),
    ['door 13.5', 'point 4.13'],
  )
})

test('a country without a tariff gets no methods', async () => {
  assert.deepEqual(await shop.estimate({ country: 'us', zipcode: '10001' }), [])
})

test('the shop finds no fault in any answer', () => {
  assert.deepEqual(
    shop.calls.flatMap(({ faults }) => faults),
    [],
  )
})
