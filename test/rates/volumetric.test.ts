import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volumeOfWeight, volumetricFaults, volumetricWeight } from '../../src/rates/volumetric.ts'
import { forAll } from '../for-all.ts'

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
