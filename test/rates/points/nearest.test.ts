import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PointIndex } from '../../../src/rates/points/nearest.ts'
import type { PickupPoint, Place } from '../../../src/rates/points/points.ts'

const zipcode = fc.string({ unit: fc.constantFrom(...'12ab '), minLength: 1, maxLength: 5 })
const place: fc.Arbitrary<Place> = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
const point = fc.record({
  name: fc.constant('A'),
  zipcode,
  country: fc.constantFrom('nl', 'be'),
  at: fc.option(place, { nil: undefined }),
})
const points = fc
  .array(point, { maxLength: 40 })
  .map((list) => list.map(({ at, ...rest }, id): PickupPoint => ({ id: `p${id}`, ...rest, ...at })))

const key = (text: string) => text.toUpperCase().replaceAll(' ', '')
const alike = (one: string, other: string) => {
  let length = 0
  while (length < key(one).length && key(one)[length] === key(other)[length]) length++
  return length
}
/** In kilometres, by the angle between two directions. */
const apart = (one: Place, other: Place): number => {
  const [a, b, c, d] = [one.latitude, other.latitude, one.longitude, other.longitude].map(
    (angle) => (angle * Math.PI) / 180,
  ) as [number, number, number, number]
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(c - d)
  return 6371 * Math.acos(Math.min(1, Math.max(-1, cosine)))
}

test('the points that are found are the nearest of all, and those without a place follow by zipcode', () => {
  fc.assert(
    fc.property(points, zipcode, place, fc.integer({ min: 1, max: 8 }), (list, wanted, from, count) => {
      const found = new PointIndex(list).nearest(count, { country: 'nl', zipcode: wanted, place: from })
      const here = list.filter(({ country }) => country === 'nl')
      expect(found).toHaveLength(Math.min(count, here.length))
      const known = here.filter(({ latitude }) => latitude !== undefined) as (PickupPoint & Place)[]
      const nearest = known.map((one) => apart(from, one)).toSorted((one, other) => one - other)
      const rest = here
        .filter(({ latitude }) => latitude === undefined)
        .map((one) => alike(one.zipcode!, wanted))
        .toSorted((one, other) => other - one)
      for (const [at, { point, kilometres }] of found.entries()) {
        if (at < nearest.length) expect(Math.abs(kilometres! - nearest[at]!)).toBeLessThan(0.5)
        else
          expect([kilometres, alike(point.zipcode!, wanted)]).toEqual([undefined, rest[at - nearest.length]])
      }
    }),
    { numRuns: 300 },
  )
})

test('a destination without a place is ordered as if amid the points whose zipcodes are most like its own, without a distance', () => {
  fc.assert(
    fc.property(points, zipcode, (list, wanted) => {
      const here = list.filter(({ country, latitude }) => country === 'nl' && latitude !== undefined)
      const most = Math.max(...here.map((one) => alike(one.zipcode!, wanted)))
      const best = here.filter((one) => alike(one.zipcode!, wanted) === most) as Place[]
      const middle = (of: (one: Place) => number) => best.reduce((sum, one) => sum + of(one), 0) / best.length
      const amid = { latitude: middle((one) => one.latitude), longitude: middle((one) => one.longitude) }
      const index = new PointIndex(list)
      const nearest = (place: Place | undefined) =>
        index.nearest(5, { country: 'nl', zipcode: wanted, place })
      const found = nearest(undefined)
      if (most > 0) expect(found.map(({ point }) => point)).toEqual(nearest(amid).map(({ point }) => point))
      for (const { kilometres } of found) expect(kilometres).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})

const plain = (id: string, zipcode: string): PickupPoint => ({ id, name: id, zipcode, country: 'nl' })

test('of points whose zipcodes are equally alike, the first by id come first, whatever the order of the file', () => {
  const zipcodes = { c: '1013', a: '1014', d: '1012', b: '1015', e: '20' }
  const list = Object.entries(zipcodes).map(([id, zipcode]) => plain(id, zipcode))
  const ids = (of: readonly PickupPoint[], count: number) =>
    new PointIndex(of)
      .nearest(count, { country: 'nl', zipcode: '1012', place: undefined })
      .map(({ point }) => point.id)
  for (const order of [list, list.toReversed()]) {
    expect(ids(order, 5)).toEqual(['d', 'a', 'b', 'c', 'e'])
    expect(ids(order, 2)).toEqual(['d', 'a'])
  }
})

test('of points that are equally far away, the first by id come first', () => {
  const at = (id: string, longitude: number) => ({ ...plain(id, '1'), latitude: 0, longitude })
  const list = [at('b', 1), at('c', -1), at('a', 1), at('near', 0.5)]
  const place = { latitude: 0, longitude: 0 }
  const found = new PointIndex(list).nearest(3, { country: 'nl', zipcode: '', place })
  expect(found.map(({ point }) => point.id)).toEqual(['near', 'a', 'b'])
})

test('a place that is no place is as good as none', () => {
  const list = ['a', 'b', 'c'].map((id, at) => ({
    ...plain(id, `101${at}`),
    latitude: 52 + at,
    longitude: 5,
  }))
  const found = (place: Place | undefined) =>
    new PointIndex(list).nearest(1, { country: 'nl', zipcode: '1012', place })
  const none = found(undefined)
  expect(none).toMatchObject([{ point: { id: 'c' }, kilometres: undefined }])
  for (const latitude of [Number.NaN, Number.POSITIVE_INFINITY, '52' as never])
    expect(found({ latitude, longitude: 5 })).toEqual(none)
})
