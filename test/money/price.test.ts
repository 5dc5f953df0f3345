import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { givenSide, type PriceInput, price, pricesDisagree, readDecimal } from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'

describe('from the price without tax', () => {
  test.each([
    ['5.00', '0.21', 'eur', { price_excl: '5.00', price_incl: '6.05', tax_rate: '0.21' }],
    [5, 0.21, 'EUR', { price_excl: '5.00', price_incl: '6.05', tax_rate: '0.21' }],
    ['0', '0.21', 'eur', { price_excl: '0.00', price_incl: '0.00', tax_rate: '0.21' }],
    ['5', '0', 'eur', { price_excl: '5.00', price_incl: '5.00', tax_rate: '0' }],
    ['0.50', '0.09', 'eur', { price_excl: '0.50', price_incl: '0.55', tax_rate: '0.09' }],
    ['500', '0.10', 'jpy', { price_excl: '500', price_incl: '550', tax_rate: '0.1' }],
    ['5', '0.10', 'jpy', { price_excl: '5', price_incl: '6', tax_rate: '0.1' }],
    ['1.25', '0.05', 'kwd', { price_excl: '1.250', price_incl: '1.313', tax_rate: '0.05' }],
  ])('%j at %j in %s', (excl, taxRate, currency, fields) => {
    expect(price({ excl, taxRate, currency })).toEqual({ ...fields, currency: currency.toLowerCase() })
  })

  test('rounds the given side first, so that what the customer sees adds up', () => {
    expect(price({ excl: '4.995', taxRate: '0.21', currency: 'eur' })).toEqual({
      price_excl: '5.00',
      price_incl: '6.05',
      tax_rate: '0.21',
      currency: 'eur',
    })
  })
})

describe('from the price with tax', () => {
  test.each([
    ['6.05', '0.21', 'eur', { price_incl: '6.05', price_excl: '5.00', tax_rate: '0.21' }],
    ['4.95', '0.21', 'eur', { price_incl: '4.95', price_excl: '4.09', tax_rate: '0.21' }],
    ['0', '0.21', 'eur', { price_incl: '0.00', price_excl: '0.00', tax_rate: '0.21' }],
    ['550', '0.1', 'jpy', { price_incl: '550', price_excl: '500', tax_rate: '0.1' }],
    ['1', '1', 'jpy', { price_incl: '1', price_excl: '1', tax_rate: '1' }],
    ['1.313', '0.05', 'kwd', { price_incl: '1.313', price_excl: '1.250', tax_rate: '0.05' }],
  ])('%j at %j in %s', (incl, taxRate, currency, fields) => {
    expect(price({ incl, taxRate, currency })).toEqual({ ...fields, currency })
  })

  test('rounds once: just below half a cent is no half cent', () => {
    // 0.01 / 2.0000000001 is 0.00499999999975.
    expect(price({ incl: '0.03', taxRate: '0.2000000001', currency: 'eur' }).price_excl).toBe('0.02')
  })
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

  test('with tax is round(without tax * (1 + rate))', () => {
    forAll(units, rates, currencies, (excl, rate, [currency, digits]) => {
      const taxRate = shift(rate, 10)
      expect(price({ excl: shift(excl, digits), taxRate, currency })).toEqual({
        price_excl: shift(excl, digits),
        price_incl: shift(halfUp(excl * (SCALE + rate), SCALE), digits),
        tax_rate: readDecimal(taxRate),
        currency,
      })
    })
  })

  test('without tax is round(with tax / (1 + rate))', () => {
    forAll(units, rates, currencies, (incl, rate, [currency, digits]) => {
      const taxRate = shift(rate, 10)
      expect(price({ incl: shift(incl, digits), taxRate, currency })).toEqual({
        price_incl: shift(incl, digits),
        price_excl: shift(halfUp(incl * SCALE, SCALE + rate), digits),
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

test('a price below 0 is a discount, rounded away from 0; a tax rate below 0 is none', () => {
  const fields = { tax_rate: '0.21', currency: 'eur' }
  expect(price({ excl: '-5.00', taxRate: '0.21', currency: 'eur' })).toEqual({
    ...{ price_incl: '-6.05', price_excl: '-5.00' },
    ...fields,
  })
  expect(price({ incl: -0.125, taxRate: '0.21', currency: 'eur' })).toEqual({
    ...{ price_incl: '-0.13', price_excl: '-0.11' },
    ...fields,
  })
  expect(price({ excl: -0.001, taxRate: 0, currency: 'eur' }).price_incl).toBe('-0.001')
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
