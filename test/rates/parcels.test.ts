import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Quote } from '../../src/contract/index.ts'
import { type ParcelRules, parcelsOf } from '../../src/rates/parcels.ts'
import { convertVolume, convertWeight, type Units } from '../../src/rates/units.ts'
import { forRuns } from '../for-all.ts'

const units: Units = { weight: 'g', volume: 'cm3' }
const of = (
  weight: number | undefined,
  volume: number | undefined,
  rules: Partial<ParcelRules> = {},
  stated = units,
) => parcelsOf({ weight, volume, products: [] as object[] } as Quote, stated, { unit: 'kg', ...rules })

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

const cart = (
  products: object[],
  rules: Partial<ParcelRules>,
  stated: Units = { ...units, length: 'mm' },
) => {
  const lines = products as { quantity?: number; weight?: number }[]
  const weight = lines.reduce((sum, one) => sum + (one.quantity ?? 1) * (one.weight ?? 0), 0)
  return parcelsOf({ weight, products } as Quote, stated, { unit: 'kg', ...rules })
}

test('products are packed whole', () => {
  const packed = cart([{ quantity: 2, weight: 14_000 }, { weight: 20_000 }], { maxWeight: 30 })
  expect(packed).toMatchObject({ count: 2, each: '28', chargeable: '48', actual: '48', unknown: [] })
  expect(packed.list.map(({ actual, pieces }) => [actual, pieces])).toEqual([
    ['28', 2],
    ['20', 1],
  ])
})

test('what cannot be divided is not divided', () => {
  expect(() => cart([{ weight: 500 }, { weight: 45_000 }], { maxWeight: 30 })).toThrow(
    'quote.products[1] is heavier than 30 kg, and a product is never divided',
  )
  // Also where only the total is known.
  expect(() =>
    parcelsOf({ weight: 45_000, products: [{}] } as Quote, units, { unit: 'kg', maxWeight: 30 }),
  ).toThrow('quote.products[0] is heavier than 30 kg')
  const half = parcelsOf({ weight: 45_000, products: [{ quantity: 2 }] } as Quote, units, {
    unit: 'kg',
    maxWeight: 30,
  })
  expect(half).toMatchObject({ count: 2, each: '22.5', unknown: ['weights of products'] })
})

test('a product of several packages is as many parcels', () => {
  const packed = cart([{ weight: 24_000, colli: 2 }, { weight: 3_000 }], {})
  expect(packed).toMatchObject({ count: 3, each: '12', chargeable: '27' })
})

test.each<[object, string | undefined]>([
  [{ size_x: '900', size_y: '200', size_z: '100' }, undefined],
  [{ size_x: '200', size_y: '1001', size_z: '100' }, 'is over maxLength 100 cm'],
  [{ size_x: '400', size_y: '400', size_z: '400' }, 'is over maxGirth 150 cm'],
  [{ size_x: '950', size_y: '400', size_z: '330' }, 'is over maxLengthAndGirth 200 cm'],
])('sizes of %j', (product, message) => {
  const rules = { lengthUnit: 'cm', maxLength: 100, maxGirth: 150, maxLengthAndGirth: 200 } as const
  const measure = () => cart([{ weight: 1_000 }, { weight: 900, ...product }], rules).count
  if (message) expect(measure).toThrow(`quote.products[1] ${message}, and a product is never divided`)
  else expect(measure()).toBe(1)
})

test('sizes that nobody filled in are unknown, and no limit', () => {
  const packed = cart([{ weight: 900, size_x: '0', size_y: '0', size_z: '0' }], {
    maxLength: 10,
    lengthUnit: 'cm',
  })
  expect(packed).toMatchObject({ count: 1, unknown: ['sizes'] })
  expect(() => cart([{ weight: 900 }], { maxLength: 10, lengthUnit: 'cm' }, units)).toThrow(
    "units: { length: 'mm' }",
  )
})

