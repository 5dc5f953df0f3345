import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createProvider, memoryStore } from 'purveyor'
import { movableClock, startSandbox, testRateAdapter } from 'purveyor/testing'
import { pretendCarrier } from './api.ts'

const api = await pretendCarrier()
Object.assign(process.env, { PURVEYOR_LOG_LEVEL: 'silent', ...process.env, CARRIER_URL: api.url })
const { carrier } = await import('./carrier.ts')

const settings = { clientId: 'bikes', clientSecret: 'secret of bikes', contract: 'NL-1001', markup: 10 }
const clock = movableClock()
const units = { weight: 'g', volume: 'cm3' } as const
const provider = createProvider({ store: memoryStore(), clock, rates: { adapters: carrier, units } })
let shop: Awaited<ReturnType<typeof startSandbox>>

before(async () => {
  shop = await startSandbox(provider, { clock })
  await provider.shops.saveSettings('default', { adapters: { carrier: settings } })
})
after(() => shop.close())
after(() => api.close())

testRateAdapter({ test, adapter: carrier, settings, units, to: { country: 'nl', zipcode: '1016GV' } })

type To = ['nl' | 'aq', string]
const methods = (...[country, zipcode]: To) =>
  shop.checkout({ address: { country, zipcode } }).shipmentMethods()
const ids = async (...to: To) => (await methods(...to)).map(({ id }) => id)

void test('door and points, with markup, tax of the goods and a promise', async () => {
  const [door, point] = await methods('nl', '1012LG')
  assert.match(door?.description ?? '', /\d/)
  assert.equal(point?.description, '350 m away')
  assert.deepEqual([door?.price_excl, door?.price_incl, point?.price_excl], ['6.6', '7.99', '4.35'])
})

void test('an address that it refuses has no method and no fallback; the next one has all', async () => {
  for (let customer = 0; customer < 6; customer++) assert.deepEqual(await ids('aq', `${customer}`), [])
  assert.deepEqual(await ids('nl', '1015AA'), ['parcel', 'point-2210', 'point-2217'])
})

void test('a revoked token costs one login, and while it is away the tariff of the shop answers', async () => {
  api.revoke()
  const before = api.calls.length
  assert.equal((await ids('nl', '1015BB'))[0], 'parcel')
  const logins = api.calls.slice(before).filter((call) => call === 'POST /oauth/token')
  assert.equal(logins.length, 1)
  api.broken = 503
  const [tariff] = await methods('nl', '1015CC')
  assert.deepEqual([tariff?.id, tariff?.price_excl], ['tariff', '6.95'])
})

void test('from the value on it is free, but not where the carrier does not go', async () => {
  api.broken = undefined
  await provider.shops.saveSettings('default', { adapters: { carrier: { ...settings, freeFrom: 1 } } })
  clock.advance(10_000)
  assert.equal((await methods('nl', '1015DD'))[0]?.price_incl, '0')
  assert.deepEqual(await ids('aq', '1'), [])
})
