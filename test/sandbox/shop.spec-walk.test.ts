import { expect, test } from 'vitest'
import type { PaymentAdapter } from '../../src/index.ts'
import { createCharges, createPlatformClient, md5SortedPairs } from '../../src/platform/index.ts'
import { flatRate } from '../../src/rates/index.ts'
import { handlingOf } from '../../src/sandbox/index.ts'
import { listening } from '../listening.ts'
import { openShop } from '../platform/sandbox.ts'

const shopWithClient = async () => {
  const shop = await openShop()
  const { baseUrl, key, secret } = shop.api
  const client = createPlatformClient({ baseUrl, key, secret, language: 'nl', allowLoopback: true })
  return { shop, client }
}

test('resources: a record is made, changed, listed, counted and removed (spec 2.1, 4.1)', async () => {
  const { client } = await shopWithClient()
  const products = client.resource('products')
  const before = await products.count()
  const mug = await products.create({ title: 'Mug', fulltitle: 'Blue mug' })
  expect(mug).toMatchObject({ id: expect.any(Number), title: 'Mug', fulltitle: 'Blue mug' })
  expect((await products.update(mug.id, { title: 'Cup' })).title).toBe('Cup')
  expect(await products.get(mug.id)).toMatchObject({ title: 'Cup', fulltitle: 'Blue mug' })
  expect(await products.count()).toBe(before + 1)
  const titles: unknown[] = []
  for await (const { title } of products.list({ sinceId: Number(mug.id) - 1 })) titles.push(title)
  expect(titles).toEqual(['Cup'])
  await products.remove(mug.id)
  await expect(products.get(mug.id)).rejects.toMatchObject({ code: 'PLATFORM_NOT_FOUND', status: 404 })
})

test('a charge: approval, the signed callback, an upgrade, and one that is taken back (spec 2.3, 3.2, 4.2, 5, 6)', async () => {
  const { shop, client } = await shopWithClient()
  const { baseUrl, appSecret } = shop.api
  const charges = createCharges({
    client,
    callbackUrl: 'https://app.example/charged',
    callbacks: { verifier: md5SortedPairs(appSecret), clusters: { sandbox: baseUrl } },
  })
  const plus = await charges.create({ type: 'recurring', title: 'Plus', price: 9.95 })
  // The merchant opens approvalUrl and presses a button there.
  const approve = new URLSearchParams({ decision: 'approve' })
  const page = await (await fetch(plus.approvalUrl!, { method: 'POST', body: approve })).text()
  const [, link = ''] = /href="(https:\/\/app\.example[^"]+)"/.exec(page) ?? []
  const callback = new URL(link.replaceAll('&amp;', '&'))
  expect([...callback.searchParams.keys()].sort()).toEqual(
    ['app_subscription_id', 'cluster_id', 'language', 'shop_id', 'signature', 'timestamp'].sort(),
  )
  expect(await charges.callback(callback.search)).toMatchObject({
    shopId: '4711',
    charge: { id: plus.id, state: 'active', approvalUrl: undefined },
  })
  const pro = await charges.create({ type: 'recurring', title: 'Pro', price: 19.95, upgradeFrom: plus.id })
  expect((await charges.active()).map(({ id }) => id)).toEqual([plus.id])
  const upgraded = new URL(shop.decide(Number(pro.id), 'approve'))
  expect((await charges.callback(upgraded.search)).charge.state).toBe('active')
  expect((await charges.active()).map(({ id }) => id)).toEqual([pro.id])
  const setup = await charges.create({ type: 'onetime', title: 'Setup', price: '49.00' })
  await charges.remove(setup.id)
  expect((await charges.read(setup.id)).state).toBe('removed')
})

test('a service is registered, called from cart and checkout, and its answers make the order (spec 2.2-2.6, 3.1, 3.3, 4.2, 4.3)', async () => {
  const { shop, client } = await shopWithClient()
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
