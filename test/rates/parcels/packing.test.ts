import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack } from '../../../src/rates/parcels/packing.ts'
import type { Pieces } from '../../../src/rates/parcels/pieces.ts'
import { forAll } from '../../for-all.ts'

const piece = (count: number, weight: number, more: Partial<Pieces> = {}): Pieces => ({
  place: 'quote.products[0]',
  count,
  weight,
  volume: undefined,
  sides: [],
  alone: false,
  inside: false,
  facts: '',
  ...more,
})
const endless = Number.POSITIVE_INFINITY
const weights = (pieces: Pieces[], weight: number, parcels = 99) =>
  pack(pieces, { weight, volume: endless, parcels })?.map((one) => one.weight)

test('the heaviest first, each where there is room', () => {
  expect(weights([piece(2, 10), piece(1, 25)], 30)).toEqual([25, 20])
  expect(weights([piece(1, 5), piece(3, 20)], 30)).toEqual([25, 20, 20])
  expect(weights([piece(1, 10), piece(2, 1, { alone: true })], 30)).toEqual([10, 1, 1])
})

test('too many parcels are none', () => {
  expect(weights([piece(4, 20)], 30, 3)).toBeUndefined()
  expect(weights([piece(1_000_000_000, 20)], 30)).toBeUndefined()
})

const aPiece = fc
  .record({
    count: fc.integer({ min: 1, max: 40 }),
    weight: fc.integer({ min: 0, max: 30 }),
    volume: fc.integer({ min: 1, max: 60 }),
    alone: fc.boolean(),
  })
  .map(({ count, weight, ...more }) => piece(count, weight, more))

test('every piece is whole and in one parcel, and no parcel holds more than allowed', () => {
  forAll(fc.array(aPiece, { minLength: 1, maxLength: 8 }), (pieces) => {
    const parcels = pack(pieces, { weight: 30, volume: 50, parcels: 1_000 })!
    const total = (figure: 'weight' | 'volume') =>
      pieces.reduce((sum, one) => sum + one.count * one[figure]!, 0)
    for (const figure of ['weight', 'volume'] as const)
      expect(parcels.reduce((sum, one) => sum + one[figure]!, 0)).toBe(total(figure))
    expect(parcels.reduce((sum, one) => sum + one.pieces, 0)).toBe(
      pieces.reduce((sum, one) => sum + one.count, 0),
    )
    for (const one of parcels) {
      expect(one.weight).toBeLessThanOrEqual(30)
      if (one.pieces > 1) expect(one.volume).toBeLessThanOrEqual(50)
    }
    // At most one parcel is less than half full by both measures: two would have been one.
    const free = parcels.filter((one) => one.weight * 2 < 30 && one.volume! * 2 < 50)
    expect(free.length).toBeLessThanOrEqual(
      1 + pieces.reduce((sum, one) => sum + (one.alone ? one.count : 0), 0),
    )
  })
})
