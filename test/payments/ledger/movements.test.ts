import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ledgerOf, movementsOf, sumOf } from '../../../src/payments/ledger/movements.ts'
import { moneyWords, type PaymentReport } from '../../../src/payments/ledger/report.ts'
import { forRuns } from '../../for-all.ts'
import { named, Order } from '../order.ts'

const linesOf = (order: Order) =>
  movementsOf(order.payment.attempts[0]!).map(({ key, amount }) => `${key}: ${amount}`)

test('each movement is one line, and a total only what it adds', () => {
  const order = new Order().says(
    'authorised 100.00 #a1',
    'paid 60.00 #c1',
    'paid 60.00',
    'paid 100.00',
    'paid 40.00 #c2',
    'refunded 30.00 #r1',
    'refund_failed 30.00 #r1',
    'charged_back 20.00 #d1',
    'chargeback_won 20.00 #d1',
  )
  expect(linesOf(order)).toEqual([
    'paid #c1: 60.00',
    'paid =100.00 eur: 40.00',
    'refunded #r1: 30.00',
    'refund_failed #r1: 30.00',
    'charged_back #d1: 20.00',
    'chargeback_won #d1: 20.00',
  ])
})

test('the money of an order is that of all its attempts in one currency and mode', () => {
  const order = new Order()
  order.start({}, 1)
  order.start({ currency: 'usd' }, 2)
  order.says('paid 100.00 #c1', '2: paid 100.00 #c2', '2: refunded 100.00 #r2')
  const { attempts } = order.payment
  for (const one of attempts.slice(0, 2))
    expect(sumOf(attempts, one)).toMatchObject({ received: '200.00', refunded: '100.00', net: '100.00' })
  expect(sumOf(attempts, attempts[2]!)).toMatchObject({ currency: 'usd', received: '0.00', net: '0.00' })
})

test('a chargeback that is heard of after it was won brings both lines', () => {
  const order = new Order().says(
    'paid 100.00 #c1',
    'disputed 20.00 #d1',
    'chargeback_won 20.00 #d1',
    'charged_back 20.00 #d1',
  )
  expect(linesOf(order)).toEqual([
    'paid #c1: 100.00',
    'charged_back #d1: 20.00',
    'chargeback_won by charged_back #d1: 20.00',
  ])
})

test('money of another currency has lines of its own', () => {
  const order = new Order().says('paid 500 jpy #c1', 'paid 5.00 #c2 test')
  const movements = movementsOf(order.payment.attempts[0]!)
  const lines = movements.map(({ amount, currency, mode }) => `${amount} ${currency} ${mode}`)
  expect(lines).toEqual(['500 jpy live', '5.00 eur test'])
})

test('for all reports the lines add up to the ledger, and no line ever changes', () => {
  const report = fc.record({
    status: fc.constantFrom(...moneyWords),
    amount: fc.integer({ min: 0, max: 9999 }).map((cents) => (cents / 100).toFixed(2)),
    currency: fc.constantFrom('eur', 'usd'),
    event: fc.constantFrom('e1', 'e2', 'e3', undefined),
  })
  const cents = (text: string) => Math.round(Number(text) * 100)
  forRuns(300, fc.array(report.map(named), { maxLength: 10 }), (reports) => {
    const order = new Order()
    let lines: string[] = []
    for (const one of reports) {
      order.learn(one as PaymentReport)
      const after = linesOf(order)
      expect(after.slice(0, lines.length)).toEqual(lines)
      lines = after
    }
    const { others, ...own } = ledgerOf(order.payment.attempts[0]!)
    const movements = movementsOf(order.payment.attempts[0]!)
    for (const ledger of [own, ...others]) {
      const sum = (kind: string) =>
        movements
          .filter((one) => one.kind === kind && one.currency === ledger.currency)
          .reduce((all, { amount }) => all + cents(amount), 0)
      expect(sum('paid')).toBe(cents(ledger.received))
      expect(sum('refunded') - sum('refund_failed')).toBe(cents(ledger.refunded))
      expect(sum('charged_back')).toBe(cents(ledger.chargedBack))
      expect(sum('chargeback_won')).toBe(cents(ledger.chargebackWon))
    }
  })
})
