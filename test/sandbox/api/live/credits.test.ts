import { expect, test } from 'vitest'
import { shopWith } from '../../provider.ts'
import { asJson, call } from '../call.ts'

async function paidOrder() {
  const { sandbox } = await shopWith(() => undefined)
  const order = await sandbox.checkout().placeOrder()
  const { id } = order
  const path = `nl/orders/${id}/credit.json`
  const credit = (fields: object) => call(sandbox, 'POST', path, asJson({ credit: fields }))
  const pay = () => call(sandbox, 'PUT', `nl/orders/${id}.json`, asJson({ order: { paymentStatus: 'paid' } }))
  const read = async (address: string) => (await call(sandbox, 'GET', `nl/${address}`)).body
  return { order, id, credit, pay, read }
}

test('an order is credited: pieces first, then all that is left, and then nothing more', async () => {
  const { order, id, credit, pay, read } = await paidOrder()
  expect((await credit({})).body.error.message).toMatch(/no invoice yet/)
  await pay()
  const [line] = (await read(`orders/${id}/products.json`)).orderProducts
  const first = await credit({ products: [{ id: line.id, quantity: 1 }], memo: 'broken' })
  expect([first.status, first.body.credit]).toMatchObject([
    201,
    {
      number: expect.stringMatching(/^INV/),
      memo: 'broken',
      products: [{ id: line.id, quantity: 1 }],
      shippingCosts: 0,
      priceIncl: -Number((line.basePriceIncl + 1e-9).toFixed(2)),
      order: { resource: { id } },
    },
  ])
  const rest = (await credit({})).body.credit
  const total = Number(order.amounts.incl)
  expect(rest.priceIncl + first.body.credit.priceIncl).toBeCloseTo(-total, 2)
  const again = await credit({})
  expect([again.status, again.body.error.message]).toEqual([422, expect.stringMatching(/credited already/)])

  const { invoices } = await read(`invoices.json?order=${id}`)
  expect(invoices).toMatchObject([
    { type: 'invoice', isCreditNote: false, status: 'paid', priceIncl: total },
    { type: 'credit', isCreditNote: true },
    { type: 'credit', isCreditNote: true, id: rest.invoice.resource.id },
  ])
  expect((await read(`invoices/${rest.id}/items.json`)).invoiceItems[0].priceIncl).toBeLessThan(0)
  const lines = (await read(`orders/${id}/products.json`)).orderProducts
  for (const one of lines) expect(one.quantityRefunded).toBe(one.quantityOrdered)
})

test('costs are credited by their amount', async () => {
  const { order, credit, pay } = await paidOrder()
  await pay()
  const { price_incl } = order.shipmentMethod!
  const { body } = await credit({ shippingCosts: price_incl })
  expect(body.credit).toMatchObject({ shippingCosts: Number(price_incl), products: [] })
  expect((await credit({ shippingCosts: 0.01 })).body.error.message).toBe(
    'shippingCosts must be an amount from 0 to 0.00.',
  )
})

test.each([
  [{ products: [{ id: 7 }] }, /products\[0\] names no product of the order/],
  [{ products: [{ product: 101, quantity: 99 }] }, /products\[0\].quantity must be a whole number from 1 to/],
  [{ products: [{ product: 101, quantity: -1 }] }, /quantity must be a whole number/],
  [{ products: ['x'] }, /names no product/],
  [{ shippingCosts: -1 }, /shippingCosts must be an amount/],
])('%j is refused', async (fields, message) => {
  const { credit, pay } = await paidOrder()
  await pay()
  const { status, body } = await credit(fields)
  expect([status, body.error.message]).toEqual([422, expect.stringMatching(message)])
})
