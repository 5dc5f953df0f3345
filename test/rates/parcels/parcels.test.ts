import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Units } from '../../../src/adapters/units.ts'
import type { Quote } from '../../../src/contract/index.ts'
import type { ParcelRules } from '../../../src/rates/parcels/parcel-rules.ts'
import { parcelsOf } from '../../../src/rates/parcels/parcels.ts'
import { forRuns } from '../../for-all.ts'

const units: Units = { weight: 'g', volume: 'cm3' }
const withLength: Units = { ...units, length: 'mm' }
const byVolume = { volumetricDivisor: 5000 }

const measured = (quote: object, rules: Partial<ParcelRules> = {}, stated = withLength) =>
  parcelsOf({ products: [] as object[], ...quote } as Quote, stated, { unit: 'kg', ...rules })

/** The same of a cart whose weight is that of its products. */
function cart(products: object[], rules: Partial<ParcelRules>, stated = withLength) {
  const lines = products as { quantity?: number; weight?: number }[]
  const weight = lines.reduce((sum, one) => sum + (one.quantity ?? 1) * (one.weight ?? 0), 0)
  return measured({ weight, products }, rules, stated)
}

test.each([
  [2_000, 20_000, byVolume, '4', '4', []],
  [9_000, 20_000, byVolume, '4', '9', []],
  [2_000, 20_000, {}, undefined, '2', []],
  [2_000, undefined, byVolume, undefined, '2', ['volume']],
  [2_000, 0, byVolume, undefined, '2', ['volume']],
])(
  'the larger of weight and volumetric weight is charged: %i g, %i cm3, %j',
  (weight, volume, rules, volumetric, chargeable, unknown) => {
    const found = { volumetric, chargeable, unknown, count: 1, each: chargeable }
    expect(measured({ weight, volume }, rules)).toMatchObject(found)
  },
)

test.each([
  [30_000, 1, '30'],
  [30_001, 2, '15.0005'],
  [0, 1, '0'],
  [100_000, 4, '25'],
])('what is heavier than a parcel goes in equal parcels: %i g', (weight, count, each) => {
  expect(measured({ weight }, { maxWeight: 30 })).toMatchObject({ count, each })
})

test('more parcels than are allowed are none', () => {
  const tooMany = '4 parcels, and at most 3 are allowed'
  expect(() => measured({ weight: 100_000 }, { maxWeight: 30, maxParcels: 3 })).toThrow(tooMany)
  expect(() => measured({ weight: 40_000, colli: 4 }, { maxParcels: 3 })).toThrow(tooMany)
})

test.each<[object, string]>([
  [{ weight: undefined }, 'the quote has no weight'],
  [{ weight: -1 }, 'quote.weight is negative or too large'],
  [{ weight: 1e15 }, 'quote.weight is negative or too large'],
  [{ weight: 1, volume: -1 }, 'quote.volume is negative or too large'],
  [{ weight: 1, colli: -1 }, 'quote.colli is negative or too large'],
  [
    { weight: 1, products: [{ size_x: '864084047', size_y: '1', size_z: '1975231502' }] },
    'the sizes of quote.products[0] are too large',
  ],
  [{ weight: 0, products: [{ weight: 9e14, quantity: 9e3 }] }, 'the weight of the products is too large'],
  [{ weight: 1, products: [{ volume: 9e14, quantity: 9e3 }, {}] }, 'the volume of the products is too large'],
])('%j cannot be weighed, which is the fault of the cart', (quote, message) => {
  const measure = () => measured(quote, byVolume, { ...withLength, products: 'piece' })
  expect(measure).toThrow(expect.objectContaining({ name: 'NotQuotable', message }))
})

test('what nobody has stated is not guessed', () => {
  const quote = { weight: 1, volume: 1 }
  expect(() => measured(quote, {}, {})).toThrow("the shop's unit of weight is not set")
  expect(() => measured(quote, byVolume, { weight: 'g' })).toThrow("units: { volume: 'cm3' }")
})

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
  const total = (product: object) =>
    measured({ weight: 45_000, products: [product] }, { maxWeight: 30 }, units)
  expect(() => total({})).toThrow('quote.products[0] is heavier than 30 kg')
  expect(total({ quantity: 2 })).toMatchObject({ count: 2, each: '22.5', unknown: ['weights of products'] })
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
  const short = { maxLength: 10, lengthUnit: 'cm' } as const
  const packed = cart([{ weight: 900, size_x: '0', size_y: '0', size_z: '0' }], short)
  expect(packed).toMatchObject({ count: 1, unknown: ['sizes'] })
  expect(() => cart([{ weight: 900 }], short, units)).toThrow("units: { length: 'mm' }")
})

