import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  currencyDigits,
  decimal,
  formatMoney,
  fromMinor,
  isCurrency,
  readDecimal,
  roundToCurrency,
  sameMoney,
  toMinor,
  unitFault,
} from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'

describe('currencyDigits', () => {
  test('are those of a currency in any case, and 2 of an unknown one, also when it is asked again', () => {
    expect(['EUR', 'xyz', 'EUR', 'xyz'].map(currencyDigits)).toEqual([2, 2, 2, 2])
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

  test.each([
    ['5', '5.00', 'eur', true],
    ['29.34', '29.3400', 'EUR', true],
    ['0', '-0.00', 'eur', true],
    ['5', ' +5', 'eur', true],
    ['29.34', '29.35', 'eur', false],
    ['29.34', '29.3400000001', 'eur', false],
    ['29.34', '-29.34', 'eur', false],
    ['29.34', '29.34', 'usd', false],
  ])('is about the number and the currency: %s eur and %s %s', (one, amount, currency, same) => {
    expect(sameMoney(eur(one), { amount, currency })).toBe(same)
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

test.each([
  [0.001, 'eur', 'must be 0, or 0.01 eur or more'],
  [0.4, 'jpy', 'must be 0, or 1 jpy or more'],
  [0.0009, 'kwd', 'must be 0, or 0.001 kwd or more'],
  [0, 'eur', undefined],
  [0.01, 'eur', undefined],
  [1, 'jpy', undefined],
  [0.001, 'kwd', undefined],
])('a price of %d %s, below the smallest unit or not', (amount, currency, fault) => {
  expect(unitFault(amount, currency)).toBe(fault)
})

type Units = { digits?: Record<string, number>; multiples?: Record<string, number> }
const stripe: Units = { digits: { isk: 2, ugx: 2, mga: 0 } }

describe('minor units', () => {
  test.each<[string, string, number, Units?]>([
    ['12.50', 'eur', 1250],
    ['12.50', 'EUR', 1250],
    ['0.07', 'eur', 7],
    ['0.00', 'eur', 0],
    ['500', 'jpy', 500],
    ['1.250', 'kwd', 1250],
    ['0.0001', 'clf', 1],
    ['1.005', 'iqd', 1005],
    ['700.00', 'afn', 70000],
    ['500', 'isk', 500],
    ['500', 'isk', 50000, stripe],
    ['500', 'ugx', 50000, { digits: { UGX: 2 } }],
    ['500.00', 'mga', 500, stripe],
    ['2900.00', 'huf', 2900, { digits: { huf: 0 } }],
    ['12.50', 'eur', 1250, stripe],
  ])('%s %s is %i', (amount, currency, minor, units) => {
    expect(toMinor(amount, currency, units)).toBe(minor)
    expect(fromMinor(minor, currency, units)).toBe(amount)
    expect(fromMinor(BigInt(minor), currency, units)).toBe(amount)
    expect(fromMinor(String(minor), currency, units)).toBe(amount)
  })

  test('binary fractions do no harm', () => {
    expect(toMinor(19.99, 'eur')).toBe(1999)
    expect(toMinor(1.1 + 2.2, 'eur')).toBe(330)
  })

  test.each<[string | number, string, Units?]>([
    ['12.505', 'eur'],
    ['0.5', 'jpy'],
    ['500.50', 'mga', stripe],
    ['-1.00', 'eur'],
    ['999999999999999', 'kwd'],
    ['abc', 'eur'],
    [Number.NaN, 'eur'],
    ['1.00', 'abc'],
    ['1.00', 'euro'],
    ['1.00', 'eur', { digits: { eur: 7 } }],
    ['1.00', 'eur', { digits: { eur: 0.5 } }],
    ['1.255', 'kwd', { multiples: { kwd: 10 } }],
  ])('toMinor refuses %s %s', (amount, currency, units) => {
    expect(() => toMinor(amount, currency, units)).toThrow(TypeError)
  })

  test.each<[number | string, string, Units?]>([
    [12.5, 'eur'],
    [-1, 'eur'],
    [Number.NaN, 'eur'],
    [2 ** 53, 'eur'],
    ['12.5', 'eur'],
    ['', 'eur'],
    [1, 'abc'],
    [50050, 'isk', stripe],
  ])('fromMinor refuses %s %s', (minor, currency, units) => {
    expect(() => fromMinor(minor, currency, units)).toThrow(TypeError)
  })

  test('there and back again is the same amount', () => {
    forAll(
      fc.integer({ min: 0, max: 1_000_000_000_000 }),
      fc.constantFrom('eur', 'jpy', 'kwd', 'clf', 'usd'),
      (minor, currency) => {
        expect(toMinor(fromMinor(minor, currency), currency)).toBe(minor)
      },
    )
  })
})

describe('currencies', () => {
  test('every currency that Node knows as such is one', () => {
    const none = new Set(['XDR', 'XSU', 'XUA'])
    const unknown = Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code) && !none.has(code))
    expect(unknown).toEqual([])
  })

  test.each([
    ['bif byr clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf', 0],
    ['bhd iqd jod kwd lyd omr tnd', 3],
    ['clf uyw', 4],
    [
      'eur usd gbp sek nok dkk pln czk huf ron chf afn all amd cop idr irr lak lbp mga mmk rsd sos syp yer',
      2,
    ],
  ])('%s have %i digits', (codes, digits) => {
    for (const code of codes.split(' ')) {
      expect(currencyDigits(code), code).toBe(digits)
      expect(isCurrency(code), code).toBe(true)
    }
  })

  test('newer and older ones are currencies, made-up ones are not', () => {
    for (const code of ['XCG', 'ZWG', 'sle', 'VED', 'HRK', 'BGN']) expect(isCurrency(code), code).toBe(true)
    for (const code of ['abc', 'euro', '', '€', 'XAU', 'xxx', 'xts', undefined, 978])
      expect(isCurrency(code)).toBe(false)
  })
})

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

  test('refuses whatever is no number, or has more digits than are exact', () => {
    const texts = '|   |1 000|NaN|Infinity|1e21|1e3|12,50|1.2.3|1.000,00|0x10|.5|--5|１２'.split('|')
    const numbers = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21, 1e15]
    const others = [true, null, undefined, [5], { valueOf: () => 5 }, 5n]
    // 16 digits, what would round up to 16, 41 characters, and a megabyte.
    const long = [
      '1234567890123456',
      '999999999999999.99999999999',
      `0.${'0'.repeat(38)}1`,
      '9'.repeat(1_000_000),
    ]
    for (const value of [...texts, ...numbers, ...others, ...long])
      expect(readDecimal(value), String(value).slice(0, 50)).toBeUndefined()
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
