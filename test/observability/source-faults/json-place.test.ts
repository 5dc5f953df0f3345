import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFaultAt } from '../../../src/observability/source-faults/json-place.ts'

test.for([
  ['{"a": 1,}', 1, 9],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{"a": }', 1, 7],
  ['[1, 2', 1, 6],
  ['{"a": tru}', 1, 10],
  ["{'a': 1}", 1, 2],
  ['{} extra', 1, 4],
  ['', 1, 1],
] as const)('%j stops being JSON at %i:%i', ([text, line, column]) => {
  expect(jsonFaultAt(text)).toEqual({ line, column })
})

test('JSON has no fault', () => {
  fc.assert(fc.property(fc.json(), (text) => jsonFaultAt(text) === undefined))
})

test('a character that is not JSON is the place', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1 }), fc.nat(), (numbers, at) => {
      const place = at % numbers.length
      const items = numbers.map((number, index) => (index === place ? `#${number}` : String(number)))
      const before = `[${items
        .slice(0, place)
        .map((item) => `${item},`)
        .join('')}`
      expect(jsonFaultAt(`[${items.join(',')}]`)).toEqual({ line: 1, column: before.length + 1 })
    }),
  )
})
