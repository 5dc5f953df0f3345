import { describe, expect, test } from 'vitest'
import { type FactKind, factOf, type PaymentReport } from '../../src/payments/facts.ts'
import { derive, owesWebhook } from '../../src/payments/status.ts'

type Reported = FactKind | `paid ${string}`

const attempt = (amount: string, ...reported: Reported[]) => ({
  id: `${amount} ${reported.join(' ')}`,
  amount,
  currency: 'eur',
  mode: 'live' as const,
  facts: reported.map((one, at) => {
    const [kind, paid = amount] = one.split(' ') as [FactKind, string?]
    return kind === 'paid' ? { kind, at, amount: paid, currency: 'eur' } : { kind, at }
  }),
})

describe('the table of payment statuses (spec 3.1)', () => {
  test.each<[string, ReturnType<typeof attempt>[], string]>([
    ['nothing is known', [], 'pending'],
    ['payment takes time', [attempt('10.00')], 'pending'],
    ['the service says pending', [attempt('10.00', 'pending')], 'pending'],
    ['the customer paid', [attempt('10.00', 'paid')], 'paid'],
    ['not finished in time', [attempt('10.00', 'expired')], 'expired'],
    ['the customer abandoned it', [attempt('10.00', 'cancelled')], 'cancelled'],
    ['pending, then paid', [attempt('10.00', 'pending', 'paid')], 'paid'],
    ['pending, then expired', [attempt('10.00', 'pending', 'expired')], 'expired'],
    ['pending, then cancelled', [attempt('10.00', 'pending', 'cancelled')], 'cancelled'],
    ['authorised, not captured', [attempt('10.00', 'authorised')], 'pending'],
    ['a word nobody knows', [attempt('10.00', 'unknown')], 'pending'],
    ['paid, then a stale expired', [attempt('10.00', 'paid', 'expired')], 'paid'],
    ['paid, then refunded', [attempt('10.00', 'paid', 'reversed')], 'paid'],
    ['paid late', [attempt('10.00', 'expired', 'paid')], 'paid'],
    ['a new attempt after a cancelled one', [attempt('10.00', 'cancelled'), attempt('10.00')], 'pending'],
    [
      'the first attempt expires while the second is open',
      [attempt('10.00', 'expired'), attempt('10.00')],
      'pending',
    ],
    [
      'the first attempt is paid while the second is open',
      [attempt('10.00', 'paid'), attempt('10.00')],
      'paid',
    ],
    [
      'how the newest attempt ended',
      [attempt('10.00', 'expired'), attempt('10.00', 'cancelled')],
      'cancelled',
    ],
    [
      'an open attempt of 10 does not settle an order of 100',
      [attempt('10.00', 'paid'), attempt('100.00')],
      'pending',
    ],
    ['part of the amount', [attempt('10.00', 'paid 4.00')], 'pending'],
    ['more than the amount', [attempt('10.00', 'paid 14.00')], 'pending'],
  ])('%s', (_what, attempts, status) => {
    expect(derive(attempts).status).toBe(status)
  })
})

test('any order and any repetition of facts gives the same status', () => {
  const reported: Reported[] = ['pending', 'expired', 'cancelled', 'paid', 'reversed']
  const permutations = (list: Reported[]): Reported[][] =>
    list.length < 2
      ? [list]
      : list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one, ...rest]))
  for (const size of [2, 3, 4, 5]) {
    const expected = derive([attempt('10.00', ...reported.slice(0, size))]).status
    for (const order of permutations(reported.slice(0, size))) {
      expect(derive([attempt('10.00', ...order, ...order)]).status).toBe(expected)
    }
  }
})

test.each([
  [[attempt('10.00', 'paid'), attempt('100.00')], 'paid_other_amount'],
  [[attempt('10.00', 'paid 4.00')], 'underpaid'],
  [[attempt('10.00', 'paid'), attempt('10.00', 'paid')], 'double_paid'],
  [[attempt('10.00', 'expired', 'paid')], 'late_paid'],
  [[attempt('10.00', 'paid', 'reversed')], 'reversed'],
  [[attempt('10.00', 'unknown')], 'unknown_status'],
])('an anomaly is named: %#', (attempts, kind) => {
  expect(derive(attempts).anomalies.map((anomaly) => anomaly.kind)).toEqual([kind])
})

test('every change but a new attempt owes a webhook', () => {
  const statuses = ['pending', 'paid', 'expired', 'cancelled'] as const
  // Nothing leaves paid.
  const owing = (['pending', 'expired', 'cancelled'] as const).flatMap((from) =>
    statuses.filter((to) => owesWebhook(from, to)).map((to) => `${from} -> ${to}`),
  )
  expect(owing).toEqual([
    'pending -> paid',
    'pending -> expired',
    'pending -> cancelled',
    'expired -> paid',
    'expired -> cancelled',
    'cancelled -> paid',
    'cancelled -> expired',
  ])
})

test('what a payment service says maps totally', () => {
  const amount = { amount: 10, currency: 'EUR' }
  const kinds = [
    'paid',
    'authorised',
    'refunded',
    'charged_back',
    'pending',
    'cancelled',
    'failed',
    'declined',
    'expired',
    'constructor',
  ]
  expect(kinds.map((status) => factOf({ status, ...amount } as PaymentReport, 'report', 1).kind)).toEqual([
    'paid',
    'authorised',
    'reversed',
    'reversed',
    'pending',
    'cancelled',
    'cancelled',
    'cancelled',
    'expired',
    'unknown',
  ])
})

test.each([
  {},
  { amount: '10.00' },
  { amount: -1, currency: 'eur' },
  { amount: Number.NaN, currency: 'eur' },
  { amount: 5, currency: 'euro' },
])('a payment without a usable amount is a wrong call: %o', (fields) => {
  expect(() => factOf({ status: 'paid', ...fields } as PaymentReport, 'report', 1)).toThrow(
    expect.objectContaining({ code: 'ARGUMENT_INVALID' }),
  )
})
