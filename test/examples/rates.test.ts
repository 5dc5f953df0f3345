import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { folderWith, purveyor, running } from '../cli/command.ts'
import { repository } from '../journey/project.ts'

const example = (name: string) => `${repository}examples/${name}`.replace('//', '/')

/** The aggregator, answering with the bodies of its documentation. */
async function aggregator() {
  const asked: { authorization: string | undefined; body: object }[] = []
  const state = { status: 201, answer: 'shippo.json' }
  const server = createServer(async (req, res) => {
    const { authorization } = req.headers
    asked.push({ authorization, body: (await json(req)) as object })
    if (state.status < 401)
      res.writeHead(state.status).end(readFileSync(new URL(state.answer, import.meta.url)))
    else res.writeHead(state.status).end('{"detail":"Authentication credentials were not provided."}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test("rates of an aggregator's API: converted, cached, and stood in for", async () => {
  const { asked, state, url } = await aggregator()
  const { ready } = running(
    [
      'serve',
      '--development',
      example('rates-carrier-api/provider.ts'),
      '--port',
      '0',
      '--json',
      '--show-endpoint',
    ],
    {
      cwd: folderWith(),
      env: { SHIPPO_URL: url, SHIPPO_TOKEN: 'shippo_test_1', NODE_ENV: 'development' },
    },
  )
  const { endpoint } = await ready
  const shop = createSandbox({ endpoint, services: ['shipment'] })
  await shop.listen()
  onTestFinished(() => shop.close())

  const methods = () => shop.checkout({ address: { country: 'fr', zipcode: '75001' } }).shipmentMethods()
  const [home, express] = await methods()
  expect(home).toMatchObject({
    id: 'colissimo_home',
    title: 'Colissimo Home',
    description: 'In 3 days',
    price_excl: '7.13',
  })
  expect(express).toMatchObject({ id: 'ups_express', description: '' })
  expect(await methods()).toHaveLength(2)
  expect(asked).toHaveLength(1)
  expect(asked[0]!.authorization).toBe('ShippoToken shippo_test_1')
  expect(asked[0]!.body).toMatchObject({
    address_to: { zip: '75001', country: 'FR' },
    parcels: [{ mass_unit: 'g', weight: expect.stringMatching(/^\d+$/) }],
    async: false,
  })
  expect(JSON.stringify(asked)).not.toMatch(/jan|Damrak/i)

  const explained = async (zipcode: string) => {
    const offered = await shop.checkout({ address: { country: 'fr', zipcode } }).shipmentMethods()
    const { adapters = [] } = shop.calls.at(-1)?.explanation ?? {}
    return { offered: offered.map(({ id }) => id), reason: adapters[0]?.reason }
  }
  state.answer = 'shippo-no-rates.json'
  expect(await explained('20100')).toEqual({
    offered: [],
    reason: 'no carrier has a rate (UPS, Colissimo)',
  })
  Object.assign(state, { status: 400, answer: 'shippo-refused.json' })
  for (let shopper = 0; shopper < 6; shopper++)
    expect(await explained(`9999${shopper}`)).toEqual({ offered: [], reason: 'refused with 400: address_to' })
  state.status = 503
  expect((await explained('20200')).offered).toEqual(['standard'])

  state.status = 401
  const [standard] = await shop.checkout({ address: { country: 'de', zipcode: '10115' } }).shipmentMethods()
  expect(standard).toMatchObject({ id: 'standard', price_excl: '9.5' })
  expect(shop.calls.flatMap(({ faults }) => faults)).toEqual([])
})

test("a carrier's tariff: islands, volume, languages", async () => {
  const { ready } = running(
    [
      'serve',
      '--development',
      example('rates-table/provider.ts'),
      '--port',
      '0',
      '--json',
      '--show-endpoint',
    ],
    {
      cwd: folderWith(),
    },
  )
  const { endpoint } = await ready
  const shop = createSandbox({ endpoint, services: ['shipment'] })
  await shop.listen()
  onTestFinished(() => shop.close())
  const titles = async (country: 'nl' | 'be', zipcode: string) =>
    (await shop.checkout({ language: 'nl', address: { country, zipcode } }).shipmentMethods()).map(
      ({ title }) => title,
    )
  expect(await titles('nl', '1016GV')).toEqual(['Aan de deur', 'Bij een afhaalpunt'])
  expect(await titles('be', '1000')).toEqual(['Bij een afhaalpunt', 'Aan de deur'])
  expect(
    (await shop.estimate({ country: 'nl', zipcode: '8881AA' })).map(({ price_excl }) => price_excl),
  ).toHaveLength(2)
  expect(shop.calls.flatMap(({ faults }) => faults)).toEqual([])
})

test('its tariff has nothing to complain about', async () => {
  const { code } = await purveyor(['rates', 'lint', example('rates-table/tariff.csv')])
  expect(code).toBe(0)
})
