import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listenOn } from '../../src/http/server.ts'
import { createSandbox, type Served } from '../../src/sandbox/index.ts'
import { atEnd } from '../at-end.ts'

const where = { country: 'nl', zipcode: '1012LG' }

/** A provider without methods, with its endpoint. */
async function provider() {
  const server = createServer((_req, res) => {
    res.writeHead(201, { 'content-type': 'application/json' }).end('{"shipment_methods":[]}')
  })
  const port = await listenOn(server, 0, '127.0.0.1')
  atEnd(() => void server.close())
  return `http://127.0.0.1:${port}/e/token`
}

test('a call of the shop waits for a provider that starts, and for no other', async () => {
  const shop = createSandbox({ endpoint: 'http://127.0.0.1:9/e/old', services: ['rates'] })
  const last = () => shop.calls.at(-1)
  const fault = { message: 'It broke.', lines: [], frames: [] }
  shop.setProvider({ is: 'not running', fault })
  await shop.estimate(where)
  expect(last()).toMatchObject({ status: undefined })
  expect(shop.provider).toEqual({ is: 'not running', fault })

  shop.setProvider({ is: 'starting' })
  const estimated = shop.estimate(where)
  const calls = shop.calls.length
  await new Promise(setImmediate)
  expect(shop.calls.length).toBe(calls)
  shop.setProvider({ is: 'running', endpoint: await provider() })
  await estimated
  expect(last()).toMatchObject({ status: 201 })
})

test.each<[string, RegExp]>([
  ['shipment', /^services has an unknown entry: write rates$/],
  ['payment', /^services has an unknown entry: write payments$/],
  ['other', /^services has an unknown entry: write rates or payments$/],
])('a service called %s is refused with the right word', (word, message) => {
  const services = [word as Served]
  const endpoint = 'http://127.0.0.1:9/e/token'
  expect(() => createSandbox({ endpoint, services })).toThrow(message)
  const shop = createSandbox({ endpoint })
  expect(() => shop.setProvider({ is: 'running', endpoint, services })).toThrow(message)
})

test('the shop follows a new endpoint and other services', async () => {
  const shop = createSandbox({ endpoint: 'http://127.0.0.1:9/e/old', services: ['rates'] })
  const registered = () => shop.services.map(({ type, urlEndpoint }) => [type, urlEndpoint])
  const endpoint = 'http://127.0.0.1:9/e/new'
  shop.setProvider({ is: 'running', endpoint, services: ['rates', 'payments'] })
  expect(registered()).toEqual([
    ['shipment', endpoint],
    ['payment', endpoint],
  ])
  shop.setProvider({ is: 'running', endpoint, services: ['payments'] })
  expect(registered()).toEqual([['payment', endpoint]])
  expect(() => shop.setProvider({ is: 'running', endpoint: 'nowhere' })).toThrow(
    'setProvider(): endpoint must be an https address',
  )
})

test('the cart asks for estimates if the provider has some and the merchant has not switched them off', async () => {
  const endpoint = await provider()
  const shop = createSandbox({ services: ['rates'] })
  const runs = (estimates?: boolean) => {
    shop.setProvider({ is: 'running', endpoint, ...(estimates !== undefined && { estimates }) })
    return shop.services.map(({ rateEstimate }) => rateEstimate)
  }
  await shop.listen()
  atEnd(() => shop.close())
  expect(runs(false)).toEqual([false])
  await shop.estimate(where)
  expect(shop.calls).toEqual([])
  // An adapter of the provider has some since a save.
  expect(runs(true)).toEqual([true])
  const { id } = shop.services[0]!
  const off = await fetch(`${shop.url}/services/${id}`, {
    method: 'POST',
    headers: { origin: shop.url },
    body: new URLSearchParams({ action: 'estimates-off' }),
    redirect: 'manual',
  })
  expect(off.status).toBeLessThan(400)
  expect(runs(true)).toEqual([false])
  expect(runs()).toEqual([false])
  expect(createSandbox({ endpoint }).services.map(({ rateEstimate }) => rateEstimate)).toEqual([true, false])
})
