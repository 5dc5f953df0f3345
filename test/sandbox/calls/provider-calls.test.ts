import { expect, test } from 'vitest'
import {
  cleanBody,
  paymentMethodsReader,
  paymentStartReader,
  paymentStartRequest,
  readMessage,
  shipmentEstimateReader,
  shipmentEstimateRequest,
  shipmentMethodsReader,
  shipmentMethodsRequest,
} from '../../../src/contract/index.ts'
import { createSandbox, type Served } from '../../../src/sandbox/index.ts'
import { atEnd } from '../../at-end.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { shopWith } from '../provider.ts'

async function walk() {
  const { sandbox, asked } = await shopWith(() => undefined)
  await sandbox.estimate({ country: 'nl', zipcode: '1016GV' }, 'nl')
  const order = await sandbox.checkout({ language: 'nl' }).placeOrder({ data: { bank: 'x' } })
  await sandbox.returnToShop(order.id)
  const [estimate, shipment, methods, payment, status] = asked
  return {
    estimate: estimate!,
    shipment: shipment!,
    methods: methods!,
    payment: payment!,
    status: status!,
    order,
    sandbox,
  }
}

test('every call can be read, and gives the same customer', async () => {
  const { estimate, shipment, methods, payment } = await walk()
  for (const { body } of [estimate, shipment, methods, payment]) cleanBody(body)
  expect(readMessage(shipmentEstimateReader, estimate.body).shipping_address).toEqual({
    zipcode: '1016GV',
    country: 'nl',
  })
  const people = [
    readMessage(shipmentMethodsReader(), shipment.body).customer,
    readMessage(paymentMethodsReader(), methods.body).customer,
    readMessage(paymentStartReader(), payment.body).customer,
  ]
  expect(people.map(({ birthdate }) => birthdate)).toEqual(['1988-07-04', '1988-07-04', '1988-07-04'])
  expect(JSON.stringify(people)).not.toContain('battery')
})

test('the calls are what the contract allows, quirks and all', async () => {
  const { estimate, shipment, payment } = await walk()
  expect(shipmentEstimateRequest.safeParse(estimate.body).error).toBeUndefined()
  expect(shipmentMethodsRequest.safeParse(shipment.body).error).toBeUndefined()
  expect(paymentStartRequest.safeParse(payment.body).error).toBeUndefined()
  const text = JSON.stringify(shipment.body)
  for (const quirk of ['"password"', ':null', ':""', ':false', '"price_incl":"', '"price_excl":'])
    expect(text).toContain(quirk)
  expect(payment.body.payment_method.data).toEqual({ bank: 'x' })
  expect(payment.body.redirect_url).toMatch(/\?/)
})

test('they carry the headers of a platform and no doubled slash', async () => {
  const { status, payment } = await walk()
  for (const call of [status, payment]) {
    expect(call.headers['user-agent']).toBe('WebshopappApi')
    expect(call.headers['x-shop-id']).toBe('4711')
    expect(call.path).not.toContain('//')
  }
  expect(status).toMatchObject({ method: 'GET', path: '/payment/1001', body: '' })
})

test('the order owes the cart and the chosen methods', async () => {
  const { payment, order } = await walk()
  expect(order.amounts).toEqual({ incl: '59.23', excl: '48.95' })
  expect(payment.body.order).toMatchObject({
    id: 1001,
    number: 'ORD01001',
    price_incl: '59.2300',
    price_excl: 48.95,
    price_tax: 10.28,
    currency: 'eur',
  })
})

test('the log shows neither the endpoint token nor the password', async () => {
  const { sandbox } = await walk()
  const text = JSON.stringify(sandbox.calls)
  expect(text).not.toContain('/e/token')
  expect(text).not.toContain('battery')
  const opened = sandbox.calls.find(({ request }) => JSON.stringify(request ?? '').includes('(not shown)'))
  const page = await (await fetch(`${sandbox.url}/log?call=${opened?.number}`)).text()
  expect(page).not.toContain('/e/token')
  expect(page).toContain('(not shown)')
})

const where = { country: 'nl', zipcode: '1012LG' }

/** A provider without methods, with its endpoint. */
async function provider() {
  const origin = await serveOrigin((_req, res) => {
    res.writeHead(201, { 'content-type': 'application/json' }).end('{"shipment_methods":[]}')
  })
  return `${origin}/e/token`
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