test.each([
  ['2000', '2'],
  ['0', '0'],
  ['1234.5678', '1.2345678'],
])(
  'a cart of %s g whose products nobody listed is one parcel, also where sizes are limited',
  (weight, each) => {
    const rules = { maxLength: 100, lengthUnit: 'cm', maxWeight: 30 } as const
    const packed = of(Number(weight), undefined, rules, { ...units, length: 'mm' })
    const whole = { actual: each, volumetric: undefined, chargeable: each }
    expect(packed).toMatchObject({ ...whole, count: 1, each, list: [whole] })
    expect(packed.unknown).toContain('sizes')
  },
)

test.each([undefined, 0])('a volume of %s is unknown', (volume) => {
  const packed = parcelsOf({ weight: 2_000, volume, products: [] as object[] } as Quote, units, {
    unit: 'kg',
    volumetricDivisor: 5000,
  })
  expect(packed).toMatchObject({ volumetric: undefined, chargeable: '2', unknown: ['volume'] })
})

test('the volume of products is computed from their sizes, and parcels are charged one by one', () => {
  const box = { size_x: '400', size_y: '300', size_z: '250' }
  const packed = cart([{ quantity: 3, weight: 1_000, ...box }], { volumetricDivisor: 5000, maxWeight: 15 })
  expect(packed).toMatchObject({ actual: '3', volumetric: '18', count: 2, each: '12', chargeable: '18' })
  const small = cart([{ quantity: 3, weight: 1_000, ...box }], { volumeUnit: 'l', maxVolume: 60 })
  expect(small.list.map(({ pieces }) => pieces)).toEqual([2, 1])
})

test('rules that conflict are the fault of the adapter', () => {
  expect(() => of(1, undefined, { maxWeight: 0 })).toThrow(
    expect.objectContaining({
      code: 'CONFIGURATION_INVALID',
      message: 'The rules of parcels: maxWeight must be above 0',
    }),
  )
})

const measured = (
  quote: object,
  rules: Partial<ParcelRules> = {},
  stated: Units = { ...units, length: 'mm' },
) => parcelsOf({ products: [] as object[], ...quote } as Quote, stated, { unit: 'kg', ...rules })

test.each<[string, object, number, string]>([
  ['without products', { products: [] }, 5, '1.2'],
  ['of one product', { products: [{ weight: 6_000 }] }, 5, '1.2'],
  ['of two products', { products: [{ weight: 2_000 }, { weight: 4_000 }] }, 5, '1.2'],
  ['of five pieces, which they may count', { products: [{ weight: 1_200, quantity: 5 }] }, 1, '6'],
  ['of products that are packages', { products: [{ weight: 6_000, colli: 5 }] }, 5, '1.2'],
  ['of a product with fewer packages', { products: [{ weight: 6_000, colli: 2 }] }, 5, '1.2'],
])(
  'five packages of a cart %s are as many parcels',
  (_what, { products }: { products?: object[] }, count, each) => {
    expect(measured({ weight: 6_000, colli: 5, products })).toMatchObject({
      count,
      each,
      chargeable: '6',
      unknown: [],
    })
  },
)

test.each<[string, object[], object, number]>([
  ['pieces', [3, 2, 5].map((colli) => ({ quantity: colli, weight: 1_000, colli })), {}, 1],
  ['packages', [3, 2, 5].map((colli) => ({ weight: 6_000, colli })), {}, 10],
  ['packages of each piece', [{ quantity: 5, weight: 3_600, colli: 2 }], {}, 10],
  [
    'packages, by the word of the shop',
    [{ quantity: 5, weight: 3_600, colli: 2 }],
    { products: 'piece' },
    10,
  ],
])('beside lines whose %s are all of the quote, one without colli is none', (_, products, stated, count) => {
  const all = (more: object[]) =>
    measured(
      { weight: 18_000, colli: 10, products: [...products, ...more] },
      { maxWeight: 30 },
      { ...units, ...stated },
    )
  const least = all([])
  expect(least).toMatchObject({ count, unknown: [] })
  for (const more of [{ weight: 0, colli: 0 }, { weight: 0 }, { weight: 0, quantity: 2 }])
    expect(all([more])).toMatchObject({ count, each: least.each })
})

