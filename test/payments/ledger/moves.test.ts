import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { learn } from '../../../src/payments/ledger/moves.ts'
import {
  moneyWords,
  type PaymentReport,
  readReports,
  stateWords,
} from '../../../src/payments/ledger/report.ts'
import { takesMoney, toCancel } from '../../../src/payments/ledger/status.ts'
import { forRuns } from '../../for-all.ts'
import { hour, named, Order, reportsOf } from '../order.ts'

const started = (order: Order) => {
  for (const attempt of order.payment.attempts)
    attempt.started = { how: 'redirect', paymentUrl: undefined, urlExpiresAt: undefined, reference: 'tr' }
  return order
}

describe('learning', () => {
  test('what is known already changes nothing, not even the object', () => {
    const order = new Order().learn('pending, paid 100.00 #c1')
    const said = readReports(reportsOf('paid 100.00 #c1, pending'))
    const learned = learn(order.payment, 'a1', said, { source: 'status', now: 5 })
    expect(learned).toMatchObject({ added: [], changed: false, anomalies: [], from: 'paid' })
    expect(learned.payment).toBe(order.payment)
  })

  test('a list of reports owes one webhook at most', () => {
    const { payment } = new Order().learn('failed, paid 100.00 #c1')
    expect(payment).toMatchObject({ status: 'paid', statusVersion: 1, paidBy: 'a1' })
  })

  test('a later time to expire is kept, an earlier one is not', () => {
    const order = new Order().learn({ status: 'open', expiresAt: new Date(3 * hour) })
    expect(order.payment.attempts[0]!.expiresAt).toBe(3 * hour)
    order.learn({ status: 'pending', expiresAt: new Date(2 * hour) }, { now: 5 })
    expect(order.payment.attempts[0]!.expiresAt).toBe(3 * hour)
  })

  test('the last word is the latest by the payment service, however it is delivered', () => {
    const order = new Order()
      .learn({ status: 'pending', at: new Date(20) }, { now: 20 })
      .learn({ status: 'open', at: new Date(10) }, { now: 30 })
    expect(order.payment.attempts[0]!.lastWord).toEqual({ is: 'working', at: 20 })
    order.learn({ status: 'open' }, { now: 40 })
    expect(order.payment.attempts[0]!.lastWord).toEqual({ is: 'open', at: 40 })
    // Of one moment the safer word is the last.
    order.learn([{ status: 'pending' }, { status: 'open' }], { now: 50 })
    expect(order.payment.attempts[0]!.lastWord).toEqual({ is: 'working', at: 50 })
  })

  test('an unknown attempt is no attempt of the payment', () => {
    const order = new Order()
    const said = readReports({ status: 'expired' })
    expect(learn(order.payment, 'other', said, { source: 'push', now: 1 }).payment).toBe(order.payment)
  })
})

const anyReport = fc.oneof(
  fc
    .record({
      status: fc.constantFrom(...moneyWords),
      amount: fc.constantFrom('40.00', '60.00', '100.00', '110.00'),
      currency: fc.constantFrom('eur', 'usd'),
      event: fc.constantFrom('e1', 'e2', undefined),
      mode: fc.constantFrom('live', 'test', undefined),
    })
    .map(named),
  fc.record({ status: fc.constantFrom(...stateWords) }).map(named),
)

test('nothing leaves paid, and the version only grows', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ report: anyReport, attempt: fc.nat(3) }),
      fc.record({ starts: fc.constantFrom('60.00', '100.00', '150.00') }),
    ),
    { maxLength: 14 },
  )
  forRuns(500, steps, fc.boolean(), (all, authorisedIsPaid) => {
    const order = new Order({ authorisedIsPaid })
    for (const step of all) {
      const { status, paidBy, statusVersion } = order.payment
      if ('starts' in step) order.start({ amount: step.starts, authorisedIsPaid })
      else {
        const attempt = (step.attempt % order.payment.attempts.length) + 1
        order.learn(step.report as PaymentReport, { attempt })
      }
      const after = order.payment
      expect(after.statusVersion).toBeGreaterThanOrEqual(statusVersion)
      expect(after.statusVersion - statusVersion).toBeLessThanOrEqual(1)
      if (status === 'paid') expect([after.status, after.paidBy]).toEqual(['paid', paidBy])
      expect(after.status === 'paid').toBe(after.paidBy !== undefined)
    }
  })
})

