import { expect, test } from 'vitest'
import { shopWith } from '../../provider.ts'
import { asJson, call } from '../call.ts'

test('a quote becomes an order', async () => {
  const { sandbox } = await shopWith()
  const methods = await call(sandbox, 'GET', 'nl/quotes/1/paymentmethods.json')
  expect(methods.body.quotePaymentmethods).toMatchObject([{ title: 'Card' }])
  const { status, body } = await call(sandbox, 'POST', 'nl/quotes/1/convert.json', asJson({ order: {} }))
  expect([status, body.order]).toMatchObject([201, { id: sandbox.orders[0]?.id, firstname: 'Jane' }])
  const { orderProducts } = (await call(sandbox, 'GET', `nl/orders/${body.order.id}/products.json`)).body
  expect(orderProducts).toMatchObject([{ productTitle: 'Stoneware mug', basePriceExcl: 9.5, weight: 380 }])
  const quote = (await call(sandbox, 'GET', 'nl/quotes/1.json')).body.quote
  expect(quote).toMatchObject({ status: 'converted', order: { resource: { id: body.order.id } } })
})