test.each([
  ['2000', '2'],
  ['0', '0'],
  ['1234.5678', '1.2345678'],
])(
  'a cart of %s g whose products nobody listed is one parcel, also where sizes are limited',
  (weight, each) => {
    const packed = measured({ weight: Number(weight) }, { maxLength: 100, lengthUnit: 'cm', maxWeight: 30 })
    const whole = { actual: each, volumetric: undefined, chargeable: each }
    expect(packed).toMatchObject({ ...whole, count: 1, each, list: [whole] })
    expect(packed.unknown).toContain('sizes')
  },
)

test('the volume of products is computed from their sizes, and parcels are charged one by one', () => {
  const box = { size_x: '400', size_y: '300', size_z: '250' }
  const packed = cart([{ quantity: 3, weight: 1_000, ...box }], { volumetricDivisor: 5000, maxWeight: 15 })
  expect(packed).toMatchObject({ actual: '3', volumetric: '18', count: 2, each: '12', chargeable: '18' })
  const small = cart([{ quantity: 3, weight: 1_000, ...box }], { volumeUnit: 'l', maxVolume: 60 })
  expect(small.list.map(({ pieces }) => pieces)).toEqual([2, 1])
})

test('rules that conflict are the fault of the adapter', () => {
  expect(() => measured({ weight: 1 }, { maxWeight: 0 })).toThrow(
    expect.objectContaining({
      code: 'CONFIGURATION_INVALID',
      message: 'The rules of parcels: maxWeight must be above 0',
    }),
  )
})

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
    const found = { count, each, chargeable: '6', unknown: [] }
    expect(measured({ weight: 6_000, colli: 5, products })).toMatchObject(found)
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
  const packages = { colli: 2, products: [{ weight: 40_000, quantity: 1 }] }
  expect(measured({ weight: 40_000, ...packages }, { maxWeight: 30 })).toMatchObject({ count: 2, each: '20' })
  const large = { weight: 4_000, volume: 80_000, colli: 2 }
  expect(measured(large, { volumeUnit: 'l', maxVolume: 50 }).count).toBe(2)
})

test('where nothing says whether colli are those of the line, the fewer count, and that is noted', () => {
  const products = [{ weight: 3_000, colli: 3, quantity: 2 }]
  const unknown = ['colli']
  expect(measured({ weight: 6_000, products })).toMatchObject({ count: 3, each: '2', unknown })
  expect(measured({ weight: 6_000, colli: 4, products })).toMatchObject({ count: 4, unknown })
  const known = measured({ weight: 6_000, products }, {}, { weight: 'g', products: 'piece' })
  expect(known).toMatchObject({ count: 6, unknown: [] })
})

const box = { size_x: '400', size_y: '300', size_z: '500' }

test.each<[object, string[]]>([
  [{ volume: 0, products: [box, {}] }, ['volume']],
  [{ volume: 1, products: [box, {}] }, ['volume']],
  [{ volume: 1, products: [box] }, []],
  [{ products: [{ volume: 60_000 }, {}] }, ['volume']],
])('known volumes count where others are unknown: %j', (quote, unknown) => {
  const found = { volumetric: '12', chargeable: '12', unknown }
  expect(measured({ weight: 3_500, ...quote }, byVolume)).toMatchObject(found)
})

test('they count in each of several parcels', () => {
  const mixed = { weight: 20_000, volume: 0, products: [box, {}] }
  expect(measured(mixed, { ...byVolume, maxWeight: 12 })).toMatchObject({
    ...{ count: 2, volumetric: '12', chargeable: '22' },
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

test('a part of a package is one', () => {
  expect(measured({ weight: 6_000, colli: 0.5 }, { maxWeight: 5 })).toMatchObject({ count: 2, each: '3' })
})

test('a divisor in cubic inches per pound', () => {
  const inches: Units = { weight: 'lb', volume: 'in3' }
  const rules = { unit: 'lb', volumetricDivisor: 139, volumetricUnit: 'in3/lb' } as const
  const found = { volumetric: '10', chargeable: '10' }
  expect(measured({ weight: 2, volume: 1390 }, rules, inches)).toMatchObject(found)
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
    const lines = products.map(({ size, ...one }) => {
      const side = `${size}`
      return { ...one, size_x: side, size_y: side, size_z: side }
    })
    const rules = { ...byVolume, maxWeight }
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
