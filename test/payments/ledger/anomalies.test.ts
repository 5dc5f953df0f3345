import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Anomaly, anomalyId, anomalyKinds } from '../../../src/payments/ledger/anomalies.ts'
import { ledgerOf } from '../../../src/payments/ledger/movements.ts'
import type { PaymentReport } from '../../../src/payments/ledger/report.ts'
import { forRuns } from '../../for-all.ts'
import { day, hour, money, Order } from '../order.ts'

type Start = ConstructorParameters<typeof Order>[0]

describe('an event that needs review opens an anomaly with the money at stake', () => {
  test.each<[string, string[], string[], Start?]>([
    [
      'overpaid: by each event that makes it more',
      ['paid 110.00 #t1', 'paid 5.00 #t2', 'paid 115.00'],
      ['overpaid, paid #t1, 10.00', 'overpaid, paid #t2, 5.00'],
    ],
    [
      'paid_but_returned: part of it went back before it was paid',
      ['paid 60.00 #t1', 'refunded 20.00 #r1', 'paid 40.00 #t2'],
      ['paid_but_returned, paid #t2, 20.00'],
    ],
    [
      'late_paid: after the shop heard of another end',
      ['expired', 'paid 100.00 #t1'],
      ['late_paid, paid #t1, 100.00'],
    ],
    [
      'authorisation_lost: what was not captured',
      ['authorised 100.00 #a', 'paid 70.00 #c1', 'cancelled'],
      ['authorisation_lost, cancelled, 30.00'],
      { authorisedIsPaid: true },
    ],
    [
      'authorisation_lost: not where all was captured',
      ['authorised 100.00 #a', 'paid 100.00 #c1', 'expired'],
      [],
      { authorisedIsPaid: true },
    ],
    [
      'charged_back: each dispute its own, and a total only for what no dispute covers',
      [
        'paid 100.00 #c1',
        ...['30.00 #d1', '50.00', '20.00 #d2', '40.00 #d3'].map((one) => `charged_back ${one}`),
      ],
      [
        'charged_back, charged_back #d1, 30.00',
        'charged_back, charged_back =50.00 eur, 20.00',
        'charged_back, charged_back #d3, 40.00',
      ],
    ],
    [
      'a refund is a movement and no anomaly',
      ['paid 100.00 #c1', 'refunded 40.00 #r1', 'refunded 60.00 #r2', 'refund_failed 60.00 #r2'],
      [],
    ],
  ])('%s', (_what, reports, opened, start) => {
    expect(new Order(start).says(...reports).opened.map((one) => one.join(', '))).toEqual(opened)
  })

  test('overpaid: an old page is paid after the order has shrunk', () => {
    const order = new Order()
    order.start({ amount: '60.00' })
    expect(order.says('paid 100.00 #t1').opened).toEqual([['overpaid', 'paid #t1', '40.00']])
  })

  test('double_paid: money on another attempt, before or after the order is paid', () => {
    const order = new Order()
    order.start()
    order.says('paid 40.00 #t1', '2: paid 100.00 #t2', 'paid 60.00 #t3')
    expect(order.opened).toEqual([
      ['double_paid', 'paid #t2', '40.00'],
      ['double_paid', 'paid #t3', '60.00'],
    ])
    expect(order.anomalies.map(({ attemptId }) => attemptId)).toEqual(['a1', 'a1'])
  })

  test('paid_in_parts: the first opens it with all parts, a later one with its own', () => {
    const order = new Order()
    order.start()
    order.says('paid 30.00 #t1', '2: paid 50.00 #t2', 'paid 10.00 #t3')
    expect(order.opened).toEqual([
      ['paid_in_parts', 'paid #t2', '80.00'],
      ['paid_in_parts', 'paid #t3', '10.00'],
    ])
    expect(order.anomalies).toMatchObject([
      { attemptId: 'a2' },
      { attemptId: 'a1', expected: '100.00', received: '90.00' },
    ])
  })

  test.each([
    [
      'paid_other_currency: of which nothing is owed',
      ['paid 90 jpy #c1'],
      { kind: 'paid_other_currency', event: 'paid #c1', expected: '0', received: '90', currency: 'jpy' },
      '0.00',
    ],
    [
      'event_changed: the first stands, the other amount is on record',
      ['paid 50.00 #t1', 'paid 70.00 #t1', 'paid 70.00 #t1'],
      { kind: 'event_changed', event: 'paid 70.00 eur #t1', expected: '50.00', received: '70.00' },
      '50.00',
    ],
    [
      'overpaid: with what was expected and what came',
      ['paid 110.00 #t1'],
      { kind: 'overpaid', event: 'paid #t1', expected: '100.00', received: '110.00', stake: '10.00' },
      '110.00',
    ],
  ])('%s', (_what, reports, anomaly, received) => {
    const order = new Order().says(...reports)
    const money = { stake: anomaly.received, currency: 'eur' }
    expect(order.anomalies).toEqual([{ attemptId: 'a1', ...money, ...anomaly }])
    expect(ledgerOf(order.payment.attempts[0]!).received).toBe(received)
  })

  test('paid_but_returned: by the times of the payment service, in whatever order reports come', () => {
    const at = (report: PaymentReport, minute: number) => ({ ...report, at: new Date(minute * 60_000) })
    const paid = (amount: string, event: string) => money('paid', amount, event)
    const refund = money('refunded', '20.00', 'r1')
    const after = [at(paid('100.00', 't1'), 1), at(refund, 2)]
    expect(new Order().learn(after).opened).toEqual([])
    expect(new Order().learn(after.toReversed(), { now: hour }).opened).toEqual([])
    const between = [at(paid('60.00', 't1'), 1), at(refund, 2), at(paid('40.00', 't2'), 3)]
    expect(new Order().learn(between).opened).toEqual([['paid_but_returned', 'paid #t2', '20.00']])
    const [first, second, last] = between
    const late = new Order().learn([first!, last!], { now: hour }).learn(second!, { now: 2 * hour })
    expect(late.opened).toEqual([['paid_but_returned', 'refunded #r1', '20.00']])
    expect(late.learn(between, { now: 3 * hour }).opened).toHaveLength(1)
  })

  test('late_paid: not with its end in one report, because the shop heard of no other end', () => {
    expect(new Order().learn('expired, paid 100.00 #t1').opened).toEqual([])
  })

  test('disputed: until the dispute is won or lost', () => {
    for (const end of ['chargeback_won 60.00 #d1', 'charged_back 60.00 #d1']) {
      const order = new Order()
        .says('paid 100.00 #c1')
        .learn({ ...money('disputed', '60.00', 'd1'), answerBy: new Date(5 * day) } as PaymentReport)
        .says('disputed 30.00 #d2')
      expect(ledgerOf(order.payment.attempts[0]!).net).toBe('100.00')
      expect(order.opened).toEqual([
        ['disputed', 'disputed #d1', '60.00'],
        ['disputed', 'disputed #d2', '30.00'],
      ])
      expect(order.anomalies.map(({ answerBy }) => answerBy)).toEqual([5 * day, undefined])
      expect(order.says(end).ended).toEqual(['disputed: disputed #d1'])
      expect(order.says(end).ended).toHaveLength(1)
    }
  })

  test('disputed: not of a dispute whose end came first, or comes in the same report', () => {
    const order = new Order().says('paid 100.00 #c1', 'charged_back 60.00 #d1', 'disputed 60.00 #d1')
    order.learn('disputed 30.00 #d2, chargeback_won 30.00 #d2')
    expect(order.opened.map(([kind]) => kind)).toEqual(['charged_back'])
  })

  test('charged_back: may name the time to answer', () => {
    const order = new Order().says('paid 100.00 #c1')
    order.learn({ ...money('charged_back', '60.00', 'd1'), answerBy: new Date(5 * day) } as PaymentReport)
    expect(order.anomalies[0]).toMatchObject({ kind: 'charged_back', answerBy: 5 * day })
  })

  test('unknown_status: each word once', () => {
    const order = new Order()
    for (const detail of ['weighed', 'measured', 'weighed']) order.learn({ status: 'unknown', detail })
    expect(order.opened.map(([kind, event]) => `${kind} ${event}`)).toEqual([
      'unknown_status unknown weighed',
      'unknown_status unknown measured',
    ])
    for (let word = 0; word < 100; word++) order.learn({ status: 'unknown', detail: `word ${word}` })
    expect(order.opened).toHaveLength(20)
  })

  test('amount_changed_after_paid: each amount once', () => {
    const order = new Order().says('paid 100.00 #c1')
    expect(order.start({ amount: '120.00' }).outcome).toBe('less')
    expect(order.start().outcome).toBe('paid')
    expect(order.opened).toEqual([['amount_changed_after_paid', 'amount 120.00 eur', '20.00']])
  })
})

