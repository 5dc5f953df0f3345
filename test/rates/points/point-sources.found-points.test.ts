import { expect, test } from 'vitest'
import { none } from '../../../src/rates/adapter.ts'
import { readFound } from '../../../src/rates/points/point-sources.ts'

const spot = { id: 'ams-1', name: 'A', zipcode: '1012AB', country: 'nl' }

const days = 'closed must be days such as 2026-12-25, with | between, no time'
test.each([
  [{ closed: '2026-11-23T00:00:00Z' }, days],
  [{ closed: ['2026-11-23T00:00:00Z'] }, days],
  [{ closed: 7 }, 'closed must be days such as 2026-12-25'],
  [{ price_excl: 'x' }, 'price_excl must be a number of 0 or more, with a point: 3.50'],
  [{ price_incl: {} }, 'price_incl must be a text or a number'],
  [{ kilometres: 'near' }, 'kilometres must be a number of 0 or more'],
  [{ kilometres: -1 }, 'kilometres must be a number of 0 or more'],
  [{ name: null }, 'name must be a text or a number'],
  [{ country: null }, 'country must be two letters such as nl'],
  [{ latitude: 152 }, 'latitude must be a number from -90 to 90, with a point'],
  [{ id: 'first' }, 'id is that of an earlier point'],
])('a point with a fault is left out with a sentence, and the others stay: %j', (fault, message) => {
  const id = 'id' in fault ? fault.id : 'ams-1'
  const first = { ...spot, id: 'first' }
  expect(readFound([first, { ...spot, ...fault }])).toEqual({
    points: [{ ...first, closed: [] }],
    leftOut: [`point 2 "${id}" is left out: ${message}`],
  })
})

test('a point that is not an object is left out by its number', () => {
  expect(readFound([spot, null, 'ams-2'])).toMatchObject({
    leftOut: ['point 2 is left out: is not an object', 'point 3 is left out: is not an object'],
  })
})

test('members that are null are missing, figures may be texts, and what else the API says stays', () => {
  const given = { ...spot, closed: null, price_excl: null, latitude: null, opening_hours: null }
  expect(readFound([{ ...given, id: 7, country: 'NL', kilometres: '0.4', chain: 'x' }])).toEqual({
    points: [{ ...spot, id: '7', kilometres: 0.4, chain: 'x', closed: [] }],
    leftOut: [],
  })
})

test('an answer may be an empty list, or none', () => {
  expect(readFound([])).toEqual({ points: [], leftOut: [] })
  expect(readFound(none('closed today'))).toEqual({ none: 'closed today' })
})

test.each([
  [undefined, "points returned undefined: return a list of points, or none('why')"],
  [null, 'points returned null'],
  [{ points: [] }, 'points returned object'],
  [[null], 'no point of the answer can be used: point 1 is left out: is not an object'],
])('an answer that cannot be used is a failure: %j', (answer, message) => {
  expect(() => readFound(answer)).toThrow(message)
})
