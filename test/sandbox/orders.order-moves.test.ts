import { describe, expect, test } from 'vitest'
import { handlingOf, type Moved, movedOrder, type Order, reportedOrder } from '../../src/sandbox/orders.ts'

const order = (status: Order['status'], moved?: Order['moved']) =>
  ({ status, moved, shipmentMethod: {}, paymentMethod: {} }) as Order

const wordsOf = (moved: Order) => {
  const { status, paymentStatus, shipmentStatus, invoice } = handlingOf(moved)
  return [status, paymentStatus, shipmentStatus, invoice]
}

const toPay = 'processing_awaiting_payment'
const toShip = 'processing_awaiting_shipment'
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
