import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowReader, type TableRow } from '../../../src/rates/tariffs/row.ts'
import { methodsFor, rowFor, tableOf } from '../../../src/rates/tariffs/table.ts'
import { zoneFor } from '../../../src/rates/tariffs/zones.ts'
import { destinationOf } from '../../../src/rates/zipcodes/areas.ts'
import { sized } from '../../long.ts'

// The rule, said the slow way: a line covers a set of zipcodes. Of the lines of a method that cover the destination, those that cover the fewest
// zipcodes win; of as many, those for a region, then the first of the file. Among those the tightest band wins, then the lowest price.

/** The zipcodes of a small country, as many as they are, and of Britain by district: a district has 27 times 6,760. */
interface Land {
  country: string
  zipcodes: readonly string[]
  /** How many zipcodes there are that no line names by itself. */
  others: number
  parts: fc.Arbitrary<Part>
  /** What a shop sends for one of `zipcodes`. */
  sent: (zipcode: string) => string
}

/** A part of a cell, and the zipcodes that it is for. */
interface Part {
  text: string
  has: (zipcode: string) => boolean
}

const digit = fc.constantFrom('1', '2', '3')
const number = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
const biased = (length: number) =>
  fc.oneof(fc.string({ unit: digit, minLength: length, maxLength: length }), number(length))
const rangeOf = (length: number): fc.Arbitrary<Part> =>
  fc.tuple(biased(length), biased(length)).map((ends) => {
    const [from, to] = ends.sort() as [string, string]
    return {
      text: `${from}-${to}`,
      has: (zipcode) => from <= zipcode.slice(0, length) && zipcode.slice(0, length) <= to,
    }
  })
const prefixOf = (length: number): fc.Arbitrary<Part> =>
  biased(length).map((prefix) => ({ text: `${prefix}*`, has: (zipcode) => zipcode.startsWith(prefix) }))

const belgium: Land = {
  country: 'be',
  zipcodes: Array.from({ length: 10_000 }, (_, at) => String(at).padStart(4, '0')),
  others: 0,
  parts: fc.oneof(
    biased(4).map((text): Part => ({ text: `B-${text}`, has: (zipcode) => zipcode === text })),
    prefixOf(1),
    prefixOf(2),
    prefixOf(3),
    rangeOf(2),
    rangeOf(3),
    rangeOf(4),
  ),
  sent: (zipcode) => ` B-${zipcode}`,
}

const areas = ['BT', 'PO']
const district = fc.tuple(fc.constantFrom(...areas), fc.integer({ min: 1, max: 40 }))
const named = (text: string, area: string, fits: (number: number) => boolean): Part => ({
  text,
  has: (zipcode) => zipcode.startsWith(area) && fits(Number(zipcode.slice(area.length))),
})
const britain: Land = {
  country: 'gb',
  zipcodes: areas.flatMap((area) => Array.from({ length: 100 }, (_, at) => `${area}${at}`)),
  others: 702 * 100 - 200,
  parts: fc.oneof(
    fc.constantFrom(...areas).map((area) => named(`${area}*`, area, () => true)),
    district.map(([area, one]) => named(`${area}${one}`, area, (other) => other === one)),
    district.map(([area, one]) =>
      named(`${area}${one}*`, area, (other) => String(other).startsWith(String(one))),
    ),
    fc.tuple(district, fc.nat({ max: 12 })).map(([[area, from], more]) => {
      const to = from + more
      return named(`${area}${from}-${to}`, area, (other) => from <= other && other <= to)
    }),
  ),
  sent: (zipcode) => `gb-${zipcode.toLowerCase()}5lx`,
}

const infinity = Number.POSITIVE_INFINITY
const band = (most: number) =>
  fc
    .tuple(
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: most })),
      fc.option(fc.integer({ min: 1, max: most }), { nil: infinity }),
    )
    .map(([from, width]) => ({ from, to: from + width }))

interface Line {
  id: string
  country: string
  parts: Part[]
  without: Part[]
  region: string
  weight: { from: number; to: number }
  value: { from: number; to: number }
  price: string
}
const line = (land: Land): fc.Arbitrary<Line> =>
  fc.record({
    id: fc.constantFrom('door', 'point'),
    country: fc.constantFrom(land.country, land.country, land.country, '*'),
    parts: fc.array(land.parts, { maxLength: 2 }),
    without: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Part[]>([]) },
      { weight: 1, arbitrary: fc.array(land.parts, { maxLength: 2 }) },
    ),
    region: fc.constantFrom('', '', '', 'CA', 'NV'),
    weight: band(5),
    value: band(3),
    price: fc.integer({ min: 1, max: 9 }).map(String),
  })

const header = 'id,title,country,zipcode,region,weight_from,weight_to,value_from,value_to,price_excl'.split(
  ',',
)
const cellsOf = ({ id, country, parts, without, region, weight, value, price }: Line): string[] => {
  const zipcode = [...parts.map(({ text }) => text), ...without.map(({ text }) => `!${text}`)].join('|')
  const place = country === '*' ? ['', ''] : [zipcode, region]
  const bands = [weight, value].flatMap(({ from, to }) => [String(from), to === infinity ? '' : String(to)])
  return [id, 'Door', country, ...place, ...bands, price]
}