test('a payment that was stored as paid stays so, also where its facts do not say by whom', () => {
  const { payment } = new Order()
  const stored = { ...payment, status: 'paid', statusVersion: 1 } as const
  const said = readReports(reportsOf('expired, paid 1.00 #c1'))
  const learned = learn(stored, 'a1', said, { source: 'push', now: 1 })
  expect(learned.payment).toMatchObject({ status: 'paid', statusVersion: 1, paidBy: undefined })
  expect(learned.added).toHaveLength(2)
})

describe('starting again', () => {
  test('the same choice goes on, another choice or amount is a new attempt', () => {
    const order = new Order({ methodId: 'card' })
    expect(order.start({ methodId: 'card' }).outcome).toBe('repeated')
    expect(order.start({ methodId: 'ideal' }).outcome).toBe('opened')
    expect(order.start({ methodId: 'ideal', amount: '90.00' }).outcome).toBe('opened')
    expect(order.payment.attempts).toHaveLength(3)
  })

  test('after an end the same choice is a new attempt, which owes no webhook', () => {
    const order = new Order({ methodId: 'card' }).says('failed')
    const { outcome, payment } = order.start({ methodId: 'card' })
    expect([outcome, payment.status, payment.statusVersion]).toEqual(['opened', 'pending', 1])
  })

  test('an order has so many attempts at most', () => {
    const order = new Order()
    for (let number = 2; number <= 100; number++) order.start()
    expect(order.start().outcome).toBe('full')
    expect(order.payment.attempts).toHaveLength(100)
  })
})

describe('which attempts may still take money', () => {
  test('start a, choose b, pay b: neither page takes money', () => {
    const order = started(new Order())
    order.start()
    started(order)
    const takers = () =>
      order.payment.attempts.filter((one) => takesMoney(order.payment, one)).map(({ id }) => id)
    expect(takers()).toEqual(['a2'])
    expect(toCancel(order.payment).map(({ id }) => id)).toEqual(['a1'])
    order.says('2: paid 100.00 #c1')
    expect(takers()).toEqual([])
    expect(toCancel(order.payment).map(({ id }) => id)).toEqual(['a1'])
    order.learn({ status: 'cancelled' }, { source: 'cancel' })
    expect(toCancel(order.payment)).toEqual([])
  })

  test('an older attempt pays: the newest one is cancelled', () => {
    const order = new Order()
    order.start()
    started(order).says('paid 100.00 #c1')
    expect(toCancel(order.payment).map(({ id }) => id)).toEqual(['a2'])
  })

  test('what our clock ended is cancelled at the service, what the service ended is not', () => {
    const byClock = started(new Order()).learn({ status: 'expired' }, { source: 'expiry' })
    expect(toCancel(byClock.payment).map(({ id }) => id)).toEqual(['a1'])
    const byService = started(new Order()).learn({ status: 'expired' }, { source: 'status' })
    expect(toCancel(byService.payment)).toEqual([])
    expect(takesMoney(byService.payment, byService.payment.attempts[0]!)).toBe(false)
  })

  test('what has received money is never cancelled, nor what the service works on', () => {
    const late = started(new Order()).learn({ status: 'expired' }, { source: 'expiry' })
    late.says('paid 100.00 #c1')
    expect(late.payment.status).toBe('paid')
    expect(toCancel(late.payment)).toEqual([])
    const worked = started(new Order()).learn({ status: 'expired' }, { source: 'expiry' })
    expect(toCancel(worked.says('pending').payment)).toEqual([])
    const part = started(new Order()).says('paid 40.00 #c1')
    part.start()
    expect(toCancel(part.payment)).toEqual([])
  })
})
