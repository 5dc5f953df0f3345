import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { givenSide, type PriceInput, price, pricesDisagree, readDecimal } from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'

test.each<['excl' | 'incl', string | number, string | number, string, string, string, string]>([
  ['excl', '5.00', '0.21', 'eur', '5.00', '6.05', '0.21'],
  ['excl', 5, 0.21, 'EUR', '5.00', '6.05', '0.21'],
  ['excl', '0', '0.21', 'eur', '0.00', '0.00', '0.21'],
  ['excl', '5', '0', 'eur', '5.00', '5.00', '0'],
  ['excl', '0.50', '0.09', 'eur', '0.50', '0.55', '0.09'],
  ['excl', '500', '0.10', 'jpy', '500', '550', '0.1'],
  ['excl', '5', '0.10', 'jpy', '5', '6', '0.1'],
  ['excl', '1.25', '0.05', 'kwd', '1.250', '1.313', '0.05'],
  // The given side is rounded first, so that what the customer sees adds up.
  ['excl', '4.995', '0.21', 'eur', '5.00', '6.05', '0.21'],
  ['incl', '6.05', '0.21', 'eur', '5.00', '6.05', '0.21'],
  ['incl', '4.95', '0.21', 'eur', '4.09', '4.95', '0.21'],
  ['incl', '0', '0.21', 'eur', '0.00', '0.00', '0.21'],
  ['incl', '550', '0.1', 'jpy', '500', '550', '0.1'],
  ['incl', '1', '1', 'jpy', '1', '1', '1'],
  ['incl', '1.313', '0.05', 'kwd', '1.250', '1.313', '0.05'],
  // A price below 0 is a discount, rounded away from 0.
  ['excl', '-5.00', '0.21', 'eur', '-5.00', '-6.05', '0.21'],
  ['incl', -0.125, '0.21', 'eur', '-0.11', '-0.13', '0.21'],
])('price_%s %j at %j in %s', (side, given, taxRate, currency, price_excl, price_incl, tax_rate) => {
  const fields = { price_excl, price_incl, tax_rate, currency: currency.toLowerCase() }
  expect(price({ [side]: given, taxRate, currency } as never)).toEqual(fields)
})

test('a price with tax is rounded once: just below half a cent is no half cent', () => {
  // 0.01 / 2.0000000001 is 0.00499999999975.
  expect(price({ incl: '0.03', taxRate: '0.2000000001', currency: 'eur' }).price_excl).toBe('0.02')
})

test.each([
  ['21', '0.21'],
  [21, '0.21'],
  ['5.5', '0.055'],
  ['99', '0.99'],
])('a tax rate of %s is refused with the fraction that it means', (taxRate, meant) => {
  expect(() => price({ excl: '5', taxRate, currency: 'eur' })).toThrow(
    `price() takes taxRate as a fraction: did you mean ${meant}?`,
  )
})

describe('the three fields agree', () => {
  // Whole numbers in units of the currency's last digit and of 10^-10 of the rate: no decimal library in the oracle.
  const SCALE = 10n ** 10n
  const halfUp = (above: bigint, below: bigint) => (2n * above + below) / (2n * below)
  const currencies = fc.constantFrom(['jpy', 0] as const, ['eur', 2] as const, ['kwd', 3] as const)
  const units = fc.bigInt({ min: 0n, max: 10n ** 11n })
  const rates = fc.oneof(
    fc.bigInt({ min: 0n, max: 30n }).map((percent) => percent * 10n ** 8n),
    fc.bigInt({ min: 0n, max: SCALE }),
  )
  const shift = (whole: bigint, digits: number) => {
    const text = String(whole).padStart(digits + 1, '0')
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  }

  test.each<['excl' | 'incl', 'excl' | 'incl', (given: bigint, rate: bigint) => bigint]>([
    ['incl', 'excl', (excl, rate) => halfUp(excl * (SCALE + rate), SCALE)],
    ['excl', 'incl', (incl, rate) => halfUp(incl * SCALE, SCALE + rate)],
  ])('price_%s is that of %s, with the tax of its rate, rounded', (other, side, computed) => {
    forAll(units, rates, currencies, (given, rate, [currency, digits]) => {
      const [amount, taxRate] = [shift(given, digits), shift(rate, 10)]
      expect(price({ [side]: amount, taxRate, currency } as never)).toEqual({
        [`price_${side}`]: amount,
        [`price_${other}`]: shift(computed(given, rate), digits),
        tax_rate: readDecimal(taxRate),
        currency,
      })
    })
  })

  test('a number and its text give the same price', () => {
    forAll(fc.nat({ max: 10_000_000 }), fc.nat({ max: 100 }), (cents, percent) => {
      const [excl, taxRate] = [cents / 100, percent / 100]
      expect(price({ excl, taxRate, currency: 'eur' })).toEqual(
        price({ excl: excl.toFixed(4), taxRate: String(taxRate), currency: 'eur' }),
      )
    })
  })
})

