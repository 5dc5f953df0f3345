import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyDigits, formatMoney, roundToCurrency, sameMoney, unitFault } from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'

describe('currencyDigits', () => {
  test.each([
    ['eur', 2],
    ['EUR', 2],
    ['jpy', 0],
    ['kwd', 3],
    ['xyz', 2],
  ])('%s has %i', (currency, digits) => {
    expect(currencyDigits(currency)).toBe(digits)
    expect(currencyDigits(currency)).toBe(digits)
  })

  test.each(['', 'eu', 'euro', '€', 'e1r', undefined, null, ['eur'], 978])('refuses %j', (currency) => {
    expect(() => currencyDigits(currency as string)).toThrow(TypeError)
  })
})

describe('roundToCurrency', () => {
  test.each([
    ['6.045', 'eur', '6.05'],
    ['6.0449999999', 'eur', '6.04'],
    [1.005, 'eur', '1.01'],
    ['5', 'eur', '5.00'],
    ['5', 'jpy', '5'],
    ['4.5', 'jpy', '5'],
    ['0.4999', 'jpy', '0'],
    ['1.0005', 'kwd', '1.001'],
    ['-6.045', 'eur', '-6.05'],
    ['-0.001', 'eur', '0.00'],
    [-0, 'jpy', '0'],
  ])('rounds half up, away from 0: %j %s is %s', (amount, currency, rounded) => {
    expect(roundToCurrency(amount, currency)).toBe(rounded)
  })

  test('leaves what is rounded as it is', () => {
    forAll(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((thousandths) => thousandths / 1000),
      fc.constantFrom('eur', 'jpy', 'kwd'),
      (amount, currency) => {
        const rounded = roundToCurrency(amount, currency)
        expect(roundToCurrency(rounded, currency)).toBe(rounded)
        expect(rounded).not.toMatch(/^-0(\.0+)?$/)
      },
    )
  })

  test('refuses what is no amount and no currency', () => {
    expect(() => roundToCurrency('12,50', 'eur')).toThrow(TypeError)
    expect(() => roundToCurrency(Number.NaN, 'eur')).toThrow(TypeError)
    expect(() => roundToCurrency('12.50', 'euro')).toThrow(TypeError)
  })
})

describe('sameMoney', () => {
  const eur = (amount: string) => ({ amount, currency: 'eur' })

  test('is about the number, not its digits, and not about the case of the currency', () => {
    expect(sameMoney(eur('5'), eur('5.00'))).toBe(true)
    expect(sameMoney(eur('29.34'), { amount: '29.3400', currency: 'EUR' })).toBe(true)
    expect(sameMoney(eur('0'), eur('-0.00'))).toBe(true)
    expect(sameMoney(eur('5'), eur(' +5'))).toBe(true)
  })

  test('is false for another amount or another currency', () => {
    expect(sameMoney(eur('29.34'), eur('29.35'))).toBe(false)
    expect(sameMoney(eur('29.34'), eur('29.3400000001'))).toBe(false)
    expect(sameMoney(eur('29.34'), eur('-29.34'))).toBe(false)
    expect(sameMoney(eur('29.34'), { amount: '29.34', currency: 'usd' })).toBe(false)
  })

  test('refuses what is no amount, on either side', () => {
    expect(() => sameMoney(eur('12,50'), eur('12.50'))).toThrow(TypeError)
    expect(() => sameMoney(eur('12.50'), eur('1e21'))).toThrow(TypeError)
  })
})

describe('formatMoney', () => {
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

  test.each([
    ['29.34', 'eur', 'nl', '€ 29,34'],
    ['29.34', 'EUR', 'de', '29,34 €'],
    ['29.34', 'eur', 'en', '€29.34'],
    ['5', 'eur', 'en', '€5.00'],
    ['1250', 'jpy', 'en', '¥1,250'],
    ['1.5', 'kwd', 'en', 'KWD 1.500'],
    ['0', 'eur', 'en', '€0.00'],
    ['-5', 'eur', 'en', '-€5.00'],
    ['999999999999999.99', 'eur', 'en', '€999,999,999,999,999.99'],
  ])('writes %s %s in %s as %s', (amount, currency, language, text) => {
    expect(plain(formatMoney(amount, currency, language))).toBe(text)
  })

  test('shows a customer no NaN: what is no amount or no currency is a TypeError', () => {
    expect(() => formatMoney('12,50', 'eur', 'nl')).toThrow(TypeError)
    expect(() => formatMoney('', 'eur', 'nl')).toThrow(TypeError)
    expect(() => formatMoney('12.50', 'euro', 'nl')).toThrow(TypeError)
  })
})

test('a price below the smallest unit of its currency is a fault, and 0 is none', () => {
  expect([unitFault(0.001, 'eur'), unitFault(0.4, 'jpy'), unitFault(0.0009, 'kwd')]).toEqual([
    'must be 0, or 0.01 eur or more',
    'must be 0, or 1 jpy or more',
    'must be 0, or 0.001 kwd or more',
  ])
  expect([unitFault(0, 'eur'), unitFault(0.01, 'eur'), unitFault(1, 'jpy'), unitFault(0.001, 'kwd')]).toEqual(
    Array.from({ length: 4 }),
  )
})
