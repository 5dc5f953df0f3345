import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, halfUnit, price } from '../../../src/money/index.ts'
import { blended, derivedRate, rateOf, sharesOf } from '../../../src/rates/adapters/lines.ts'
import { forAll } from '../../for-all.ts'

const derived = (excl: string, incl: string, known: string[] = [], currency = 'eur') =>
  derivedRate({ excl: decimal(excl), incl: decimal(incl) }, halfUnit(currency), known)

test.each([
  ['3.31', '4.01', [], '0.21'],
  ['3.00', '3.77', [], '0.255'],
  ['10.00', '10.81', [], '0.081'],
  ['0.41', '0.50', [], '0.22'],
  ['0.41', '0.50', ['0.09', '0.21'], '0.21'],
  ['-10', '-10.90', [], '0.09'],
  ['100', '112.34', [], '0.1234'],
  ['10', '10', [], '0'],
  ['10', '9', [], undefined],
  ['4200', '21', [], undefined],
  ['5.00', '4.995', [], '0'],
  ['10', '20', [], undefined],
  ['0', '5', [], undefined],
  ['-10', '10', [], undefined],
] as const)('%s and %s, beside %j, are %s', (excl, incl, known, rate) => {
  expect(derived(excl, incl, [...known])).toBe(rate)
})

test.each([
  ['0.21', '0.21'],
  ['0.00004', '0'],
  ['0.2099999', '0.21'],
  ['-0.01', undefined],
  ['1', undefined],
])('%s as a rate is %s', (given, rate) => {
  expect(rateOf(decimal(given))).toBe(rate)
})

test('a known rate is found again in any price that has one side rounded', () => {
  const side = fc.constantFrom('excl', 'incl')
  const rate = fc.constantFrom('0.05', '0.09', '0.19', '0.21')
  const currencies = fc.constantFrom(['jpy', 0] as const, ['eur', 2] as const, ['kwd', 3] as const)
  const units = fc.integer({ min: 1000, max: 1e8 })
  forAll(side, units, rate, currencies, (given, unit, taxRate, [currency, digits]) => {
    const amount = (unit / 10 ** digits).toFixed(digits)
    const { price_excl, price_incl } = price({ [given]: amount, taxRate, currency } as never)
    expect(derived(price_excl, price_incl, ['0.05', '0.09', '0.19', '0.21'], currency)).toBe(taxRate)
    expect(derived(price_excl, price_incl, [], currency)).toBe(taxRate)
  })
})

const part = (rate: string, worth: number) => ({ rate, worth: decimal(worth) })

test('worths are added by rate, and what is below 0 in all has no share', () => {
  const shares = sharesOf([part('0.21', 60), part('0.09', 5), part('0.21', -10), part('0.09', -6)])
  expect([...shares].map(([rate, worth]) => [rate, worth.toFixed()])).toEqual([['0.21', '50']])
})

test.each([
  [[], undefined],
  [[part('0.21', 3)], '0.21'],
  [[part('0.21', 75), part('0.09', 25)], '0.18'],
  [[part('0.21', 2), part('0.09', 1)], '0.17'],
  [[part('0.21', 1), part('0', 2)], '0.07'],
])('%j', (parts, rate) => {
  expect(blended(sharesOf(parts))).toBe(rate)
})