describe('a wrong call is a TypeError', () => {
  const right = { excl: '5.00', taxRate: '0.21', currency: 'eur' }

  test.each<[string, unknown]>([
    ['neither excl nor incl', { taxRate: '0.21', currency: 'eur' }],
    ['both excl and incl', { ...right, incl: '6.05' }],
    ['excl null', { ...right, excl: null }],
    ['excl null beside incl', { ...right, excl: null, incl: '6.05' }],
    ['a price of NaN', { ...right, excl: Number.NaN }],
    ['an infinite price', { ...right, excl: Number.POSITIVE_INFINITY }],
    ['a price of 1e21', { ...right, excl: 1e21 }],
    ['a price with a comma', { ...right, excl: '5,00' }],
    ['an empty price', { ...right, excl: '' }],
    ['no rate', { excl: '5.00', currency: 'eur' }],
    ['a negative rate', { ...right, taxRate: -0.21 }],
    ['a rate in percent signs', { ...right, taxRate: '21%' }],
    ['no currency', { excl: '5.00', taxRate: '0.21' }],
    ['a currency sign', { ...right, currency: '€' }],
    ['a list for a currency', { ...right, currency: ['eur'] }],
    ['a result of 16 digits', { ...right, excl: '999999999999999', taxRate: '1' }],
    ['nothing', undefined],
  ])('%s', (_name, input) => {
    expect(() => price(input as PriceInput)).toThrow(TypeError)
  })

  test.each([[undefined], [null], ['5.00']])('%j is no price: the message shows one', (input) => {
    expect(() => price(input as never)).toThrow(
      new TypeError("price() takes an object such as { excl: '5.00', taxRate: '0.21', currency: 'eur' }"),
    )
  })

  test('the message names the field and not the value', () => {
    expect(() => price({ ...right, excl: 'canary' })).toThrow(
      'price() takes excl as a number, or a decimal string such as "5.00"',
    )
    expect(() => price({ ...right, taxRate: 'canary' })).toThrow(/^price\(\) takes taxRate as (?!.*canary)/)
  })
})

test.each([
  [null, 'null'],
  [undefined, 'not set'],
  ['on request', 'a text that is not such a number'],
  [Number.NaN, 'not such a number'],
  [{}, 'of type object'],
  [true, 'of type boolean'],
  [1e20, 'not such a number'],
])('a price of %j is named, and never repeated', (excl, what) => {
  const input = { excl, incl: excl === undefined ? null : undefined, taxRate: 0, currency: 'eur' }
  const name = excl === undefined ? 'incl' : 'excl'
  expect(() => price(input as never)).toThrow(
    `price() takes ${name} as a number, or a decimal string such as "5.00": it is ${excl === undefined ? 'null' : what}`,
  )
  expect(() => price({ excl: 1, taxRate: excl as never, currency: 'eur' })).toThrow(`it is ${what}`)
})

test('a tax rate below 0 is none', () => {
  expect(() => price({ excl: 1, taxRate: -0.21, currency: 'eur' })).toThrow(
    'price() takes taxRate as a number of 0 or more, or a decimal string such as "5.00": it is below 0',
  )
})

test('a price that would be rounded to 0 stays as it is: its method is left out, and not offered free', () => {
  const incl = (amount: string | number, taxRate: string, currency: string) => [
    price({ excl: amount, taxRate, currency }).price_incl,
    price({ incl: amount, taxRate, currency }).price_incl,
  ]
  expect(incl('0.001', '0.21', 'eur')).toEqual(['0.001', '0.001'])
  expect(incl(-0.001, '0', 'eur')).toEqual(['-0.001', '-0.001'])
  expect(incl(0.4, '0', 'jpy')).toEqual(['0.4', '0.4'])
  expect(incl('0', '0.21', 'eur')).toEqual(['0.00', '0.00'])
})

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
