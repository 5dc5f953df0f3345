import { expect, test } from 'vitest'
import { at, method, saying, shopWith } from '../../provider.ts'
import { asForm, asJson, call } from '../call.ts'

const put = (shop: Parameters<typeof call>[0], path: string, body: unknown) =>
  call(shop, 'PUT', path, asJson(body))

test('an order has the shape of live platforms', async () => {
  const { sandbox } = await shopWith()
  const { id, amounts, lines } = await sandbox.checkout().placeOrder()
  const { order } = (await call(sandbox, 'GET', `NL/orders/${id}.json`)).body
  expect(order).toMatchObject({
    id,
    number: expect.stringMatching(/^ORD\d+$/),
    status: 'processing_awaiting_payment',
    paymentStatus: 'not_paid',
    shipmentStatus: 'not_shipped',
    priceIncl: Number(amounts.incl),
    paymentId: expect.stringMatching(/^core\|\d+\|card$/),
    shipmentId: expect.stringMatching(/^core\|\d+\|m$/),
    addressShippingCountry: { id: expect.any(Number), code: 'nl', code3: 'nld', title: 'Netherlands' },
    language: { code: 'en', title: 'English' },
    quote: { resource: { id: 6001, url: 'quotes/6001' } },
    customer: { resource: { id: 90210, url: 'customers/90210' } },
    products: { resource: { id: false, url: `orders/${id}/products` } },
  })
  expect(order.customer.resource.link).toBe(`${sandbox.api.baseUrl}/nl/customers/90210.json`)
  const { orderProducts } = (await call(sandbox, 'GET', `nl/orders/${id}/products.json`)).body
  expect(orderProducts).toMatchObject(lines.map(({ quantity }) => ({ quantityOrdered: quantity })))
  expect(orderProducts[0].basePriceExcl).toBe(9.5)
  expect(String(orderProducts[0].basePriceIncl)).toMatch(/^\d+(\.\d{1,4})?$/)
})

test('the quote that a provider was asked with becomes a record of the shop with its order', async () => {
  const { sandbox, asked } = await shopWith()
  const { id, amounts, lines } = await sandbox
    .checkout({ customer: { firstname: 'Ann', lastname: 'New', email: 'ann@customer.example' } })
    .placeOrder()
  const { order } = (await call(sandbox, 'GET', `nl/orders/${id}.json`)).body
  const { quote } = (await call(sandbox, 'GET', order.quote.resource.link.split('/api/')[1])).body
  const sent = asked.find(({ path }) => path.endsWith('/payment_methods'))!.body.quote
  expect(quote).toMatchObject({
    ...{ id: sent.id, status: 'converted', priceIncl: Number(amounts.incl), email: order.email },
    order: { resource: { id } },
  })
  const { quoteProducts } = (await call(sandbox, 'GET', `nl/quotes/${quote.id}/products.json`)).body
  expect(quoteProducts).toMatchObject(lines.map(({ quantity }) => ({ quantity })))
  const made = await call(sandbox, 'POST', 'nl/quotes.json', asJson({ quote: { comment: 'By hand' } }))
  expect(made.body.quote).toMatchObject({ status: 'open', comment: 'By hand' })
})

test('a payment is started for the customer that the order has', async () => {
  const { sandbox, asked } = await shopWith()
  const { id } = await sandbox
    .checkout({ customer: { firstname: 'Ann', lastname: 'New', email: 'ann@customer.example' } })
    .placeOrder()
  const { order } = (await call(sandbox, 'GET', `nl/orders/${id}.json`)).body
  const started = asked.find(({ path }) => path.endsWith('/payment'))!.body
  expect(started.customer.id).toBe(order.customer.resource.id)
  expect(started.customer.id).not.toBe(90210)
})

test('what a method costs is invoiced with its tax', async () => {
  const later = { ...method, id: 'later', post_payment: true, price_excl: 5, price_incl: 6.05 }
  const { sandbox } = await shopWith(at('/payment_methods', { body: { payment_methods: [later] } }))
  const { id } = await sandbox.checkout().placeOrder()
  const [invoice] = (await call(sandbox, 'GET', `nl/invoices.json?order=${id}`)).body.invoices
  const { invoiceItems } = (await call(sandbox, 'GET', `nl/invoices/${invoice.id}/items.json`)).body
  expect(invoiceItems.at(-1)).toMatchObject({ type: 'cost', priceIncl: 6.05, taxRate: 0.21 })
})

test('of a variant one price follows from the other', async () => {
  const { sandbox } = await shopWith()
  const write = (verb: string, path: string, variant: object) =>
    call(sandbox, verb, path, asJson({ variant }))
  const made = await write('POST', 'nl/variants.json', { product: 101, title: 'Large', priceIncl: 12.1 })
  expect(made.body.variant).toMatchObject({ priceExcl: 10, priceIncl: 12.1 })
  const changed = await write('PUT', `nl/variants/${made.body.variant.id}.json`, { priceExcl: 20 })
  expect(changed.body.variant).toMatchObject({ priceExcl: 20, priceIncl: 24.2 })
})