test('a line without colli has a weight beside packages too, and is one of them where the quote says so', () => {
  const products = [{ weight: 4_000, colli: 2 }, { weight: 500 }]
  expect(measured({ weight: 4_500, colli: 2, products })).toMatchObject({ count: 2, each: '2.5' })
  expect(measured({ weight: 4_500, colli: 3, products })).toMatchObject({ count: 3, each: '2' })
  expect(measured({ weight: 4_500, colli: 2, products }, { maxWeight: 2.2 }).count).toBe(3)
})

test('packages of the whole cart may divide its one product', () => {
  const product = { weight: 40_000, quantity: 1 }
  expect(measured({ weight: 40_000, colli: 2, products: [product] }, { maxWeight: 30 })).toMatchObject({
    count: 2,
    each: '20',
  })
  expect(() => measured({ weight: 40_000, colli: 4 }, { maxParcels: 3 })).toThrow(
    '4 parcels, and at most 3 are allowed',
  )
  expect(
    measured({ weight: 4_000, volume: 80_000, colli: 2 }, { volumeUnit: 'l', maxVolume: 50 }),
  ).toMatchObject({ count: 2 })
})

test('where nothing says whether colli are those of the line, the fewer count, and that is noted', () => {
  const product = { weight: 3_000, colli: 3, quantity: 2 }
  expect(measured({ weight: 6_000, products: [product] })).toMatchObject({
    count: 3,
    each: '2',
    unknown: ['colli'],
  })
  expect(measured({ weight: 6_000, colli: 4, products: [product] })).toMatchObject({
    count: 4,
    unknown: ['colli'],
  })
  const known = { weight: 'g', products: 'piece' } as const
  expect(measured({ weight: 6_000, products: [product] }, {}, known)).toMatchObject({ count: 6, unknown: [] })
})

const box = { size_x: '400', size_y: '300', size_z: '500' }

test('known volumes count where others are unknown', () => {
  const rules = { volumetricDivisor: 5000 }
  const mixed = { weight: 3_500, volume: 0, products: [box, {}] }
  expect(measured(mixed, rules)).toMatchObject({ volumetric: '12', chargeable: '12', unknown: ['volume'] })
  expect(measured({ ...mixed, volume: 1 }, rules)).toMatchObject({ chargeable: '12', unknown: ['volume'] })
  expect(measured({ weight: 3_500, volume: 1, products: [box] }, rules)).toMatchObject({
    chargeable: '12',
    unknown: [],
  })
  expect(measured({ weight: 3_500, products: [{ volume: 60_000 }, {}] }, rules)).toMatchObject({
    chargeable: '12',
    unknown: ['volume'],
  })
  const split = measured({ ...mixed, weight: 20_000 }, { ...rules, maxWeight: 12 })
  expect(split).toMatchObject({
    count: 2,
    volumetric: '12',
    chargeable: '22',
    unknown: ['volume', 'weights of products'],
  })
})

test('a weight of 0 is unknown, and the known weights of products count', () => {
  expect(measured({ weight: 0, products: [{}] })).toMatchObject({ chargeable: '0', unknown: ['weight'] })
  expect(measured({ weight: 0 })).toMatchObject({ chargeable: '0', unknown: ['weight'] })
  const light = { weight: 0, products: [{ weight: 5_000, quantity: 2 }, {}] }
  expect(measured(light)).toMatchObject({ actual: '5', chargeable: '5', unknown: ['weight'] })
  expect(measured(light, {}, { weight: 'g', products: 'piece' })).toMatchObject({ chargeable: '10' })
  expect(measured(light, { maxWeight: 4 })).toMatchObject({ count: 2, each: '2.5' })
})

