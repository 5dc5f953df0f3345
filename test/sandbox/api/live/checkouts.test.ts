import { expect, test } from 'vitest'
import { shopWith } from '../../provider.ts'
import { asJson, call } from '../call.ts'

test('a checkout of the API asks the providers and becomes an order', async () => {
  const { sandbox, asked } = await shopWith(() => undefined)
  const checkout = {
    customer: { email: 'ann@customer.example', firstname: 'Ann', lastname: 'New' },
    shipping_address: { address1: 'Canal', number: '1', zipcode: '3511AB', city: 'Utrecht', country: 'nl' },
    products: [{ variant_id: 1103, quantity: 4 }],
  }
  const made = await call(sandbox, 'POST', 'nl/checkouts.json', asJson(checkout))
  const path = `nl/checkouts/${made.body.id}`
  expect((await call(sandbox, 'GET', `${path}/validate.json`)).body).toMatchObject({ validated: true })
  const shipment = (await call(sandbox, 'GET', `${path}/shipment_methods.json`)).body
  const payment = (await call(sandbox, 'GET', `${path}/payment_methods.json`)).body
  expect([shipment[0].title, payment[0].title]).toEqual(['Method', 'Card'])
  const chosen = { shipment_method: { id: shipment[0].id }, payment_method: { id: payment[0].id } }
  expect((await call(sandbox, 'PUT', `${path}.json`, asJson(chosen))).status).toBe(200)
  const placed = await call(sandbox, 'POST', `${path}/order.json`, asJson({}))
  expect([placed.status, placed.body.order_id]).toEqual([201, sandbox.orders[0]?.id])
  expect(sandbox.orders[0]).toMatchObject({
    customer: { email: 'ann@customer.example' },
    address: { city: 'Utrecht' },
    lines: [{ quantity: 4 }],
  })
  const sent = asked.find((one) => one.path === '/shipment_methods')
  expect(sent?.body.shipping_address.zipcode).toBe('3511AB')
  const again = await call(sandbox, 'POST', `${path}/order.json`, asJson({}))
  expect([again.status, again.body.error.message]).toEqual([422, expect.stringMatching(/has its order/)])
})

test.each([
  [{ products: [{ variant_id: 999_999, quantity: 1 }] }, /variant_id or a product_id of the shop/],
  [{ products: [{ variant_id: 1101, quantity: 0 }] }, /quantity is a whole number/],
  [{ payment_method: { id: 'core|9|gone' } }, /no payment method/],
])('a checkout with %j gets no order', async (fields, message) => {
  const { sandbox } = await shopWith(() => undefined)
  const { body } = await call(sandbox, 'POST', 'nl/checkouts.json', asJson(fields))
  const refused = await call(sandbox, 'POST', `nl/checkouts/${body.id}/order.json`, asJson({}))
  expect([refused.status, refused.body.error.message]).toEqual([422, expect.stringMatching(message)])
  expect(sandbox.orders).toEqual([])
})

test('a quote becomes an order', async () => {
  const { sandbox } = await shopWith(() => undefined)
  const methods = await call(sandbox, 'GET', 'nl/quotes/1/paymentmethods.json')
  expect(methods.body.quotePaymentmethods).toMatchObject([{ title: 'Card' }])
  const { status, body } = await call(sandbox, 'POST', 'nl/quotes/1/convert.json', asJson({ order: {} }))
  expect([status, body.order]).toMatchObject([201, { id: sandbox.orders[0]?.id, firstname: 'Jane' }])
  const quote = (await call(sandbox, 'GET', 'nl/quotes/1.json')).body.quote
  expect(quote).toMatchObject({ status: 'converted', order: { resource: { id: body.order.id } } })
})

test('products that are added to a checkout one by one are those of its order', async () => {
  const { sandbox } = await shopWith(() => undefined)
  const { body } = await call(sandbox, 'POST', 'nl/checkouts.json', asJson({ mode: 'guest' }))
  const path = `nl/checkouts/${body.id}`
  const errors = async () => (await call(sandbox, 'GET', `${path}/validate.json`)).body.errors
  expect(await errors()).toContain('products is empty')
  const line = { variant_id: 1102, quantity: 3 }
  expect((await call(sandbox, 'POST', `${path}/products.json`, asJson(line))).status).toBe(201)
  expect(await errors()).not.toContain('products is empty')
  const placed = await call(sandbox, 'POST', `${path}/order.json`)
  expect(placed.status).toBe(201)
  expect(sandbox.orders[0]?.lines).toMatchObject([{ quantity: 3 }])
})

test('a client may bring a shipping method of its own', async () => {
  const { sandbox } = await shopWith(() => undefined)
  const shipment_method = {
    id: 'external',
    title: 'Bicycle',
    price_incl: 6.05,
    tax_rate: 0.21,
    data: { bag: 1 },
  }
  const products = [{ variant_id: 1101, quantity: 1 }]
  const order = async (fields: object) => {
    const { body } = await call(sandbox, 'POST', 'nl/checkouts.json', asJson({ products, ...fields }))
    return call(sandbox, 'POST', `nl/checkouts/${body.id}/order.json`)
  }
  expect((await order({ shipment_method })).status).toBe(201)
  expect(sandbox.orders[0]?.shipmentMethod).toMatchObject({
    title: 'Bicycle',
    price_incl: '6.05',
    price_excl: '5.00',
    data: { bag: 1 },
  })
  for (const wrong of [{ title: '' }, { price_incl: -1 }, { price_incl: 'much' }, { tax_rate: 21 }]) {
    const { status, body } = await order({ shipment_method: { ...shipment_method, ...wrong } })
    expect([status, body.error.message]).toEqual([422, expect.stringMatching(/needs a title, a price_incl/)])
  }
})
