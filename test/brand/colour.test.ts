import { expect, test } from 'vitest'
import { contrast, nearest, readColour, standsOut, textOn } from '../../src/brand/colour.ts'

test.each([
  ['#0B5C4A', '#0b5c4a'],
  ['#fA0', '#ffaa00'],
  ['0b5c4a', undefined],
  ['#0b5c4', undefined],
  ['#0b5c4a;background:url(https://x)', undefined],
  ['red', undefined],
  ['rgb(1,2,3)', undefined],
  [' #fff', undefined],
  ['#ffffff\n', undefined],
  [7, undefined],
  [undefined, undefined],
])('%j is read as %j', (given, expected) => {
  expect(readColour(given)).toBe(expected)
})

// The figures of the examples in WCAG and of its calculators.
test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
  ['#0000ff', '#ffffff', 8.59],
  ['#123456', '#123456', 1],
])('the contrast of %s and %s is %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 2)
  expect(contrast(other, one)).toBe(contrast(one, other))
})

const every = Array.from(
  { length: 512 },
  (_, at) =>
    readColour(
      `#${[at >> 6, (at >> 3) & 7, at & 7].map((part) => (part * 36).toString(16).padStart(2, '0')).join('')}`,
    )!,
)

test('the nearest colour passes, and one that passes stays as it is', () => {
  for (const colour of every) {
    const found = nearest(colour, standsOut(4.5, ['#ffffff', '#f6f7f9']))!
    expect(contrast(found, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(found, '#f6f7f9')).toBeGreaterThanOrEqual(4.5)
    if (contrast(colour, '#ffffff') >= 4.5 && contrast(colour, '#f6f7f9') >= 4.5) expect(found).toBe(colour)
  }
  expect(nearest('#ffcc00', standsOut(4.5, ['#ffffff']))).toMatch(/^#[\da-f]{6}$/)
  // Nothing can be read on both.
  expect(nearest('#888888', standsOut(7, ['#000000', '#ffffff']))).toBeUndefined()
})

test('text on any colour can be read', () => {
  for (const colour of every) expect(contrast(textOn(colour), colour)).toBeGreaterThanOrEqual(4.5)
})
