import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyDigits, fromMinor, isCurrency, toMinor } from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'

const stripe = { digits: { isk: 2, ugx: 2, mga: 0 } }

describe('minor units', () => {
  test.each<[string, string, number, { digits?: Record<string, number> }?]>([
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

  test.each<
    [string | number, string, { digits?: Record<string, number>; multiples?: Record<string, number> }?]
  >([
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

  test.each<[number | string, string, typeof stripe?]>([
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