test('PUT on an order moves the order of the pages and the scenarios, beside the status call', async () => {
  let status = 'pending'
  const { sandbox } = await shopWith(saying(() => status))
  const { id } = await sandbox.checkout().placeOrder()
  await sandbox.returnToShop(id)
  const paid = sandbox.waitForStatus(id, 'paid')
  const path = `nl/orders/${id}.json`
  const moved = await call(sandbox, 'PUT', path, asForm('order[paymentStatus]=paid&order[memo]=by+hand'))
  const made = { status: 'processing_awaiting_shipment', memo: 'by hand', invoice: 'made' }
  expect(moved.body.order).toMatchObject({ paymentStatus: 'paid', ...made })
  expect((await paid).status).toBe('paid')
  expect(sandbox.invoices).toMatchObject([{ orderId: id, status: 'paid' }])
  status = 'cancelled'
  expect((await sandbox.fetchStatus(id)).status).toBe('paid')

  const page = await (await fetch(`${sandbox.url}/orders/${id}`)).text()
  expect(page).toContain('by hand')
  const shipment = { status: 'shipped', trackingCode: '3SABC', doNotifyShipped: true }
  const shipped = await put(sandbox, `nl/shipments/${id}.json`, { shipment })
  expect(shipped.body.shipment).toMatchObject(shipment)
  const { order } = (await call(sandbox, 'GET', path)).body
  expect(order).toMatchObject({
    shipmentStatus: 'shipped',
    trackingCode: '3SABC',
    status: 'completed_shipped',
  })
  expect(await (await fetch(`${sandbox.url}/orders/${id}`)).text()).toContain('3SABC')
  const list = await call(sandbox, 'GET', `nl/orders/${id}/shipments.json?status=shipped`)
  expect(list.body.shipments.map((one: { id: number }) => one.id)).toEqual([id])
})

test('an invoice that a program marks as paid pays its order', async () => {
  const later = { ...method, id: 'later', post_payment: true }
  const { sandbox } = await shopWith(at('/payment_methods', { body: { payment_methods: [later] } }))
  const { id } = await sandbox.checkout().placeOrder()
  const [invoice] = (await call(sandbox, 'GET', `nl/invoices.json?order=${id}`)).body.invoices
  expect(invoice.status).toBe('not_paid')
  const changes = { invoice: { status: 'paid', memo: 'bank' } }
  const changed = await put(sandbox, `nl/invoices/${invoice.id}.json`, changes)
  expect(changed.body.invoice).toMatchObject({ status: 'paid', memo: 'bank' })
  expect(sandbox.order(id)?.status).toBe('paid')
})

test.each([
  [{ paymentStatus: 'free' }, /paymentStatus must be one of not_paid, partially_paid, paid, cancelled/],
  [{ status: 'lost' }, /status must be one of on_hold/],
  [{ addressShippingCountry: 'xx' }, /must be a country of the shop/],
  [{ memo: { text: 'x' } }, /memo must be text/],
])('%j is refused with 422, and the order stays', async (order, message) => {
  const { sandbox } = await shopWith()
  const { id } = await sandbox.checkout().placeOrder()
  const before = sandbox.order(id)
  const { status, body } = await put(sandbox, `nl/orders/${id}.json`, { order })
  expect([status, body.error.message]).toEqual([422, expect.stringMatching(message)])
  expect(sandbox.order(id)).toEqual(before)
})

test('a customer is made of an order by somebody new, once', async () => {
  const { sandbox } = await shopWith()
  const customer = { firstname: 'Ann', lastname: 'New', email: 'ann@customer.example' }
  await sandbox.checkout({ customer }).placeOrder()
  await sandbox.checkout({ customer }).placeOrder()
  const { customers } = (await call(sandbox, 'GET', 'nl/customers.json?email=ANN@customer.example')).body
  expect(customers).toMatchObject([{ firstname: 'Ann', addressBillingCity: 'Amsterdam' }])
  const { count } = (await call(sandbox, 'GET', `nl/customers/${customers[0].id}/orders/count.json`)).body
  expect(count).toBe(2)
})

test('an order has its tax by rates, and a shipment its weight, as live platforms show them', async () => {
  const { sandbox } = await shopWith()
  const lines = [
    { title: 'Mug', excl: 10, taxRate: 0.21, quantity: 2, weight: 380, sizeX: 10 },
    { title: 'Book', excl: 20, taxRate: 0.09, weight: 500 },
  ]
  const order = await sandbox.checkout({ lines }).placeOrder()
  const read = (await call(sandbox, 'GET', `nl/orders/${order.id}.json`)).body.order
  const { taxRates, shipmentTaxRates, shipmentTaxRate } = read
  expect(taxRates).toMatchObject([
    { name: '9%', rate: 0.09 },
    { name: '21%', rate: 0.21 },
  ])
  const tax = taxRates.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
  expect(tax).toBeCloseTo(read.priceIncl - read.priceExcl, 2)
  expect([shipmentTaxRate, shipmentTaxRates]).toMatchObject([0.21, [{ name: '21%', rate: 0.21 }]])
  const { shipment } = (await call(sandbox, 'GET', `nl/shipments/${order.id}.json`)).body
  expect(shipment).toMatchObject({ totalWeight: read.weight, totalSizeX: 10 })
})
