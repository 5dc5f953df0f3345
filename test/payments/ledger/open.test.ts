import { describe, expect, test } from 'vitest'
import { hour, Order } from '../order.ts'

test('a paid order in another currency is paid with less than is asked for', () => {
  const order = new Order().says('paid 100.00')
  expect(order.start({ currency: 'usd' })).toMatchObject({ outcome: 'less', received: '100.00 eur' })
  expect(order.start({ currency: 'EUR' })).toMatchObject({ outcome: 'paid' })
})

test('an order that is paid by an authorisation comes with its money', () => {
  const order = new Order({ authorisedIsPaid: true }).says('authorised 100.00')
  expect(order.start({ amount: '120.00' })).toMatchObject({ outcome: 'less', received: '100.00 eur' })
})

describe('a repeated POST /payment', () => {
  const again = { methodId: 'method 1' }

  test('goes on with the live attempt of the same money, method and mode', () => {
    expect(new Order().start(again)).toMatchObject({ outcome: 'repeated', attempt: { id: 'a1' } })
  })

  test.each([
    ['amount', { amount: '60.00' }],
    ['currency', { currency: 'usd' }],
    ['method', { methodId: 'method 2' }],
    ['mode: the shop went from test to live', { mode: 'test' as const }],
  ])('opens another attempt with another %s', (_what, changed) => {
    expect(new Order().start({ ...again, ...changed })).toMatchObject({
      outcome: 'opened',
      attempt: { id: 'a2' },
    })
  })

  test('opens another attempt once the old one has ended', () => {
    const order = new Order().learn({ status: 'failed' }, { now: hour })
    expect(order.start(again)).toMatchObject({ outcome: 'opened' })
  })
})