test('closing one mutes no later one: each event has an id of its own', () => {
  const order = new Order().says('paid 100.00 #c1', 'charged_back 50.00 #d1', 'charged_back 50.00 #d2')
  const ids = order.anomalies.map((anomaly) => anomalyId('default', '7', anomaly))
  expect(new Set(ids).size).toBe(2)
  expect(ids[0]).toMatch(/^[0-9a-f]{10}$/)
})

test('every kind says why and what to do', () => {
  for (const [kind, { why, remedy }] of Object.entries(anomalyKinds)) {
    expect(why, kind).toMatch(/\.$/)
    expect(remedy, kind).toMatch(/\.$/)
  }
})

const reports = fc
  .uniqueArray(fc.constantFrom('e1', 'e2', 'e3', 'e4', 'e5', 'e6'), { minLength: 1, maxLength: 6 })
  .chain((events) =>
    fc.tuple(
      ...events.map((event) =>
        fc.record({
          status: fc.constantFrom('paid', 'charged_back'),
          amount: fc.integer({ min: 1, max: 15_000 }).map((cents) => (cents / 100).toFixed(2)),
          currency: fc.constantFrom('eur', 'usd'),
          event: fc.constantFrom(event, undefined),
          attempt: fc.constantFrom(1, 2),
        }),
      ),
    ),
  )

