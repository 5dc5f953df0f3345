import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createProvider, memoryStore } from 'purveyor'
import { pressOnPage } from 'purveyor/sandbox'
import {
  movableClock,
  startSandbox,
  testPaymentAdapter,
  testProvider,
  testRateAdapter,
} from 'purveyor/testing'
import { testPayments } from './payments.ts'
import { rates } from './rates.ts'

// The tests make the provider fail on purpose. To see its log: PURVEYOR_LOG_LEVEL=warn npm test
process.env.PURVEYOR_LOG_LEVEL ??= 'silent'
const clock = movableClock()
const provider = createProvider({ store: memoryStore(), clock, rates, payments: testPayments })
let shop: Awaited<ReturnType<typeof startSandbox>>

before(async () => {
  shop = await startSandbox(provider, { clock })
})
after(() => shop.close())

// The rules for every adapter, and for every provider.
describe('rates', () => testRateAdapter({ test, adapter: rates }))
describe('payments', () => testPaymentAdapter({ test, adapter: testPayments }))
describe('the contract', () => testProvider({ test, open: () => shop.endpoint }))

test('the cart and the checkout see the same methods', async () => {
  const estimated = await shop.estimate({ country: 'nl', zipcode: '1016GV' })
  const offered = await shop.checkout().shipmentMethods()
  assert.deepEqual(
    offered.map(({ id }) => id),
    ['door', 'point'],
  )
  assert.deepEqual(estimated, offered)
})

for (const outcome of ['paid', 'expired', 'cancelled'] as const) {
  test(`the button ${outcome} ends the payment ${outcome}`, async () => {
    const order = await shop.checkout().placeOrder()
    await pressOnPage(order.paymentUrl!, outcome)
    assert.equal((await shop.returnToShop(order.id)).status, outcome)
  })
}

test('a declined payment is tried again on the same page', async () => {
  const order = await shop.checkout().placeOrder()
  for (const outcome of ['declined', 'paid']) await pressOnPage(order.paymentUrl!, outcome)
  assert.equal((await shop.returnToShop(order.id)).status, 'paid')
})

test('after a payment without an answer the page takes no second one', async () => {
  const order = await shop.checkout().placeOrder()
  await pressOnPage(order.paymentUrl!, 'unknown')
  assert.match(await (await fetch(order.paymentUrl!)).text(), /Please do not pay again/)
})

test('a slow payment is pending until the provider reports it, then the shop hears of it', async () => {
  const order = await shop.checkout().placeOrder()
  await pressOnPage(order.paymentUrl!, 'pending')
  assert.equal((await shop.returnToShop(order.id)).status, 'pending')
  const { incl: amount } = order.amounts
  await provider.payments.report({ orderId: order.id }, { status: 'paid', amount, currency: 'eur' })
  await shop.waitForStatus(order.id, 'paid')
})

test('a payment that nobody finishes expires, and the shop hears of it', async () => {
  const order = await shop.checkout().placeOrder()
  await shop.advance('3h')
  await shop.waitForStatus(order.id, 'expired')
})
