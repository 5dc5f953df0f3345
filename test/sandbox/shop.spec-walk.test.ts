import { expect, test } from 'vitest'
import type { PaymentAdapter } from '../../src/index.ts'
import { flatRate } from '../../src/rates/index.ts'
import { handlingOf } from '../../src/sandbox/index.ts'
import { listening } from '../listening.ts'
import { clientOf, openShop } from '../platform/sandbox.ts'

test('a service is registered, called from cart and checkout, and its answers make the order (spec 2.2-2.6, 3.1, 3.3, 4.2, 4.3)', async () => {
  const shop = await openShop()
  const { client } = clientOf(shop)
  let report: () => Promise<unknown> = async () => undefined
  const bank: PaymentAdapter = {
    name: 'bank',
    methods: () => [
      { id: 'transfer', title: 'Transfer', data: { account: 'hidden' }, invoice_external: true },
    ],
    start: ({ id: attemptId, amount, currency }) => {
      report = () => provider.payments.report({ attemptId }, { status: 'paid', amount, currency })
      return { later: true }
    },
  }
  const { provider, endpoint: urlEndpoint } = await listening({
    rates: flatRate({
      id: 'counter',
      title: 'At the counter',
      excl: '2.00',
      taxRate: '0.21',
      is_pickup: true,
    }),
    payments: bank,
  })

  const { externalServices } = client
  const service = { name: 'Provider', urlEndpoint, isActive: true }
  const shipment = await externalServices.create({ ...service, type: 'shipment', rateEstimate: true })
  expect(shipment).toMatchObject({ ...service, createdAt: expect.any(String), updatedAt: expect.any(String) })
  await externalServices.create({ ...service, type: 'payment' })

  const cart = await shop.estimate({ country: 'nl', zipcode: '1016GV' })
  expect(cart).toMatchObject([{ id: 'counter', price_incl: '2.42', is_pickup: true }])
  const checkout = shop.checkout()
  const order = await checkout.placeOrder({ data: { iban: 'NL00' } })
  // The prices of the methods are in the total, and without a payment_url the customer is not sent anywhere.
  expect(order).toMatchObject({ amounts: { incl: '49.55' }, paymentUrl: null, status: 'not_paid' })
  expect((await shop.returnToShop(order.id)).status).toBe('pending')
  expect(handlingOf(shop.order(order.id)!).status).toBe('processing_awaiting_payment')

  // A slow payment: the provider calls webhook_url, and the shop asks again.
  await report()
  const paid = await shop.waitForStatus(order.id, 'paid')
  expect(handlingOf(paid)).toEqual({
    status: 'processing_awaiting_pickup',
    paymentStatus: 'paid',
    shipmentStatus: 'not_shipped',
    result: 'waiting_for_pickup',
    invoice: 'external',
  })
  expect(shop.invoices).toEqual([])
  expect(await client.resource('orders').get(order.id)).toMatchObject({
    number: order.number,
    paymentStatus: 'paid',
    shipmentStatus: 'waiting_for_pickup',
    paymentData: { method: { account: 'hidden' }, customer: { iban: 'NL00' } },
  })
  const sent = shop.calls.find(({ path }) => path === 'payment')?.request
  expect(sent).toMatchObject({ payment_method: { id: '2', method: 'bank:transfer', data: { iban: 'NL00' } } })
  expect(shop.calls.flatMap(({ faults }) => faults)).toEqual([])

  // An inactive service is not called, and a removed one is gone.
  await externalServices.update(shipment.id, { isActive: false })
  expect(await shop.estimate({ country: 'nl', zipcode: '1016GV' })).toEqual([])
  await externalServices.remove(shipment.id)
  const left = []
  for await (const { type } of externalServices.list()) left.push(type)
  expect(left).toEqual(['payment'])
})
