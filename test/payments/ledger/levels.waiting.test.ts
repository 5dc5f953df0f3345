import { describe, expect, test } from 'vitest'
import { maxPending, mayExpire, nextLook } from '../../../src/payments/ledger/levels.ts'
import { ledgerOf } from '../../../src/payments/ledger/movements.ts'
import type { PaymentReport } from '../../../src/payments/ledger/report.ts'
import { day, hour, Order } from '../order.ts'

const expires = (reports: string | PaymentReport[], now = hour) =>
  mayExpire(new Order().learn(reports).payment.attempts[0]!, now)

describe('our clock ends an attempt', () => {
  test.each<[string, string | PaymentReport[]]>([
    ['of which nothing was heard', ''],
    ['that the customer has not finished', 'open'],
    [
      'whose customer tries again after it was pending',
      [
        { status: 'pending', at: new Date(-5) },
        { status: 'open', at: new Date(-1) },
      ],
    ],
    ['whose authorisation is over, by a snapshot that still has its total', 'open authorised=100.00'],
    ['of which only a refund is known', 'refunded 10.00 #r1'],
  ])('%s', (_what, reports) => {
    expect(expires(reports)).toBe(true)
    expect(expires(reports, hour - 1)).toBe(false)
  })

  test.each<[string, string | PaymentReport[]]>([
    ['while the service says pending', 'open, pending'],
    ['while money is authorised', 'authorised 100.00'],
    ['while money is authorised, by a snapshot', 'authorised authorised=100.00'],
    ['while the service says a word that nobody knows', 'unknown'],
    ['once a part has come', 'open, paid 1.00 #t1'],
    ['once it was paid in another currency', 'paid 5 usd #t1'],
    ['that has ended', 'cancelled'],
    ['before the time that the service gave', [{ status: 'open', expiresAt: new Date(2 * hour) }]],
  ])('never: %s', (_what, reports) => {
    expect(expires(reports)).toBe(false)
  })
})

test('a payment service whose clock is ahead has the last word with what it says last', () => {
  const ahead = new Date(40 * day)
  const order = new Order().learn({ status: 'open', at: ahead }, { now: 1 })
  order.learn({ status: 'pending' }, { now: 2 })
  expect(mayExpire(order.payment.attempts[0]!, hour)).toBe(false)
  order.learn({ status: 'pending', at: ahead }, { now: 3 })
  order.learn({ status: 'open' }, { now: 4 })
  expect(mayExpire(order.payment.attempts[0]!, hour)).toBe(true)
})

test('an attempt that our clock ended goes on when the service says that it works on it', () => {
  const order = new Order().learn({ status: 'expired' }, { now: hour, source: 'expiry' })
  expect(order.payment).toMatchObject({ status: 'expired', statusVersion: 1 })
  // It had begun in time, and is heard of late.
  order.learn({ status: 'pending', at: new Date(hour - 1) }, { now: hour + 1 })
  expect(order.payment).toMatchObject({ status: 'pending', statusVersion: 1 })
  expect(mayExpire(order.payment.attempts[0]!, 2 * hour)).toBe(false)
  order.learn('paid 100.00 #c1', { now: 9 * hour })
  expect(order.payment).toMatchObject({ status: 'paid', statusVersion: 2 })
  expect(order.opened).toEqual([['late_paid', 'paid #c1', '100.00']])
})

test('an end that the service reported stays one, whatever it says behind it', () => {
  const order = new Order().learn({ status: 'expired' }, { now: hour, source: 'status' })
  expect(order.learn({ status: 'pending' }, { now: hour + 1 }).payment.status).toBe('expired')
})

describe('what time alone opens', () => {
  test('underpaid: when the time of the attempt is over, and again when more came', () => {
    const order = new Order().says('paid 60.00 #t1')
    expect(order.due(hour - 1)).toEqual([])
    expect(order.due(hour)).toEqual([['underpaid', 'received 60.00 eur', '60.00']])
    order.learn('paid 10.00 #t2', { now: 2 * hour })
    expect(order.opened).toEqual([['underpaid', 'received 70.00 eur', '70.00']])
    order.learn('paid 30.00 #t3', { now: 3 * hour })
    expect(order.due(4 * hour)).toEqual([])
  })

  test('underpaid: at once when the service ends the attempt', () => {
    const order = new Order().learn('paid 60.00 #t1, expired')
    expect(order.opened).toEqual([['underpaid', 'received 60.00 eur', '60.00']])
  })

  test('over_refunded: not before the money had an hour to arrive', () => {
    const order = new Order().says('refunded 100.00 #r1')
    expect(order.due(hour - 1)).toEqual([])
    expect(order.due(hour)).toEqual([['over_refunded', 'returned 100.00 eur live', '100.00']])
    order.says('paid 100.00 #c1')
    expect(order.due(hour)).toEqual([])
  })

  test('over_won: not before its chargeback had an hour to arrive, and not for a dispute that took nothing', () => {
    const order = new Order().learn('paid 100.00 #c1, chargeback_won 60.00 #d1')
    expect(order.due(hour - 1)).toEqual([])
    expect(order.due(hour)).toEqual([['over_won', 'won 60.00 eur live', '60.00']])
    expect(nextLook(order.payment, order.payment.attempts[0]!, 0)).toBe(hour)
    expect(order.says('charged_back 50.00 #d1').due(hour)).toEqual([
      ['over_won', 'won 60.00 eur live', '10.00'],
    ])
    expect(order.says('charged_back 50.00 #d2').due(hour)).toHaveLength(1)
    const open = new Order().learn('paid 100.00 #c1, disputed 60.00 #d1')
    expect(open.says('chargeback_won 60.00 #d1').due(hour)).toEqual([])
    open.learn('charged_back 10.00 #d2, charged_back 10.00')
    expect(open.due(hour)).toEqual([])
    // It may have taken what a total has and no dispute.
    const won = [['over_won', 'won 60.00 eur live', '60.00']]
    expect(open.says('charged_back 70.00').due(hour)).toEqual(won)
    expect(open.says('charged_back 60.00 #d1').due(hour)).toEqual([])
    expect(ledgerOf(open.payment.attempts[0]!).net).toBe('90.00')
  })

  test('pending_too_long: after 30 days, still pending', () => {
    const order = new Order().says('pending')
    expect(order.due(maxPending - 1)).toEqual([])
    expect(order.due(maxPending)).toEqual([['pending_too_long', 'pending', '100.00']])
    expect(order.payment.status).toBe('pending')
    expect(new Order().says('open').due(maxPending)).toEqual([])
  })
})

describe('the next look', () => {
  const look = (order: Order, now: number) => nextLook(order.payment, order.payment.attempts[0]!, now)

  test('is daily while the service works on it, without end', () => {
    const order = new Order().says('pending')
    expect(look(order, 100 * day)).toBe(101 * day)
    expect(look(order, maxPending - 1)).toBe(maxPending)
  })

  test('comes when a refund without its money becomes due', () => {
    const order = new Order().learn('paid 100.00 #c1, refunded 120.00 #r1', { now: 90 * day })
    expect(look(order, 90 * day)).toBe(90 * day + hour)
  })

  test('ends when nothing is left to wait for', () => {
    expect(look(new Order().says('open'), 40 * day)).toBeUndefined()
  })
})
