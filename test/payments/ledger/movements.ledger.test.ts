import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ledgerOf } from '../../../src/payments/ledger/movements.ts'
import { type Fact, factKey, factOf, newFact } from '../../../src/payments/ledger/payment.ts'
import { moneyWords, type PaymentReport, readReports } from '../../../src/payments/ledger/report.ts'
import { forRuns } from '../../for-all.ts'
import { named, reportsOf } from '../order.ts'

type Report = Extract<PaymentReport, { amount: unknown }>

/** The ledger of an attempt in eur and live, once this was reported. */
function ledgerAfter(reports: readonly PaymentReport[]) {
  const facts: Fact[] = []
  for (const statement of readReports(reports)) {
    const fact = newFact(facts, factOf(statement, 'push', 1), 'live')
    if (fact) facts.push(fact)
  }
  return ledgerOf({ currency: 'eur', mode: 'live', facts })
}

const eur = (status: Report['status'], amount: string, event?: string): Report => ({
  status,
  amount,
  currency: 'eur',
  event,
})

describe('the totals of an attempt', () => {
  test.each<[string, string, Partial<ReturnType<typeof ledgerAfter>>]>([
    ['nothing', '', { received: '0.00', net: '0.00' }],
    ['transfers add up', 'paid 60 #t1, paid 40 #t2', { received: '100.00' }],
    ['equal transfers are two', 'paid 50 #t1, paid 50 #t2', { received: '100.00' }],
    ['one transfer, reported twice', 'paid 50 #t1, paid 50 #t1', { received: '50.00' }],
    ['of totals the largest stands', 'paid 60, paid 20', { received: '60.00' }],
    ['an event beside a total counts once', 'paid 50 #t1, paid 50', { received: '50.00' }],
    ['a total is ahead of its events', 'paid 100, paid 60 #t1', { received: '100.00', net: '100.00' }],
    ['a refund that failed', 'refunded 30 #r1, refund_failed 30 #r1', { refunded: '0.00' }],
    [
      'a failed refund takes back its own alone',
      'refunded 30 #r1, refund_failed 30 #r1, refunded 20 #r2',
      { refunded: '20.00' },
    ],
    [
      'a failure takes back no more than its refund took',
      'refunded 10 #r1, refunded 5 #r2, refund_failed 12 #r1',
      { refunded: '5.00' },
    ],
    [
      'a failed refund of which only the total was reported',
      'refunded 30, refund_failed 30 #r1',
      { refunded: '0.00' },
    ],
    [
      'a dispute that is won',
      'paid 100 #c1, charged_back 40 #d1, chargeback_won 40 #d1',
      { chargedBack: '40.00', chargebackWon: '40.00', net: '100.00' },
    ],
    [
      'a dispute that is won, of which nothing was charged back',
      'paid 500 #c1, chargeback_won 500 #d1',
      { chargebackWon: '0.00', net: '500.00' },
    ],
    [
      'a total of what was won, of which nothing was charged back',
      'paid 500 #c1, chargeback_won 500',
      { chargebackWon: '0.00', net: '500.00' },
    ],
    [
      'a dispute that is won, and moved no money while it was open',
      'paid 500 #c1, disputed 500 #d1, chargeback_won 500 #d1',
      { chargebackWon: '0.00', net: '500.00' },
    ],
    [
      'a dispute gives back at most what it took itself',
      'paid 500 #c1, charged_back 100 #d1, charged_back 200 #d2, chargeback_won 150 #d1',
      { chargedBack: '300.00', chargebackWon: '100.00', net: '300.00' },
    ],
    [
      'a dispute that is won under two ids',
      'paid 500 #c1, charged_back 200 #d1, charged_back 200 #d2, chargeback_won 200 #d1, chargeback_won 200 #evt_9',
      { chargedBack: '400.00', chargebackWon: '200.00', net: '300.00' },
    ],
    [
      'a service that gives every step an id of its own: no more is won than was charged back',
      'paid 500 #c1, charged_back 200 #evt_1, chargeback_won 200 #evt_2, chargeback_won 200 #evt_3',
      { chargedBack: '200.00', chargebackWon: '200.00', net: '500.00' },
    ],
    ['amounts are exact', 'paid 0.10 #t1, paid 0.20 #t2', { received: '0.30' }],
  ])('%s', (_what, reports, expected) => {
    expect(ledgerAfter(reportsOf(reports))).toMatchObject(expected)
  })

  test('currencies and modes stand apart', () => {
    const { received, others } = ledgerAfter([
      eur('paid', '10', 't1'),
      { ...eur('paid', '20', 't2'), mode: 'test' },
      { ...eur('paid', '30', 't3'), currency: 'usd' },
      { ...eur('paid', '40', 't4'), mode: 'live' },
    ])
    expect(received).toBe('50.00')
    expect(others.map(({ received, currency, mode }) => [received, currency, mode])).toEqual([
      ['20.00', 'eur', 'test'],
      ['30.00', 'usd', 'live'],
    ])
  })
})

