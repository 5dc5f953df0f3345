import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TableFault } from '../../../src/adapters/table-rates/cells.ts'
import type { TableRow, Zipcodes } from '../../../src/adapters/table-rates/row.ts'
import { methodsFor, rowFor, tableOf } from '../../../src/adapters/table-rates/table.ts'
import { zoneFor } from '../../../src/adapters/table-rates/zones.ts'

const infinity = Number.POSITIVE_INFINITY
const band = (most: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: most }), fc.option(fc.integer({ min: 1, max: most }), { nil: infinity }))
    .map(([from, width]) => ({ from, to: from + width }))

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom('1', '2', '3'), minLength: length, maxLength: length })
const sorted = (...ends: [string, string]) => {
  const [from, to] = ends.sort() as [string, string]
  return { from, to }
}
const zipcodes: fc.Arbitrary<Zipcodes> = fc.oneof(
  fc
    .integer({ min: 1, max: 3 })
    .chain((length) => digits(length).map((prefix) => ({ kind: 'prefix' as const, prefix }))),
  fc.integer({ min: 2, max: 3 }).chain((length) =>
    fc.tuple(digits(length), digits(length)).map(([one, other]) => ({
      kind: 'range' as const,
      ...sorted(one, other),
    })),
  ),
)

const row = fc.record({
  id: fc.constantFrom('door', 'point'),
  countries: fc.constantFrom(['nl'], ['be'], ['nl', 'be'], ['*']),
  zipcodes: fc.array(zipcodes, { maxLength: 2 }),
  weight: band(5),
  value: band(3),
  amount: fc.integer({ min: 1, max: 9 }).map(String),
})

const rowsOf = (given: (typeof row extends fc.Arbitrary<infer T> ? T : never)[]) =>
  given.map(
    (one, place) =>
      ({
        ...one,
        zipcodes: one.countries[0] === '*' ? [] : one.zipcodes,
        line: place + 2,
        currency: undefined,
      }) as unknown as TableRow,
  )

/** The rule, said the slow way: how specific a row is for a destination, `undefined` when it does not go there. */
function specificity(
  { countries, zipcodes: zips }: TableRow,
  country: string,
  zipcode: string,
): number[] | undefined {
  if (countries[0] === '*') return [0]
  if (!countries.includes(country)) return undefined
  if (zips.length === 0) return [1]
  const fits = zips.flatMap((zip) => {
    if (zip.kind === 'prefix') return zipcode.startsWith(zip.prefix) ? [[3, zip.prefix.length]] : []
    const key = zipcode.slice(0, zip.from.length)
    if (key.length < zip.from.length || key < zip.from || key > zip.to) return []
    return [[2, zip.from.length, Number.parseInt(zip.from, 36) - Number.parseInt(zip.to, 36)]]
  })
  return fits.sort(compare).at(-1)
}

function compare(one: number[], other: number[]): number {
  for (let place = 0; place < 3; place++) {
    const difference = (one[place] ?? 0) - (other[place] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function slowly(
  rows: TableRow[],
  id: string,
  country: string,
  zipcode: string,
  weight: number,
  value: number,
) {
  const there = rows.flatMap((one) => {
    const special = one.id === id ? specificity(one, country, zipcode) : undefined
    return special ? [{ one, special }] : []
  })
  const most = there
    .map(({ special }) => special)
    .sort(compare)
    .at(-1)
  const fitting = there
    .filter(({ special }) => most && compare(special, most) === 0)
    .map(({ one }) => one)
    .filter((one) => (one.weight.from < weight || one.weight.from === 0) && weight <= one.weight.to)
    .filter((one) => one.value.from <= value && value < one.value.to)
  const size = ({ from, to }: { from: number; to: number }) => (to === infinity ? 1_000 - from : to - from)
  return fitting
    .sort(
      (one, other) =>
        size(one.weight) - size(other.weight) ||
        size(one.value) - size(other.value) ||
        Number(one.amount) - Number(other.amount),
    )
    .at(0)?.amount
}

/** Whether two ranges of one method, country and length reach into each other without one lying in the other. */
const overlaps = (rows: TableRow[]) =>
  rows.some((one) =>
    rows.some(
      (other) =>
        one.id === other.id &&
        one.countries.some((country) => other.countries.includes(country)) &&
        one.zipcodes.some((a) =>
          other.zipcodes.some(
            (b) =>
              a.kind === 'range' &&
              b.kind === 'range' &&
              a.from.length === b.from.length &&
              a.from < b.from &&
              b.from <= a.to &&
              a.to < b.to,
          ),
        ),
    ),
  )

test('a lookup finds what the rule says, and zones that overlap are faults', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 14 }).map(rowsOf),
      fc.array(
        fc.tuple(
          fc.constantFrom('nl', 'be', 'fr'),
          digits(3),
          fc.integer({ min: 0, max: 9 }),
          fc.integer({ min: 0, max: 5 }),
        ),
        { minLength: 8, maxLength: 8 },
      ),
      (rows, questions) => {
        const faults: TableFault[] = []
        const { currencies } = tableOf(rows, (fault) => void faults.push(fault))
        expect(faults.length > 0).toBe(overlaps(rows))
        if (faults.length > 0) return
        for (const [country, zipcode, weight, value] of questions) {
          const found = new Map(
            methodsFor(currencies.get('')!, country).map(([own, others]) => {
              const inOwn = own ? zoneFor(own.zones, zipcode) : -1
              const zones = inOwn >= 0 ? own! : (others ?? own)!
              const zone = inOwn >= 0 ? inOwn : others ? zoneFor(others.zones, zipcode) : -1
              return [
                zones.method,
                zone < 0 ? undefined : rowFor(zones, zone, { weight, value, now: 0 })?.amount,
              ]
            }),
          )
          for (const id of ['door', 'point']) {
            expect(found.get(id)).toBe(slowly(rows, id, country, zipcode, weight, value))
          }
        }
      },
    ),
    { numRuns: 1_500 },
  )
})
