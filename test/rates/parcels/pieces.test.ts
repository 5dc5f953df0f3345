import { expect, test } from 'vitest'
import type { Units } from '../../../src/adapters/units.ts'
import type { Quote } from '../../../src/contract/index.ts'
import { piecesOf } from '../../../src/rates/parcels/pieces.ts'

type Product = Partial<Quote['products'][number]>
const of = (products: Product[], quote: Partial<Quote> = {}, units: Units = {}) =>
  piecesOf({ ...quote, products } as Quote, { weight: 'g', volume: 'cm3', ...units })
const weights = (...given: Parameters<typeof of>) =>
  of(...given)!.pieces.map(({ count, weight }) => `${count} of ${weight}`)

test('the totals of the quote decide whether a figure is that of the piece or of the line', () => {
  const products = [
    { quantity: 3, weight: 300 },
    { quantity: 1, weight: 50 },
  ]
  expect(weights(products, { weight: 950 })).toEqual(['3 of 300', '1 of 50'])
  expect(weights(products, { weight: 350 })).toEqual(['3 of 100', '1 of 50'])
})

test('what the shop states counts, and the pieces add up to the total of the quote', () => {
  const products = [2, 1].map((quantity) => ({ quantity, weight: 100 + 100 * quantity }))
  const of = (by: 'piece' | 'line') => weights(products, { weight: 1_000 }, { products: by })
  expect(of('piece')).toEqual(['2 of 375', '1 of 250'])
  expect(of('line')).toEqual(['2 of 300', '1 of 400'])
})

test('weights that nothing explains are unknown, and all pieces count the same', () => {
  const unknown = of(
    [3, 1].map((quantity) => ({ quantity, weight: 100 * quantity })),
    { weight: 1_200 },
  )!
  expect(unknown.weighed).toBe(false)
  expect(unknown.pieces.map(({ weight }) => weight)).toEqual([300, 300])
  const pieces = [{ count: 2, weight: 250 }]
  expect(of([{ quantity: 2 }], { weight: 500 })).toMatchObject({ weighed: false, pieces })
})

test('a product of several packages is several pieces, each alone', () => {
  const pieces = (colli: number, ofAll: number) =>
    of([{ quantity: 2, weight: 30_000, colli }], { weight: 60_000, colli: ofAll })!.pieces
  expect(pieces(3, 6)).toMatchObject([{ count: 6, weight: 10_000, alone: true }])
  expect(pieces(2, 2)).toMatchObject([{ count: 2, alone: false }])
})

test('sides are sorted, and a size of 0 is unknown', () => {
  const sized = { size_x: '10', size_y: '30', size_z: '20' }
  const read = of([sized, { size_x: '0', size_y: '5' }], {}, { length: 'cm' })!
  expect(read.pieces.map(({ sides }) => sides)).toEqual([[300, 200, 100], [50]])
  expect(read.sized).toBe(false)
})

test('the volume is that of the product, of its sides, or a share of the quote', () => {
  const sides = { size_x: '100', size_y: '100', size_z: '100' }
  const volumes = (...given: Parameters<typeof of>) => of(...given)!.pieces.map(({ volume }) => volume)
  expect(volumes([{ volume: 700 }, sides], {}, { length: 'mm' })).toEqual([700, 1_000])
  expect(volumes([{ volume: 700 }, { volume: 0, ...sides }], {}, { length: 'mm' })).toEqual([700, 1_000])
  expect(volumes([{ weight: 1 }, { weight: 3 }], { weight: 4, volume: 8_000 })).toEqual([2_000, 6_000])
  expect(volumes([{ volume: 0 }], { volume: 0 })).toEqual([undefined])
})

test.each<[Product, string]>([
  [{ weight: -1 }, 'quote.products[0].weight is negative'],
  [{ size_y: '-3' }, 'quote.products[0].size_y is negative'],
  [{ colli: -2 }, 'quote.products[0].colli is negative'],
])('%j is refused by its place', (product, message) => {
  expect(() => of([product], { weight: 1 })).toThrow(message)
})