test('in every order the stakes of chargebacks and of foreign money add up to the ledger', () => {
  const stakesOf = (anomalies: Anomaly[], kind: string) =>
    anomalies.filter((one) => one.kind === kind).reduce((sum, { stake }) => sum + cents(stake), 0)
  const cents = (text = '0') => Math.round(Number(text) * 100)
  forRuns(
    300,
    reports.chain((list) => fc.shuffledSubarray([...list], { minLength: list.length })),
    (list) => {
      const order = new Order()
      order.start()
      for (const { attempt, ...report } of list) order.learn(report as PaymentReport, { attempt })
      const ledgers = order.payment.attempts.map(ledgerOf).flatMap(({ others, ...own }) => [own, ...others])
      const chargedBack = ledgers.reduce((sum, one) => sum + cents(one.chargedBack), 0)
      const foreign = ledgers.filter(({ currency }) => currency === 'usd')
      expect(stakesOf(order.anomalies, 'charged_back')).toBe(chargedBack)
      expect(stakesOf(order.anomalies, 'paid_other_currency')).toBe(
        foreign.reduce((sum, one) => sum + cents(one.received), 0),
      )
    },
  )
})

test('no money comes without a trace: what does not pay the order is in an anomaly, at once or in time', () => {
  forRuns(300, reports, (list) => {
    const order = new Order()
    order.start()
    for (const { attempt, ...report } of list) order.learn(report as PaymentReport, { attempt })
    const late = order.due(Number.MAX_SAFE_INTEGER).map(([kind]) => kind)
    const kinds = new Set([...order.opened.map(([kind]) => kind), ...late])
    for (const attempt of order.payment.attempts) {
      const { received, net, others } = ledgerOf(attempt)
      if (others.some((other) => other.received !== '0.00')) expect(kinds).toContain('paid_other_currency')
      if (attempt.id === order.payment.paidBy) {
        if (received !== '100.00') expect(kinds).toContain('overpaid')
      } else if (order.payment.paidBy !== undefined) {
        if (received !== '0.00') expect(kinds).toContain('double_paid')
      } else if (Number(net) > 0) expect(kinds).toContain('underpaid')
    }
  })
})
