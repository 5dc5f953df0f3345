import { readFileSync } from 'node:fs'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { checkoutExample } from '../../src/contract/examples.ts'
import { folderWith, purveyor, serving } from '../cli/command.ts'
import { postJson } from '../http/post.ts'
import { repository } from '../journey/project.ts'
import { openShop } from '../platform/sandbox.ts'
import { serveOrigin } from '../serve-origin.ts'

const example = (name: string) => `${repository}examples/${name}`.replace('//', '/')

/** The aggregator, answering with the bodies of its documentation. */
async function aggregator() {
  const asked: { authorization: string | undefined; body: object }[] = []
  const state = { status: 201, answer: 'shippo.json' }
  const url = await serveOrigin(async (req, res) => {
    const { authorization } = req.headers
    asked.push({ authorization, body: (await json(req)) as object })
    const refusal = '{"detail":"Authentication credentials were not provided."}'
    const answer = state.status < 401 ? readFileSync(new URL(state.answer, import.meta.url)) : refusal
    res.writeHead(state.status).end(state.status === 204 ? undefined : answer)
  })
  return { asked, state, url }
}

/** The example with the aggregator, and a shop that asks it. */
async function asked() {
  const api = await aggregator()
  const env = { SHIPPO_URL: api.url, SHIPPO_TOKEN: 'shippo_test_1', NODE_ENV: 'development' }
  const { ready } = serving(folderWith(), env, '--provider', example('rates-carrier-api/provider.ts'))
  const { endpoint } = await ready
  const shop = await openShop({ endpoint, services: ['rates'] })
  const explained = async (zipcode: string) => {
    const offered = await shop.checkout({ address: { country: 'fr', zipcode } }).shipmentMethods()
    const { adapters = [] } = shop.calls.at(-1)?.explanation ?? {}
    const { result, reason, notes } = adapters[0] ?? {}
    return { offered: offered.map((one) => `${one.id} ${one.description}`.trim()), result, reason, notes }
  }
  return { ...api, endpoint, shop, explained }
}

test("rates of an aggregator's API: converted, cached, and stood in for", async () => {
  const { asked: calls, state, shop, explained } = await asked()

  const methods = () => shop.checkout({ address: { country: 'fr', zipcode: '75001' } }).shipmentMethods()
  const [home, express] = await methods()
  const colissimo = { id: 'colissimo_home', title: 'Colissimo Home', description: 'In 3 days' }
  expect(home).toMatchObject({ ...colissimo, price_excl: '7.13' })
  expect(express).toMatchObject({ id: 'ups_express', description: '' })
  expect(await methods()).toHaveLength(2)
  expect(calls).toHaveLength(1)
  expect(calls[0]!.authorization).toBe('ShippoToken shippo_test_1')
  expect(calls[0]!.body).toMatchObject({
    address_to: { zip: '75001', country: 'FR' },
    parcels: [{ mass_unit: 'g', weight: expect.stringMatching(/^\d+$/) }],
    async: false,
  })
  expect(JSON.stringify(calls)).not.toMatch(/jan|Damrak/i)

  state.answer = 'shippo-no-rates.json'
  const none = { offered: [], reason: 'no carrier has a rate (UPS, Colissimo)' }
  expect(await explained('20100')).toMatchObject(none)
  Object.assign(state, { status: 400, answer: 'shippo-refused.json' })
  const refused = { offered: [], reason: 'refused with 400: address_to' }
  for (let customer = 0; customer < 6; customer++)
    expect(await explained(`9999${customer}`)).toMatchObject(refused)
  state.status = 503
  expect((await explained('20200')).offered).toEqual(['standard'])

  state.status = 401
  const [standard] = await shop.checkout({ address: { country: 'de', zipcode: '10115' } }).shipmentMethods()
  expect(standard).toMatchObject({ id: 'standard', price_excl: '9.5' })
  expect(shop.calls.flatMap(({ faults }) => faults)).toEqual([])
})

test('an outage inside a good answer is a failure, and one rate without a price costs no other', async () => {
  const { state, explained } = await asked()
  state.answer = 'shippo-timeout.json'
  const failed = { offered: ['standard'], result: 'failed' }
  expect(await explained('75001')).toMatchObject({ ...failed, reason: 'shippo: UPS did not answer in time' })
  state.answer = 'shippo-sparse.json'
  const sparse = { offered: ['colissimo_home'], notes: ['no price: ups_express'] }
  expect(await explained('75002')).toMatchObject(sparse)
  Object.assign(state, { status: 204, answer: 'shippo.json' })
  const empty = { offered: [], reason: 'the carrier answered 204 without rates' }
  expect(await explained('75003')).toMatchObject(empty)
  state.status = 409
  expect(await explained('75004')).toMatchObject(failed)
})

test('each parcel is asked with its own weight', async () => {
  const { asked: calls, endpoint } = await asked()
  const product = (weight: number) => ({ ...checkoutExample.quote.products[0], quantity: 1, weight })
  const quote = { ...checkoutExample.quote, weight: 40_000, products: [product(25_000), product(15_000)] }
  await postJson(`${endpoint}/shipment_methods`, { ...checkoutExample, quote })
  expect(calls[0]!.body).toMatchObject({ parcels: [{ weight: '25000' }, { weight: '15000' }] })
})

test("a carrier's tariff: islands, volume, languages", async () => {
  const { ready } = serving(folderWith(), {}, '--provider', example('rates-table/provider.ts'))
  const { endpoint } = await ready
  const shop = await openShop({ endpoint, services: ['rates'] })
  const titles = async (country: 'nl' | 'be', zipcode: string) =>
    (await shop.checkout({ language: 'nl', address: { country, zipcode } }).shipmentMethods()).map(
      ({ title }) => title,
    )
  expect(await titles('nl', '1016GV')).toEqual(['Aan de deur', 'Bij een afhaalpunt'])
  expect(await titles('be', '1000')).toEqual(['Bij een afhaalpunt', 'Aan de deur'])
  expect(await shop.estimate({ country: 'nl', zipcode: '8881AA' })).toHaveLength(2)
  expect(shop.calls.flatMap(({ faults }) => faults)).toEqual([])
})

test('its tariff has nothing to complain about', async () => {
  const { code } = await purveyor(['rates', 'lint', example('rates-table/tariff.csv')])
  expect(code).toBe(0)
})
