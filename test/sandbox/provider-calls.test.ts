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
} from '../../src/contract/index.ts'
import { shopWith } from './provider.ts'

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
