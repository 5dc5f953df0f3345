import { describe, expect, test } from 'vitest'
import {
  moneyWords,
  type PaymentReport,
  readReports,
  stateWords,
} from '../../../src/payments/ledger/report.ts'

const read = (report: unknown) => readReports(report as PaymentReport)
const invalid = expect.objectContaining({ code: 'ARGUMENT_INVALID' })
const plain = (report: unknown) => JSON.parse(JSON.stringify(read(report)))

describe('a report', () => {
  test.each(moneyWords)('%s names amount and currency', (status) => {
    expect(plain({ status, amount: '12.5', currency: 'EUR', event: 'e1' })).toEqual([
      { word: status, event: 'e1', amount: '12.50', currency: 'eur' },
    ])
    expect(() => read({ status })).toThrow(invalid)
    expect(() => read({ status, amount: '12.50' })).toThrow(invalid)
    expect(() => read({ status, currency: 'eur' })).toThrow(invalid)
  })

  test.each(stateWords)('%s needs no money', (status) => {
    const event = status === 'named' ? 'INV-1' : undefined
    expect(plain({ status, event })).toEqual([{ word: status, ...(event && { event }) }])
  })

  test('a name comes with the name', () => {
    for (const report of [{ status: 'named' }, { status: 'named', totals: {}, currency: 'eur' }])
      expect(() => read(report)).toThrow('A report of "named" needs')
  })

  test('keeps times, mode and detail', () => {
    const at = new Date('2027-01-04T09:00:00Z')
    const expiresAt = new Date('2027-01-05T09:00:00Z')
    const report = { status: 'paid', amount: 500, currency: 'jpy', mode: 'test', at, expiresAt, detail: 'x' }
    expect(plain(report)).toEqual([
      {
        word: 'paid',
        amount: '500',
        currency: 'jpy',
        mode: 'test',
        happenedAt: at.getTime(),
        expiresAt: expiresAt.getTime(),
        detail: 'x',
      },
    ])
  })

  test.each(['settled', 'constructor', '__proto__'])('an unknown word is unknown: %s', (status) => {
    expect(plain({ status })).toEqual([{ word: 'unknown', detail: status, unlisted: status }])
  })

  test('a detail becomes one line of 200 characters', () => {
    const [{ detail }] = plain({ status: 'failed', detail: `a\nb\u0000c${'d'.repeat(300)}` })
    expect(detail).toMatch(/^a b c/)
    expect(detail).toHaveLength(200)
  })

  test('several reports are read one after the other', () => {
    const reports = [{ status: 'paid', amount: '5.00', currency: 'eur', event: 'c1' }, { status: 'open' }]
    expect(plain(reports).map(({ word }: { word: string }) => word)).toEqual(['paid', 'open'])
    expect(read([])).toEqual([])
  })

  test('a snapshot gives a total for each amount, and the word beside them', () => {
    const totals = { received: '100.00', refunded: '30.00', chargedBack: undefined, chargebackWon: 0 }
    expect(plain({ status: 'paid', totals, currency: 'eur' })).toEqual([
      { word: 'paid', amount: '100.00', currency: 'eur' },
      { word: 'refunded', amount: '30.00', currency: 'eur', beside: true },
    ])
    const open = { received: 0, authorised: '0.00' }
    expect(plain({ status: 'open', totals: open, currency: 'eur' })).toEqual([{ word: 'open' }])
    expect(plain({ status: 'paid', totals: open, currency: 'eur' })).toEqual([
      { word: 'paid', amount: '0.00', currency: 'eur' },
    ])
  })
})

const paid = { status: 'paid', amount: '12.50', currency: 'eur' }

test.each<[string, unknown]>([
  ['a negative amount', { ...paid, amount: '-1.00' }],
  ['more digits than the currency has', { ...paid, amount: '12.505' }],
  ['digits of a currency without any', { ...paid, amount: '12.5', currency: 'jpy' }],
  ['no number', { ...paid, amount: Number.NaN }],
  ['an amount that is too large to be exact', { ...paid, amount: 1e21 }],
  ['an unknown currency', { ...paid, currency: 'abc' }],
  ['a symbol for a currency', { ...paid, currency: '€' }],
  ['an empty event', { ...paid, event: '' }],
  ['an event of two lines', { ...paid, event: 'ch_1\nch_2' }],
  ['an event with a NUL', { ...paid, event: 'ch\u0000' }],
  ['an event of spaces', { ...paid, event: '  ' }],
  ['a number for an event', { ...paid, event: 7 }],
  ['totals beside an event', { status: 'paid', totals: { received: '5.00' }, currency: 'eur', event: 'e1' }],
  ['totals beside an amount', { ...paid, totals: { received: '5.00' } }],
  ['an endless event', { ...paid, event: 'x'.repeat(256) }],
  ['a time in words', { ...paid, at: 'yesterday' }],
  ['an invalid time', { ...paid, expiresAt: new Date(Number.NaN) }],
  ['an unknown mode', { ...paid, mode: 'sandbox' }],
  ['no status', { amount: '12.50', currency: 'eur' }],
  ['an empty status', { ...paid, status: '' }],
  ['a number for a status', { ...paid, status: 1 }],
  ['a list for a status', { ...paid, status: ['paid'] }],
  ['a snapshot with an empty status', { status: '', totals: { received: '5.00' }, currency: 'eur' }],
  ['nothing', undefined],
  ['a word alone', 'paid'],
  ['a snapshot without the total of its status', { status: 'paid', totals: {}, currency: 'eur' }],
  ['a snapshot of a refund that failed', { status: 'refund_failed', totals: {}, currency: 'eur' }],
  ['an unknown total', { status: 'paid', totals: { paid: '12.50' }, currency: 'eur' }],
  ['a negative total', { status: 'paid', totals: { received: '-12.50' }, currency: 'eur' }],
  ['totals without a currency', { status: 'paid', totals: { received: '12.50' } }],
  ['totals that are none', { status: 'paid', totals: '12.50', currency: 'eur' }],
])('%s is refused', (_what, report) => {
  expect(() => read(report)).toThrow(invalid)
  // Nothing of a list is read where one of it cannot be.
  expect(() => readReports([paid, report] as PaymentReport[])).toThrow(invalid)
})

test('an error names the place and never the value', () => {
  try {
    read({ ...paid, amount: '12.505' })
  } catch (error) {
    expect(String(error)).toContain('amount of "paid"')
    expect(String(error)).not.toContain('12.505')
  }
  expect.assertions(2)
})