interface Covered {
  zipcodes: ReadonlySet<string>
  size: number
  /** The same for all parts that cover the same. */
  sign: string
}

/** What each part of a line covers; a part of which nothing is left makes the line a fault. */
function coverOf({ parts, without, region }: Line, land: Land): Covered[] | 'fault' {
  const all: Part = { text: '', has: () => true }
  const inside = parts.length > 0 ? parts : [all]
  const covered = inside.map((part): Covered => {
    const zipcodes = land.zipcodes.filter((one) => part.has(one) && !without.some((hole) => hole.has(one)))
    const size = zipcodes.length + (part === all ? land.others : 0)
    return { zipcodes: new Set(zipcodes), size, sign: `${region} ${size} ${zipcodes.join()}` }
  })
  return covered.some(({ size }) => size === 0) ? 'fault' : covered
}

type Asked = { region: string; zipcode: string; weight: number; value: number }

function slowly(lines: { line: Line; covers: Covered[] }[], id: string, asked: Asked): string | undefined {
  const there = lines.filter(({ line }) => line.id === id && line.country !== '*')
  const places = there
    .filter(({ line }) => line.region === '' || line.region === asked.region)
    .flatMap(({ line, covers }) =>
      covers
        .filter(({ zipcodes }) => zipcodes.has(asked.zipcode))
        .map(({ size, sign }) => ({ line, size, sign })),
    )
  // Lines of one zone count as the first of them.
  const firstOf = (wanted: string) =>
    there.findIndex(({ covers }) => covers.some(({ sign }) => sign === wanted))
  const best = places.toSorted(
    (one, other) =>
      one.size - other.size ||
      Number(one.line.region === '') - Number(other.line.region === '') ||
      firstOf(one.sign) - firstOf(other.sign),
  )[0]
  const its = best
    ? places.filter(({ sign }) => sign === best.sign).map(({ line }) => line)
    : lines.filter(({ line }) => line.id === id && line.country === '*').map(({ line }) => line)
  const width = ({ from, to }: { from: number; to: number }) => (to === infinity ? 1_000 - from : to - from)
  return its
    .filter(({ weight }) => (weight.from < asked.weight || weight.from === 0) && asked.weight <= weight.to)
    .filter(({ value }) => value.from <= asked.value && asked.value < value.to)
    .sort(
      (one, other) =>
        width(one.weight) - width(other.weight) ||
        width(one.value) - width(other.value) ||
        Number(one.price) - Number(other.price),
    )
    .at(0)?.price
}

test.each([belgium, britain])('a lookup finds what the rule says: $country', (land) => {
  const questions = fc.array(
    fc.record({
      region: fc.constantFrom('', 'CA', 'NV', 'AK'),
      zipcode: fc.oneof(
        fc.constantFrom(...land.zipcodes),
        fc.constantFrom(...land.zipcodes.filter((one) => /^[A-Z]*[123]+$/.test(one))),
      ),
      weight: fc.integer({ min: 0, max: 6 }),
      value: fc.integer({ min: 0, max: 4 }),
    }),
    { minLength: 8, maxLength: 8 },
  )
  let answered = 0
  fc.assert(
    fc.property(fc.array(line(land), { minLength: 1, maxLength: 14 }), questions, (lines, asked) => {
      const faults: string[] = []
      const read = rowReader(header, { taxRate: '0' }, ({ message }) => void faults.push(message))!
      const known: { line: Line; covers: Covered[] }[] = []
      const rows: TableRow[] = []
      for (const [at, one] of lines.entries()) {
        const before = faults.length
        const row = read(cellsOf(one), at + 2)
        const covers = one.country === '*' ? [] : coverOf(one, land)
        expect([cellsOf(one), faults.length > before]).toEqual([cellsOf(one), covers === 'fault'])
        if (covers === 'fault') continue
        rows.push(row as TableRow)
        known.push({ line: one, covers })
      }
      const countries = tableOf(rows).currencies.get('') ?? new Map()
      for (const question of asked) {
        const { zipcode, region, weight, value } = question
        const destination = destinationOf(land.country, land.sent(zipcode), region)
        const found = new Map(
          methodsFor(countries, land.country).map(([own, others]) => {
            const inOwn = own ? zoneFor(own.zones, destination) : -1
            const zones = inOwn >= 0 ? own! : (others ?? own)!
            const zone = inOwn >= 0 ? inOwn : others ? zoneFor(others.zones, destination) : -1
            const at = { weight: weight * 1_000_000, value: value * 1_000_000, now: 0 }
            return [zones.method, zone < 0 ? undefined : rowFor(zones, zone, at)?.amount]
          }),
        )
        for (const id of ['door', 'point']) {
          const price = slowly(known, id, question)
          expect(found.get(id)).toBe(price)
          if (price !== undefined) answered++
        }
      }
    }),
    { numRuns: sized(120, 5_000) },
  )
  expect(answered).toBeGreaterThan(200)
})