test.each<[object, string]>([
  [{ weight: 1, colli: -1 }, 'quote.colli is negative or too large'],
  [
    { weight: 1, products: [{ size_x: '864084047', size_y: '1', size_z: '1975231502' }] },
    'the sizes of quote.products[0] are too large',
  ],
  [{ weight: 0, products: [{ weight: 9e14, quantity: 9e3 }] }, 'the weight of the products is too large'],
  [{ weight: 1, products: [{ volume: 9e14, quantity: 9e3 }, {}] }, 'the volume of the products is too large'],
])('%j is the fault of the cart', (quote, message) => {
  const measure = () =>
    measured(quote, { volumetricDivisor: 5000 }, { ...units, length: 'mm', products: 'piece' })
  expect(measure).toThrow(expect.objectContaining({ name: 'NotQuotable', message }))
})

test('a part of a package is one', () => {
  expect(measured({ weight: 6_000, colli: 0.5 }, { maxWeight: 5 })).toMatchObject({ count: 2, each: '3' })
})

test('a divisor in cubic inches per pound', () => {
  const inches: Units = { weight: 'lb', volume: 'in3' }
  const rules = { unit: 'lb', volumetricDivisor: 139, volumetricUnit: 'in3/lb' } as const
  expect(measured({ weight: 2, volume: 1390 }, rules, inches)).toMatchObject({
    volumetric: '10',
    chargeable: '10',
  })
  expect(() => measured({ weight: 2, volume: 1390 }, { unit: 'lb', volumetricDivisor: 139 }, inches)).toThrow(
    "for cubic inches per pound set volumetricUnit: 'in3/lb'",
  )
})

test('whatever is known of a cart is never charged as less', () => {
  const product = fc.record({
    weight: fc.option(fc.integer({ min: 0, max: 9_000 }), { nil: undefined }),
    volume: fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined }),
    quantity: fc.integer({ min: 1, max: 4 }),
    size: fc.integer({ min: 0, max: 600 }),
  })
  const quote = fc.record({
    weight: fc.integer({ min: 0, max: 40_000 }),
    volume: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
    colli: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    products: fc.array(product, { maxLength: 5 }),
  })
  forRuns(500, quote, fc.constantFrom(undefined, 1000), ({ products, ...cart }, maxWeight) => {
    const lines = products.map(({ size, ...one }) => ({
      ...one,
      size_x: `${size}`,
      size_y: `${size}`,
      size_z: `${size}`,
    }))
    const rules = { volumetricDivisor: 5000, maxWeight }
    const found = measured({ ...cart, products: lines }, rules)
    expect(Number(found.actual)).toBeGreaterThanOrEqual(cart.weight / 1000)
    const volume = cart.volume || 0
    const sizes =
      products.reduce((sum, { size, quantity, volume: own }) => sum + (own ? 0 : quantity * size ** 3), 0) /
      1000
    const least = Math.max(cart.weight / 1000, volume / 5000, Math.floor(sizes) / 5000)
    expect(Number(found.chargeable)).toBeGreaterThanOrEqual(least - 0.01)
    // A figure more, and it is charged as at least as much.
    const unsized = measured({ ...cart, products: lines.map(({ size_x: _, ...one }) => one) }, rules)
    expect(Number(found.chargeable)).toBeGreaterThanOrEqual(Number(unsized.chargeable) - 0.01)
    const pieces = products.reduce((sum, { quantity }) => sum + quantity, 0)
    const { colli = 0 } = cart
    if (colli !== pieces && colli !== products.length) expect(found.count).toBeGreaterThanOrEqual(colli)
    const sum = found.list.reduce((all, { chargeable }) => all + Number(chargeable), 0)
    expect(sum).toBeCloseTo(Number(found.chargeable), 3)
  })
})
