import fc from 'fast-check'
import { expect, test } from 'vitest'
import { givenSide, price, pricesDisagree } from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'

test.each([
  [{ price_excl: '5.00', price_incl: '6.05', tax_rate: '0.21' }, 'eur', 'excl'],
  [{ price_excl: 5, price_incl: 6.05, tax_rate: 0.21 }, 'EUR', 'excl'],
  [{ price_excl: '8.26', price_incl: '10.00', tax_rate: '0.21' }, 'eur', 'incl'],
  [{ price_excl: '8.2645', price_incl: '10.00', tax_rate: '0.21' }, 'eur', 'excl'],
  [{ price_excl: '91', price_incl: '100', tax_rate: '0.1' }, 'jpy', 'excl'],
  [{ price_excl: '5', price_incl: '5', tax_rate: '0.09' }, 'jpy', 'excl'],
  [{ price_excl: '5', price_incl: '6', tax_rate: '0.21' }, 'eur', undefined],
  [{ price_excl: '5.00', price_incl: '5.00', tax_rate: '0.21' }, 'eur', undefined],
] as const)('%j in %s was given as %s', (prices, currency, side) => {
  expect(givenSide(prices, currency)).toBe(side)
})

test('whichever side a price was given on, the other one follows from the side that is found', () => {
  const side = fc.constantFrom('excl' as const, 'incl' as const)
  const currencies = fc.constantFrom(['jpy', 0] as const, ['eur', 2] as const, ['kwd', 3] as const)
  const rate = fc.integer({ min: 0, max: 270 }).map((one) => one / 1000)
  forAll(side, fc.nat(1_000_000), rate, currencies, (given, units, taxRate, [currency, digits]) => {
    const amount = (units / 10 ** digits).toFixed(digits)
    const made = price({ [given]: amount, taxRate, currency } as never)
    const found = givenSide(made, currency)!
    expect(price({ [found]: made[`price_${found}`], taxRate, currency } as never)).toEqual(made)
    expect(pricesDisagree(made, currency)).toBe(false)
  })
})

test.each([
  ['swapped', { price_incl: 5, price_excl: 6.05, tax_rate: 0.21 }, true],
  ['equal with a tax', { price_incl: 5, price_excl: 5, tax_rate: 0.21 }, true],
  ['with 21 for 0.21 on one side', { price_incl: 110, price_excl: 5, tax_rate: 0.21 }, true],
  ['of two signs', { price_incl: -6.05, price_excl: 5, tax_rate: 0.21 }, true],
  ['a cent too low', { price_incl: 6.03, price_excl: 5, tax_rate: 0.21 }, true],
  ['rounded each by itself', { price_incl: 12.11, price_excl: 10, tax_rate: 0.21 }, false],
  ['equal without a tax', { price_incl: 5, price_excl: 5, tax_rate: 0 }, false],
  ['exact', { price_incl: 7.0059, price_excl: 5.79, tax_rate: 0.21 }, false],
  ['a discount', { price_incl: -6.05, price_excl: -5, tax_rate: 0.21 }, false],
  ['with a rate of mixed goods', { price_incl: 1183.33, price_excl: 1000, tax_rate: 0.1833 }, false],
  ['free', { price_incl: 0, price_excl: 0, tax_rate: 0.21 }, false],
])('prices that are %s: disagree %o', (_, prices, disagree) => {
  expect(pricesDisagree(prices, 'eur')).toBe(disagree)
})
