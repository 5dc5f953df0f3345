import { expect, test } from 'vitest'
import * as contract from '../../../src/contract/index.ts'
import { createSandbox, type Served } from '../../../src/sandbox/index.ts'
import { atEnd } from '../../at-end.ts'
import { postForm } from '../../http/post.ts'
import { type Asked, at, shopWith } from '../provider.ts'

const amsterdam = { country: 'nl', zipcode: '1016GV' }

async function walk() {
  const { sandbox, asked } = await shopWith()
  await sandbox.estimate(amsterdam, 'nl')
  const order = await sandbox.checkout({ language: 'nl' }).placeOrder({ data: { bank: 'x' } })
  await sandbox.returnToShop(order.id)
  const [estimate, shipment, methods, payment, status] = asked as [Asked, Asked, Asked, Asked, Asked]
  return { estimate, shipment, methods, payment, status, order, sandbox }
}

test('every call can be read, and gives the same customer', async () => {
  const { estimate, shipment, methods, payment } = await walk()
  for (const { body } of [estimate, shipment, methods, payment]) contract.cleanBody(body)
  expect(contract.readMessage(contract.shipmentEstimateReader, estimate.body).shipping_address).toEqual(
    amsterdam,
  )
  const people = [
    contract.readMessage(contract.shipmentMethodsReader(), shipment.body).customer,
    contract.readMessage(contract.paymentMethodsReader(), methods.body).customer,
    contract.readMessage(contract.paymentStartReader(), payment.body).customer,
  ]
  expect(people.map(({ birthdate }) => birthdate)).toEqual(['1988-07-04', '1988-07-04', '1988-07-04'])
  expect(JSON.stringify(people)).not.toContain('battery')
})

test('the calls are what the contract allows, quirks and all', async () => {
  const { estimate, shipment, payment } = await walk()
  expect(contract.shipmentEstimateRequest.safeParse(estimate.body).error).toBeUndefined()
  expect(contract.shipmentMethodsRequest.safeParse(shipment.body).error).toBeUndefined()
  expect(contract.paymentStartRequest.safeParse(payment.body).error).toBeUndefined()
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
  const prices = { price_incl: '59.2300', price_excl: 48.95, price_tax: 10.28, currency: 'eur' }
  expect(payment.body.order).toMatchObject({ id: 1001, number: 'ORD01001', ...prices })
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

/** The endpoint of a provider without methods. */
const provider = async () =>
  (await shopWith(at('/shipment_methods', { body: { shipment_methods: [] } }))).endpoint

test('a call of the shop waits for a provider that starts, and for no other', async () => {
  const shop = createSandbox({ endpoint: 'http://127.0.0.1:9/e/old', services: ['rates'] })
  const last = () => shop.calls.at(-1)
  const fault = { message: 'It broke.', lines: [], frames: [] }
  shop.setProvider({ is: 'not running', fault })
  await shop.estimate(amsterdam)
  expect(last()).toMatchObject({ status: undefined })
  expect(shop.provider).toEqual({ is: 'not running', fault })

  shop.setProvider({ is: 'starting' })
  const estimated = shop.estimate(amsterdam)
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
  const nowhere = { is: 'running', endpoint: 'nowhere' } as const
  expect(() => shop.setProvider(nowhere)).toThrow('setProvider(): endpoint must be an https address')
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
  await shop.estimate(amsterdam)
  expect(shop.calls).toEqual([])
  // An adapter of the provider has some since a save.
  expect(runs(true)).toEqual([true])
  const { id } = shop.services[0]!
  const action = { action: 'estimates-off' }
  const off = await postForm(`${shop.url}/services/${id}`, action, { origin: shop.url })
  expect(off.status).toBeLessThan(400)
  expect(runs(true)).toEqual([false])
  expect(runs()).toEqual([false])
  expect(createSandbox({ endpoint }).services.map(({ rateEstimate }) => rateEstimate)).toEqual([true, false])
})
