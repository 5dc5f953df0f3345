import { expect, test } from 'vitest'
import { isPageOver } from '../../../src/use-cases/payments/submit-page.ts'
import { money, Order } from '../../payments/order.ts'

const isOver = ({ payment }: Order, attempt = 1): boolean =>
  isPageOver(payment, payment.attempts[attempt - 1]!)

test('the page of an attempt that goes on is over once a form of it was handled, whatever else was reported', () => {
  expect(isOver(new Order())).toBe(false)
  expect(isOver(new Order().learn({ status: 'pending' }))).toBe(false)
  expect(isOver(new Order().learn({ status: 'pending' }, { source: 'page' }))).toBe(true)
})

test('the page of an attempt that has ended is over without any form', () => {
  for (const status of ['failed', 'cancelled', 'expired'] as const)
    expect(isOver(new Order().learn({ status }))).toBe(true)
})

test('the pages of a replaced attempt and of a paid order are over', () => {
  const order = new Order()
  order.start()
  expect([isOver(order, 1), isOver(order, 2)]).toEqual([true, false])
  order.learn(money('paid', '100.00', 't1'), { attempt: 2 })
  expect([isOver(order, 1), isOver(order, 2)]).toEqual([true, true])
})
