import { expect, test } from 'vitest'
import { measuresOf, type ParcelRules, ruleFaults } from '../../../src/rates/parcels/parcel-rules.ts'

test.each<[Partial<ParcelRules>, string[]]>([
  [{ maxWeight: 30, maxLength: 100, lengthUnit: 'cm', maxLengthAndGirth: 300 }, []],
  [{ maxWeight: 0 }, ['maxWeight must be above 0']],
  [{ maxGirth: Number.NaN, lengthUnit: 'cm' }, ['maxGirth must be above 0']],
  [{ maxLength: 100 }, ['lengthUnit is missing: give the unit of maxLength']],
  [{ maxVolume: 60 }, ['volumeUnit is missing: give the unit of maxVolume']],
  [
    { volumetricDivisor: 139 },
    [
      "volumetricDivisor is not between 1000 and 10000 cubic centimetres per kilogram: for cubic inches per pound set volumetricUnit: 'in3/lb'",
    ],
  ],
  [{ maxParcels: 1.5 }, ['maxParcels must be a whole number']],
  [
    { maxLength: 200, maxLengthAndGirth: 150, lengthUnit: 'cm' },
    ['maxLengthAndGirth must be above maxLength, which it includes'],
  ],
])('%j', (rules, expected) => {
  expect(ruleFaults(rules).map(({ at, message }) => `${at} ${message}`)).toEqual(expected)
})

test('the measures that rules read', () => {
  expect(measuresOf({ maxWeight: 30 })).toEqual(['weight'])
  expect(measuresOf({ volumetricDivisor: 5000 })).toEqual(['weight', 'volume'])
  expect(measuresOf({ maxGirth: 300 })).toEqual(['weight', 'length'])
})
