import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bars, type Fill, figure, lanes, line, share, strip } from '../../src/console/drawings.ts'
import { forAll } from '../for-all.ts'

const fill = fc.constantFrom<Fill>('a', 'g', 'w', 'b', 'p', 'l')
const value = fc.oneof(
  fc.nat(100_000),
  fc.constantFrom(0, 0.1, 1e9),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
)
const marks = fc.array(fc.record({ value, fill }), { maxLength: 60 })
const hostile = `</text><script>alert("1")</script>&amp;'`

/** Expects one drawing whose numbers are numbers, and nothing that is no mark. */
function isDrawn(drawing: unknown): string {
  const text = String(drawing)
  expect(text.match(/<svg /g)).toHaveLength(1)
  const withoutWords = text.replace(/(<text[^>]*>)[^<]*/g, '$1')
  expect(withoutWords).not.toMatch(/NaN|Infinity|undefined|null|\de[+-]?\d/)
  expect(text).not.toContain('<script')
  for (const [, name, size] of text.matchAll(/ (width|height|r)="(-?[\d.]+)"/g))
    expect(Number(size), `${name} in ${text}`).toBeGreaterThanOrEqual(0)
  return text
}

test('bars, lines, shares and strips of any values are drawings', () => {
  forAll(marks, (of) => void isDrawn(bars('bars', of)))
  forAll(marks, (of) => void isDrawn(share('share', of)))
  forAll(fc.array(fill, { maxLength: 60 }), (of) => void isDrawn(strip('strip', of)))
  forAll(
    fc.array(fc.option(value, { nil: undefined }), { maxLength: 60 }),
    fc.option(value, { nil: undefined }),
    (of, limit) => void isDrawn(line('line', of, limit)),
  )
})

test('bars stay inside their drawing, the largest from top to bottom', () => {
  forAll(marks, (of) => {
    for (const [, x, y, width, height] of String(bars('bars', of)).matchAll(
      /x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"/g,
    )) {
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(300.2)
      expect(Number(y)).toBeGreaterThanOrEqual(-0.1)
      expect(Number(y) + Number(height)).toBeLessThanOrEqual(56.1)
    }
  })
  const text = String(
    bars('two', [
      { value: 5, fill: 'g' },
      { value: 0, fill: 'b' },
      { value: 10, fill: 'a' },
    ]),
  )
  expect(text.match(/<rect/g)).toHaveLength(2)
  expect(text).toContain('class="f-a" x="200.6" y="0" width="98.8" height="56"')
})

test('a line breaks where nothing was measured, and has its limit', () => {
  const path = (of: Parameters<typeof line>[1], limit?: number) =>
    /class="s-a" d="([^"]+)"/.exec(String(line('x', of, limit)))?.[1]
  expect(path([1, 2, undefined, 3])?.match(/[ML]/g)?.join('')).toBe('MLM')
  expect(path([])).toBe('M0 0')
  expect(path([undefined, undefined])).toBe('M0 0')
  expect(String(line('x', [1], 10)).match(/stroke-dasharray/g)).toHaveLength(1)
  expect(String(line('x', [1]))).not.toContain('stroke-dasharray')
})

test('the parts of a whole share its width', () => {
  const widths = (of: Parameters<typeof share>[1]) =>
    [...String(share('x', of)).matchAll(/rect[^>]* width="([\d.]+)"/g)].map(([, wide]) => Number(wide))
  expect(
    widths([
      { value: 3, fill: 'g' },
      { value: 1, fill: 'w' },
      { value: 0, fill: 'b' },
    ]),
  ).toEqual([223, 73])
  // Of nothing: one grey bar.
  expect(widths([{ value: 0, fill: 'g' }])).toEqual([300])
  expect(widths([])).toEqual([300])
})

test('words of others are text: in labels, names and marks', () => {
  const drawn = [
    bars(hostile, [{ value: 1, fill: 'g' }]),
    lanes(hostile, [{ name: hostile, marks: [{ at: 1, fill: 'a', words: hostile }] }], () => hostile),
    figure(hostile, hostile, strip(hostile, ['g']), [hostile]),
  ]
  for (const one of drawn) {
    const text = isDrawn(one)
    expect(text).toContain('&lt;script&gt;')
    // Within a mark a quotation mark is text; in a label it would end it.
    expect(text).toMatch(/aria-label="[^"<>]*alert\(&quot;1&quot;\)[^"<>]*"/)
    expect(text).toContain('&amp;amp;')
  }
})

test('the lanes of a payment are a drawing whatever happened when', () => {
  const at = fc.oneof(fc.nat(10_000), fc.nat(30 * 24 * 3_600_000), fc.constantFrom(0, 600_000, 600_001))
  const mark = fc.record({ at, until: at, fill, words: fc.string() }, { requiredKeys: ['at', 'fill'] })
  const ordered = mark.map((one) => (one.until === undefined ? one : { ...one, until: one.at + one.until }))
  const lane = fc.record({ name: fc.string(), marks: fc.array(ordered, { maxLength: 12 }) })
  forAll(fc.array(lane, { maxLength: 7 }), (of) => {
    const text = isDrawn(lanes('a payment', of, (moment) => new Date(moment).toISOString()))
    const rows = of.filter((one) => one.marks.length > 0)
    expect(text.match(/<circle|<rect/g) ?? []).toHaveLength(rows.flatMap((one) => one.marks).length)
    for (const [, x] of text.matchAll(/(?:cx|x)="(-?[\d.]+)"/g)) {
      expect(Number(x)).toBeGreaterThanOrEqual(-5)
      expect(Number(x)).toBeLessThanOrEqual(770)
    }
  })
})

test('seconds and days stand in one drawing: a long pause is cut, and the order stays', () => {
  const day = 24 * 3_600_000
  const marks = [0, 1_000, 2_000, 3 * day, 3 * day + 1_000].map((at) => ({ at, fill: 'g' as const }))
  const text = String(lanes('x', [{ name: 'Money', marks }], () => ''))
  expect(text.match(/class="s-q"/g)).toHaveLength(1)
  const places = [...text.matchAll(/cx="([\d.]+)"/g)].map(([, x]) => Number(x))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places[1]! - places[0]!).toBeGreaterThan(10)
  expect(places[3]! - places[2]!).toBeCloseTo(78)
})
