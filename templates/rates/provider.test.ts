import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createProvider, memoryStore } from 'purveyor'
import { startSandbox, testProvider, testRateAdapter } from 'purveyor/testing'
import { courier, tariff } from './rates.ts'

// The tests make the provider fail on purpose. To see its log: PURVEYOR_LOG_LEVEL=warn npm test
process.env.PURVEYOR_LOG_LEVEL ??= 'silent'

let shop: Awaited<ReturnType<typeof startSandbox>>

before(async () => {
  shop = await startSandbox(
    createProvider({ store: memoryStore(), rates: { adapters: [tariff, courier], units: { weight: 'g' } } }),
  )
})
after(() => shop.close())

// The rules for every rate adapter, and for every provider.
describe('the tariff', () => testRateAdapter({ test, adapter: tariff }))
describe('the courier', () => testRateAdapter({ test, adapter: courier }))
describe('the contract', () => testProvider({ test, open: () => shop.endpoint }))

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

test('a heavy cart costs more than a letter, and has no courier', async () => {
  const prices = async (lines: 'letter' | 'heavy' | { weight: number }[]) =>
    (await shop.checkout({ lines }).shipmentMethods()).map(({ id, price_excl }) => `${id} ${price_excl}`)
  assert.deepEqual(await prices('letter'), ['door 5.79', 'point 4.13', 'courier 9.95'])
  assert.deepEqual(await prices([{ weight: 22_000 }]), ['door 10.79'])
  assert.deepEqual(await prices('heavy'), [])
})

test('a country without a tariff gets no methods', async () => {
  assert.deepEqual(await shop.estimate({ country: 'us', zipcode: '10001' }), [])
})
