import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createProvider, memoryStore, type Provider } from 'purveyor'
import { createSandbox, type Sandbox } from 'purveyor/sandbox'
import { testPayments } from './payments.ts'
import { rates } from './rates.ts'

let provider: Provider
let shop: Sandbox

before(async () => {
  provider = createProvider({
    store: memoryStore(),
    rates,
    payments: testPayments((ref, report) => provider.payments.report(ref, report)),
  })
  const { endpoint } = await provider.listen({ port: 0 })
  shop = createSandbox({ endpoint, services: provider.services })
  await shop.listen()
})

after(async () => {
  await shop.close()
  await provider.stop()
})

test('the cart and the checkout see the same methods', async () => {
  const estimated = await shop.estimate({ country: 'nl', zipcode: '1016GV' })
  const offered = await shop.checkout().shipmentMethods()
  assert.deepEqual(
    offered.map(({ id, price_incl }) => `${id} ${price_incl}`),
    ['door 7.01', 'point 5'],
  )
  assert.deepEqual(estimated, offered)
})

test('a country without a tariff gets no methods', async () => {
  assert.deepEqual(await shop.estimate({ country: 'us', zipcode: '10001' }), [])
})

for (const outcome of ['paid', 'expired', 'cancelled'] as const) {
  test(`the button ${outcome} ends the payment ${outcome}`, async () => {
    const order = await shop.checkout().placeOrder()
    await press(order.paymentUrl, outcome)
    assert.equal((await shop.returnToShop(order.id)).status, outcome)
  })
}

test('a slow payment is pending until the provider reports it, then the shop hears of it', async () => {
  const order = await shop.checkout().placeOrder()
  await press(order.paymentUrl, 'pending')
  assert.equal((await shop.returnToShop(order.id)).status, 'pending')
  const { incl: amount } = order.amounts
  await provider.payments.report({ orderId: order.id }, { status: 'paid', amount, currency: 'eur' })
  await shop.waitForStatus(order.id, 'paid')
})

async function press(page: string | null | undefined, outcome: string) {
  const answer = await fetch(page!, { method: 'POST', body: new URLSearchParams({ outcome }) })
  assert.equal(answer.status, 200)
}

test('the shop finds no fault in any answer', () => {
  assert.deepEqual(
    shop.calls.flatMap(({ faults }) => faults),
    [],
  )
})
