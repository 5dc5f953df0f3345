import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimal, readDecimal } from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'

const digits = (from: number, to: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: from, maxLength: to })

describe('readDecimal', () => {
  test('a figure reads the same whether or not it is written with zeros and signs that say nothing', () => {
    forAll(digits(1, 15), digits(0, 10), (whole, fraction) => {
      const text = fraction === '' ? whole : `${whole}.${fraction}`
      // A sign and zeros in front are read by the patterns, which the usual way goes around.
      expect(readDecimal(text)).toBe(readDecimal(`+00${text}`))
    })
  })

  test.each([
    [29.34, '29.34'],
    ['29.34', '29.34'],
    ['29.3400', '29.34'],
    ['029.34', '29.34'],
    ['+29.34', '29.34'],
    [' 29.34\n', '29.34'],
    ['5.', '5'],
    [5, '5'],
    ['100', '100'],
    ['-12.50', '-12.5'],
    [0, '0'],
    [-0, '0'],
    ['0', '0'],
    ['000', '0'],
    ['-0.00', '0'],
    [1e-7, '0.0000001'],
    [0.0000001, '0.0000001'],
    [-1e-11, '0'],
    [999_999_999_999_999, '999999999999999'],
    ['999999999999999.9999999999', '999999999999999.9999999999'],
  ])('reads %j as %j', (value, canonical) => {
    expect(readDecimal(value)).toBe(canonical)
  })

  test.each([
    [29.339999999999996, '29.34'],
    ['29.339999999999996', '29.34'],
    ['24.793388429752066', '24.7933884298'],
    ['-24.793388429752066', '-24.7933884298'],
    [0.1 + 0.2, '0.3'],
    ['-0.00000000001', '0'],
  ])('rounds what a float left beyond the tenth digit after the point: %j is %j', (value, canonical) => {
    expect(readDecimal(value)).toBe(canonical)
  })

  test.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['1e21', 1e21],
    ['1e15', 1e15],
    ['the text NaN', 'NaN'],
    ['the text Infinity', 'Infinity'],
    ['the text 1e21', '1e21'],
    ['the text 1e3', '1e3'],
    ['16 digits', '1234567890123456'],
    ['what would round up to 16 digits', '999999999999999.99999999999'],
    ['41 characters', `0.${'0'.repeat(38)}1`],
    ['a megabyte of digits', '9'.repeat(1_000_000)],
    ['a comma', '12,50'],
    ['two points', '1.2.3'],
    ['thousands', '1.000,00'],
    ['hex', '0x10'],
    ['no whole part', '.5'],
    ['two signs', '--5'],
    ['a space inside', '1 000'],
    ['nothing', ''],
    ['blanks', '   '],
    ['other digits', '１２'],
    ['true', true],
    ['null', null],
    ['undefined', undefined],
    ['a list', [5]],
    ['an object', { valueOf: () => 5 }],
    ['a bigint', 5n],
  ])('refuses %s', (_name, value) => {
    expect(readDecimal(value)).toBeUndefined()
  })

  test('gives one string for one number, however it is written', () => {
    forAll(
      fc.constantFrom('', '-'),
      fc.integer({ min: 0, max: 99_999_999 }),
      digits(0, 6),
      fc.nat({ max: 4 }),
      fc.nat({ max: 4 }),
      (sign, whole, fraction, leading, trailing) => {
        const number = Number(`${sign}${whole}.${fraction}0`)
        const written = `${sign}${'0'.repeat(leading)}${whole}.${fraction}${'0'.repeat(trailing)}`
        expect(readDecimal(written)).toBe(readDecimal(number))
        expect(readDecimal(number.toFixed(6))).toBe(readDecimal(number))
        expect(Number(readDecimal(number))).toBe(number || 0)
      },
    )
  })

  test('gives different strings for different numbers of at most 15 digits', () => {
    const exact = fc
      .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.nat({ max: 999_999 }))
      .map(([whole, fraction]) => Number(`${whole}.${String(fraction).padStart(6, '0')}`))
    forAll(exact, exact, (one, other) => {
      expect(readDecimal(one) === readDecimal(other)).toBe(one === other)
    })
  })

  test('reads its own result as itself, for every number below 10^15', () => {
    forAll(fc.double({ min: -999_999_999_999_999, max: 999_999_999_999_999, noNaN: true }), (number) => {
      const read = readDecimal(number)
      expect(read).toMatch(/^(0|-?(0\.\d{0,9}[1-9]|[1-9]\d{0,14}(\.\d{0,9}[1-9])?))$/)
      expect(readDecimal(read)).toBe(read)
      expect(Math.abs(Number(read) - number)).toBeLessThan(5e-11 + Math.abs(number) * 2 ** -51)
    })
  })

  test('never throws', () => {
    forAll(fc.anything(), (value) => {
      expect(['string', 'undefined']).toContain(typeof readDecimal(value))
    })
  })
})

describe('decimal', () => {
  test('opens a decimal for exact arithmetic', () => {
    expect(decimal('0.1').plus('0.2').toFixed()).toBe('0.3')
    expect(decimal(0.1).times(3).eq('0.3')).toBe(true)
  })

  test.each(['12,50', '', 'NaN', '1e21', Number.NaN, Number.POSITIVE_INFINITY, 1e21])(
    'throws a TypeError that does not show the value for %j',
    (value) => {
      expect(() => decimal(value)).toThrow(
        new TypeError('decimal() takes a finite number or a decimal string such as "12.50"'),
      )
    },
  )
})
