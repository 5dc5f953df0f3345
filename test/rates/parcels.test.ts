import { expect, test } from 'vitest'
import type { Quote } from '../../src/contract/index.ts'
import { type ParcelRules, parcelsOf } from '../../src/rates/parcels.ts'
import { convertVolume, convertWeight, type Units } from '../../src/rates/units.ts'

const units: Units = { weight: 'g', volume: 'cm3' }
const of = (
  weight: number | undefined,
  volume: number | undefined,
  rules: Partial<ParcelRules> = {},
  stated = units,
) => parcelsOf({ weight, volume } as Quote, stated, { unit: 'kg', ...rules })

test.each([
  ['1500', 'g', 'kg', '1.5'],
  ['1', 'lb', 'g', '453.59237'],
  ['1', 'lb', 'oz', '16'],
  ['0.1', 'kg', 'mg', '100000'],
  ['1', 'oz', 'lb', '0.0625'],
] as const)('%s %s in %s is %s', (amount, from, to, expected) => {
  expect(convertWeight(amount, from, to)).toBe(expected)
})

test.each([
  [1, 'm3', 'l', '1000'],
  [1, 'l', 'cm3', '1000'],
  [1, 'in3', 'mm3', '16387.064'],
] as const)('%i %s in %s is %s', (amount, from, to, expected) => {
  expect(convertVolume(amount, from, to)).toBe(expected)
})

test('the larger of weight and volumetric weight is charged', () => {
  expect(of(2_000, 20_000, { volumetricDivisor: 5000 })).toMatchObject({
    volumetric: '4',
    chargeable: '4',
    count: 1,
    each: '4',
  })
  expect(of(9_000, 20_000, { volumetricDivisor: 5000 })).toMatchObject({ volumetric: '4', chargeable: '9' })
  expect(of(2_000, undefined, { volumetricDivisor: 5000 })).toMatchObject({
    volumetric: undefined,
    chargeable: '2',
  })
  expect(of(2_000, 20_000)).toMatchObject({ volumetric: undefined, chargeable: '2' })
})

test('what is heavier than a parcel goes in equal parcels', () => {
  expect(of(30_000, undefined, { maxWeight: 30 })).toMatchObject({ count: 1, each: '30' })
  expect(of(30_001, undefined, { maxWeight: 30 })).toMatchObject({ count: 2, each: '15.0005' })
  expect(of(0, undefined, { maxWeight: 30 })).toMatchObject({ count: 1, each: '0' })
  expect(of(100_000, undefined, { maxWeight: 30 })).toMatchObject({ count: 4, each: '25' })
  expect(() => of(100_000, undefined, { maxWeight: 30, maxParcels: 3 })).toThrow(
    '4 parcels, and at most 3 are allowed',
  )
})

test.each([
  [undefined, undefined, 'the quote has no weight'],
  [-1, undefined, 'quote.weight is negative or too large'],
  [1e15, undefined, 'quote.weight is negative or too large'],
  [1, -1, 'quote.volume is negative or too large'],
])(
  "a quote of weight %s and volume %s cannot be weighed, and that is nobody else's failure",
  (weight, volume, message) => {
    expect(() => of(weight, volume, { volumetricDivisor: 5000 })).toThrow(message)
    expect(() => of(weight, volume, { volumetricDivisor: 5000 })).toThrow(
      expect.objectContaining({ name: 'NotQuotable' }),
    )
  },
)

test('what nobody has stated is not guessed', () => {
  expect(() => of(1, undefined, {}, {})).toThrow("the shop's unit of weight is not set")
  expect(() => of(1, 1, { volumetricDivisor: 5000 }, { weight: 'g' })).toThrow("units: { volume: 'cm3' }")
})
