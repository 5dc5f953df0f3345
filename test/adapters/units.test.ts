import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  convertLength,
  convertVolume,
  convertWeight,
  lengthUnits,
  volumeOfWeight,
  volumetricFaults,
  volumetricWeight,
  volumeUnits,
  weightUnits,
} from '../../src/adapters/units.ts'
import { forAll, forRuns } from '../for-all.ts'

const grams: Record<string, string> = { mg: '0.001', g: '1', kg: '1000', oz: '28.349523125', lb: '453.59237' }

/** The same by decimals only. */
function byDecimals(amount: number, from: string, to: string): string {
  const text = new Big(amount).times(grams[from]!).div(grams[to]!).toFixed(10)
  return text.replace(/\.?0+$/, '').replace(/^-0$/, '0') || '0'
}

describe('units', () => {
  test('converts whole and broken weights as decimals do', () => {
    const amount = fc.oneof(
      fc.nat(100_000),
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.nat(9_999_999).map((thousandths) => thousandths / 1000),
    )
    const unit = fc.constantFrom(...weightUnits)
    forRuns(2_000, amount, unit, unit, (weight, from, to) => {
      expect(convertWeight(weight, from, to)).toBe(byDecimals(weight, from, to))
    })
  })

  test.each([
    [1500, 'g', 'kg', '1.5'],
    [1, 'mg', 'kg', '0.000001'],
    [7, 'g', 'g', '7'],
    [0, 'g', 'kg', '0'],
    [3, 'kg', 'mg', '3000000'],
    [123_456_789_012_345, 'g', 'kg', '123456789012.345'],
    [999_999_999_999_999, 'mg', 'kg', '999999999.999999'],
    ['1500', 'g', 'kg', '1.5'],
    [16, 'oz', 'lb', '1'],
  ] as const)('%s %s are %s', (amount, from, to, converted) => {
    expect(convertWeight(amount, from, to)).toBe(converted)
  })

  test.each([
    [1, 'm3', 'l', '1000'],
    [1, 'l', 'cm3', '1000'],
    [1, 'in3', 'mm3', '16387.064'],
  ] as const)('%s %s of volume are %s', (amount, from, to, converted) => {
    expect(convertVolume(amount, from, to)).toBe(converted)
  })

  test('there and back is the same for every pair of units', () => {
    for (const from of volumeUnits)
      for (const to of volumeUnits)
        if (from !== 'in3' && to !== 'in3')
          expect(convertVolume(convertVolume(40_000, from, to), to, from)).toBe('40000')
    for (const from of lengthUnits) expect(convertLength(10, from, from)).toBe('10')
    expect(convertLength(12, 'in', 'ft')).toBe('1')
  })

  test.each(['', 'abc', '0x10', Number.NaN, 1e15])('refuses %j', (amount) => {
    expect(() => convertWeight(amount, 'g', 'kg')).toThrow(TypeError)
  })
})

test.each([
  [60_000, 'cm3', { unit: 'kg', volumetricDivisor: 5000 }, '12'],
  [60_000, 'cm3', { unit: 'g', volumetricDivisor: 5000, volumetricUnit: 'cm3/kg' }, '12000'],
  [1390, 'in3', { unit: 'lb', volumetricDivisor: 139, volumetricUnit: 'in3/lb' }, '10'],
  [1390, 'in3', { unit: 'kg', volumetricDivisor: 139, volumetricUnit: 'in3/lb' }, '4.5359237'],
  [60_000, 'cm3', { unit: 'kg' }, undefined],
] as const)('%i %s by %j is %s', (volume, shop, rules, weight) => {
  expect(volumetricWeight(volume, shop, rules)).toBe(weight)
})

test.each([
  [{ volumetricDivisor: 5000 }, []],
  [{ volumetricDivisor: 139, volumetricUnit: 'in3/lb' }, []],
  [
    { volumetricDivisor: 139 },
    [
      "volumetricDivisor is not between 1000 and 10000 cubic centimetres per kilogram: for cubic inches per pound set volumetricUnit: 'in3/lb'",
    ],
  ],
  [
    { volumetricDivisor: 5, volumetricUnit: 'cm3/kg' },
    ['volumetricDivisor is not between 1000 and 10000 cubic centimetres per kilogram'],
  ],
  [
    { volumetricDivisor: 5000, volumetricUnit: 'in3/lb' },
    [
      "volumetricDivisor is not between 28 and 280 cubic inches per pound: for cubic centimetres per kilogram set volumetricUnit: 'cm3/kg'",
    ],
  ],
  [{ volumetricUnit: 'in3/lb' }, ['volumetricDivisor is missing: volumetricUnit is its unit']],
  [{ volumetricDivisor: 139, volumetricUnit: 'in3' }, ["volumetricUnit must be 'cm3/kg' or 'in3/lb'"]],
] as const)('%j', (rules, faults) => {
  expect(volumetricFaults(rules as never).map(({ at, message }) => `${at} ${message}`)).toEqual(faults)
})

test('the volume of a weight has that weight', () => {
  const rules = fc.constantFrom(
    { unit: 'kg', volumetricDivisor: 5000 } as const,
    { unit: 'lb', volumetricDivisor: 139, volumetricUnit: 'in3/lb' } as const,
    { unit: 'g', volumetricDivisor: 166, volumetricUnit: 'in3/lb' } as const,
  )
  forAll(
    rules,
    fc.constantFrom('cm3', 'l', 'in3'),
    fc.integer({ min: 1, max: 100_000 }),
    (rule, shop, weight) => {
      expect(Number(volumetricWeight(volumeOfWeight(weight, shop, rule), shop, rule))).toBeCloseTo(weight, 2)
    },
  )
})