/** Reports about money as one service makes them: an event has one amount, currency and mode. */
const reports = fc
  .array(
    fc.record({
      status: fc.constantFrom(...moneyWords),
      event: fc.option(fc.constantFrom('e1', 'e2', 'e3'), { nil: undefined }),
      amount: fc.integer({ min: 0, max: 9999 }).map((cents) => (cents / 100).toFixed(2)),
      currency: fc.constantFrom('eur', 'usd'),
      mode: fc.constantFrom('test' as const, 'live' as const, undefined),
    }),
    { maxLength: 10 },
  )
  .map((all) => {
    const list = all.map(named)
    const first = (report: Report) =>
      list.find(({ status, event }) => status === report.status && event === report.event)!
    return list.map((report): Report => (report.event === undefined ? report : first(report)))
  })

const mixed = (list: readonly Report[]) =>
  fc.tuple(
    fc.shuffledSubarray([...list], { minLength: list.length }),
    fc.array(fc.nat(Math.max(list.length - 1, 0)), { maxLength: 5 }),
  )

describe('for all reports', () => {
  test('any order and any repetition gives the same ledger', () => {
    forRuns(
      500,
      reports.chain((list) => fc.tuple(fc.constant(list), mixed(list))),
      ([list, [shuffled, repeated]]) => {
        const again = repeated.flatMap((index) => list.slice(index, index + 1))
        expect(ledgerAfter([...shuffled, ...again])).toEqual(ledgerAfter(list))
      },
    )
  })

  test('a total that says no more than the events do changes nothing', () => {
    forRuns(
      200,
      fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (cents, first) => {
        const pushes = cents.map((amount) => eur('paid', (amount / 100).toFixed(2), `t${amount}`))
        const sum = cents.reduce((all, one) => all + one, 0)
        const answer = eur('paid', (sum / 100).toFixed(2))
        const said = first ? [answer, ...pushes] : [...pushes, answer]
        expect(ledgerAfter(said).received).toBe((sum / 100).toFixed(2))
      },
    )
  })

  test('every figure is at least 0, net is what they add up to and never above received', () => {
    forRuns(200, reports, (list) => {
      const { others, ...own } = ledgerAfter(list)
      for (const one of [own, ...others]) {
        const cents = (text: string) => Math.round(Number(text) * 100)
        const { received, refunded, chargedBack, chargebackWon, net } = one
        for (const figure of [received, refunded, chargedBack, chargebackWon])
          expect(cents(figure)).toBeGreaterThanOrEqual(0)
        expect(cents(net)).toBeLessThanOrEqual(cents(received))
        expect(cents(net)).toBe(cents(received) - cents(refunded) - cents(chargedBack) + cents(chargebackWon))
      }
    })
  })
})

test('an event that comes again with other money is kept beside the first, once', () => {
  const [first, other] = readReports([eur('paid', '50', 't1'), eur('paid', '40', 't1')])
  const one = factOf(first!, 'push', 1)
  const conflict = newFact([one], factOf(other!, 'push', 2), 'live')
  expect(conflict).toMatchObject({ amount: '40.00', conflicts: true })
  expect(factKey(conflict!)).not.toBe(factKey(one))
  expect(newFact([one, conflict!], factOf(other!, 'push', 3), 'live')).toBeUndefined()
  expect(ledgerOf({ currency: 'eur', mode: 'live', facts: [one, conflict!] }).received).toBe('50.00')
  // Saying the mode of the attempt is saying nothing else.
  expect(newFact([one], { ...one, mode: 'live' }, 'live')).toBeUndefined()
  expect(newFact([one], { ...one, mode: 'test' }, 'live')).toMatchObject({ conflicts: true })
})
