import fc from 'fast-check'
import { expect, test } from 'vitest'
import { givenSide, price } from '../../src/money/index.ts'

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
  fc.assert(
    fc.property(side, fc.nat(1_000_000), rate, currencies, (given, units, taxRate, [currency, digits]) => {
      const amount = (units / 10 ** digits).toFixed(digits)
      const made = price({ [given]: amount, taxRate, currency } as never)
      const found = givenSide(made, currency)!
      expect(price({ [found]: made[`price_${found}`], taxRate, currency } as never)).toEqual(made)
    }),
  )
})
