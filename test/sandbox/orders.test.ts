import { describe, expect, test } from 'vitest'
import { handlingOf, type Moved, movedOrder, type Order, reportedOrder } from '../../src/sandbox/orders.ts'
import { at, method, shopWith } from './provider.ts'

const flags = { is_pickup: false, is_servicepoint: false, is_cash_on_delivery: false }
const order = (status: Order['status'], shipment: object = {}, payment: object = {}) =>
  ({
    status,
    shipmentMethod: { ...flags, ...shipment },
    paymentMethod: { post_payment: false, invoice_external: false, ...payment },
  }) as Order

const toPay = 'processing_awaiting_payment'
const toShip = 'processing_awaiting_shipment'

describe('how the shop goes on with an order (spec 2.5, 2.6, 3.1, 3.3)', () => {
  const toPickUp = ['processing_awaiting_pickup', 'waiting_for_pickup'] as const
  test.each<[string, Order, string, string | undefined, string]>([
    ['not paid', order('not_paid'), toPay, undefined, 'none yet'],
    ['pending', order('pending'), toPay, undefined, 'none yet'],
    ['cancelled', order('cancelled'), 'cancelled', undefined, 'none yet'],
    ['expired', order('expired', { is_pickup: true }), 'cancelled', undefined, 'none yet'],
    ['paid', order('paid'), toShip, undefined, 'made'],
    ['pickup', order('paid', { is_pickup: true }), ...toPickUp, 'made'],
    ['service point', order('paid', { is_servicepoint: true }), 'completed_shipped', 'shipped', 'made'],
    ['on delivery', order('pending', { is_cash_on_delivery: true }), 'completed_shipped', 'shipped', 'made'],
    ['paid afterwards', order('not_paid', {}, { post_payment: true }), toShip, undefined, 'made'],
    ['its own invoice', order('paid', {}, { invoice_external: true }), toShip, undefined, 'external'],
  ])('%s', (_what, given, status, result, invoice) => {
    expect(handlingOf(given)).toMatchObject({ status, result, invoice })
  })
})

test('an invoice is made once, and paid when the order is', async () => {
  let status = 'pending'
  const { sandbox } = await shopWith(({ path, method: verb }) => {
    if (path === '/payment_methods')
      return { body: { payment_methods: [{ ...method, id: 'later', title: 'Later', post_payment: 1 }] } }
    return verb === 'GET' ? { status: 200, body: { status } } : undefined
  })
  const { id, amounts } = await sandbox.checkout().placeOrder()
  await sandbox.returnToShop(id)
  const made = { orderId: id, for: 'customer', total: amounts.incl, status: 'not_paid' }
  expect(sandbox.invoices).toMatchObject([made])
  status = 'paid'
  await sandbox.returnToShop(id)
  await sandbox.returnToShop(id)
  expect(sandbox.invoices).toMatchObject([{ orderId: id, status: 'paid' }])
})

describe('several providers side by side', () => {
  test('all are asked, each is called for its own, and one that fails costs the others nothing', async () => {
    const first = await shopWith()
    const second = await shopWith(at('/shipment_methods', { status: 500 }))
    const { sandbox } = first
    const { urlEndpoint } = second.sandbox.services[0]!
    const [shipment, payment] = (['shipment', 'payment'] as const).map((type) =>
      sandbox.register({ type, name: 'Second', urlEndpoint }),
    )
    const checkout = sandbox.checkout()
    expect(await checkout.shipmentMethods()).toHaveLength(1)
    const methods = await checkout.paymentMethods()
    expect(methods.map(({ id, service }) => [id, service])).toEqual([
      ['card', sandbox.services[1]?.id],
      ['card', payment?.id],
    ])
    const order = await checkout.placeOrder({ paymentMethod: `${payment?.id}:card` })
    await sandbox.returnToShop(order.id)
    expect(second.asked.slice(-2).map(({ path }) => path)).toEqual(['/payment', `/payment/${order.id}`])
    expect(first.asked.map(({ path }) => path)).not.toContain('/payment')
    expect(shipment?.rateEstimate).toBe(false)
    // The cart asks who wants to be asked.
    const before = second.asked.length
    await sandbox.estimate({ country: 'nl', zipcode: '1' })
    expect(second.asked).toHaveLength(before)
  })
})

test('the start of a payment is repeated as it was', async () => {
  const { sandbox, asked } = await shopWith()
  const { id } = await sandbox.checkout().placeOrder({ data: { bank: 'x' } })
  await sandbox.repeatStart(id)
  const [one, other] = asked.filter(({ path }) => path === '/payment')
  expect(other?.body).toEqual(one?.body)
})

const wordsOf = (moved: Order) => {
  const { status, paymentStatus, shipmentStatus, invoice } = handlingOf(moved)
  return [status, paymentStatus, shipmentStatus, invoice]
}

const part = 'partially_paid'

describe('a program moves an order as on a live shop', () => {
  // The last column: status, payment, shipment and invoice.
  test.each<[Order['status'], Moved, Order['status'], string]>([
    ['pending', { paymentStatus: 'paid' }, 'paid', `${toShip} paid not_shipped made`],
    ['cancelled', { paymentStatus: 'paid' }, 'paid', `${toShip} paid not_shipped made`],
    ['pending', { paymentStatus: part }, 'pending', `${toPay} ${part} not_shipped none yet`],
    ['paid', { paymentStatus: 'not_paid' }, 'not_paid', `${toPay} not_paid not_shipped none yet`],
    ['pending', { paymentStatus: 'cancelled' }, 'cancelled', 'cancelled cancelled not_shipped none yet'],
    ['pending', { status: 'on_hold' }, 'pending', 'on_hold not_paid not_shipped none yet'],
    ['pending', { status: 'cancelled' }, 'cancelled', 'cancelled cancelled cancelled none yet'],
    ['paid', { status: 'cancelled' }, 'paid', 'cancelled paid cancelled none yet'],
    ['paid', { status: 'completed_shipped' }, 'paid', 'completed_shipped paid shipped made'],
    ['paid', { shipmentStatus: 'shipped' }, 'paid', 'completed_shipped paid shipped made'],
    ['pending', { shipmentStatus: 'shipped' }, 'pending', `${toPay} not_paid shipped none yet`],
    ['pending', { status: toShip }, 'pending', `${toShip} not_paid not_shipped made`],
  ])('%s with %j becomes %s: %s', (status, changes, after, words) => {
    const moved = movedOrder(order(status), changes)
    expect([moved.status, wordsOf(moved).join(' ')]).toEqual([after, words])
  })

  test('what it set stays while the provider reports, but for what waited on the payment', () => {
    const held = movedOrder(order('pending'), { status: 'on_hold', paymentStatus: 'partially_paid' })
    expect(wordsOf(reportedOrder(held, 'paid')).slice(0, 2)).toEqual(['on_hold', 'paid'])
    const waiting = movedOrder(order('paid'), { paymentStatus: 'not_paid', status: toPay })
    expect(wordsOf(reportedOrder(waiting, 'paid'))[0]).toBe(toShip)
  })

  test('a repeated change changes nothing', () => {
    const once = movedOrder(order('paid'), { shipmentStatus: 'shipped' })
    expect(movedOrder(once, { shipmentStatus: 'shipped', status: 'completed_shipped' })).toEqual(once)
  })

  test('further fields add up', () => {
    const memo = movedOrder(order('paid'), { fields: { memo: 'fragile' } })
    const { moved } = movedOrder(memo, { fields: { trackingCode: '3S1' } })
    expect(moved?.fields).toEqual({ memo: 'fragile', trackingCode: '3S1' })
  })
})
