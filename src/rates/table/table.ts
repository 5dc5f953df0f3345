import type { Band, TableFault, TableRow, Zipcodes } from './row.ts'

/** The rows of one method for one destination: a prefix, a range, or all of a country. */
export interface Zone {
  /** How it is called in explanations: `nl 10*`. */
  name: string
  /** By the end of their weight band. */
  rows: TableRow[]
  /** Those ends, side by side in memory: a tariff is larger than the processor's cache, and every look outside it counts. */
  ends: Float64Array
  /** The lowest start of a weight band from each row on: behind it there is nothing to look for. */
  lowestFrom: Float64Array
}

interface Ranges {
  length: number
  /** Sorted; two of them are apart, or one lies in the other. */
  list: { from: string; to: string; zone: Zone }[]
  /** Where each begins and ends, as numbers, and which one lies around it; -1 for none. */
  begins: Float64Array
  ends: Float64Array
  around: Int32Array
}

/** One method's zones in one country. */
export interface MethodZones {
  method: string
  prefixes: Map<string, Zone>
  /** The lengths of the prefixes, longest first. */
  prefixLengths: number[]
  ranges: Ranges[]
  whole: Zone | undefined
}

/** A tariff made for looking up. */
export interface RateTable {
  rows: readonly TableRow[]
  /** By currency (`''`: the shop's), then by country (`*`: all that are not named). */
  currencies: Map<string, Map<string, Map<string, MethodZones>>>
  /** Whether any row asks for the weight. */
  weighs: boolean
}

/** Puts rows into their zones. Zones that overlap without one lying in the other are told as faults. */
export function tableOf(rows: readonly TableRow[], fault: (fault: TableFault) => void): RateTable {
  const currencies: RateTable['currencies'] = new Map()
  let weighs = false
  for (const row of rows) {
    weighs ||= row.weight.from > 0 || row.weight.to !== Number.POSITIVE_INFINITY
    const countries = entry(currencies, row.currency ?? '', () => new Map())
    for (const country of row.countries) {
      const methods = entry(countries, country, () => new Map<string, MethodZones>())
      const zones = entry(methods, row.id, () => newZones(row.id))
      if (row.zipcodes.length === 0) {
        zones.whole ??= newZone(country)
        zones.whole.rows.push(row)
      }
      for (const zipcodes of row.zipcodes) zoneOf(zones, zipcodes, country).rows.push(row)
    }
  }
  for (const countries of currencies.values()) {
    for (const methods of countries.values()) for (const zones of methods.values()) finish(zones, fault)
  }
  return { rows, currencies, weighs }
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

export const newZones = (method: string): MethodZones => ({
  method,
  prefixes: new Map(),
  prefixLengths: [],
  ranges: [],
  whole: undefined,
})

const newZone = (name: string): Zone => ({
  name,
  rows: [],
  ends: new Float64Array(),
  lowestFrom: new Float64Array(),
})

/** The zone of these zipcodes, made where it is not there. */
export function zoneOf(zones: MethodZones, zipcodes: Zipcodes, country: string): Zone {
  if (zipcodes.kind === 'prefix') {
    return entry(zones.prefixes, zipcodes.prefix, () => newZone(`${country} ${zipcodes.prefix}*`))
  }
  const { from, to } = zipcodes
  let ranges = zones.ranges.find(({ length }) => length === from.length)
  if (!ranges) {
    const none = new Float64Array()
    ranges = { length: from.length, list: [], begins: none, ends: none, around: new Int32Array() }
    zones.ranges.push(ranges)
  }
  // Lines of one zone stand together in most tariffs.
  const last = ranges.list.at(-1)
  if (last?.from === from && last.to === to) return last.zone
  const zone = newZone(`${country} ${from === to ? from : `${from}-${to}`}`)
  ranges.list.push({ from, to, zone })
  return zone
}

/** Sorts what was put in, for looking up. */
export function finish(zones: MethodZones, fault: (fault: TableFault) => void): void {
  zones.prefixLengths = [...new Set([...zones.prefixes.keys()].map(({ length }) => length))].sort(
    (a, b) => b - a,
  )
  // Longer ones first: they name less.
  zones.ranges.sort((one, other) => other.length - one.length)
  for (const ranges of zones.ranges) nest(ranges, fault)
  for (const zone of zones.prefixes.values()) order(zone)
  for (const { list } of zones.ranges) for (const { zone } of list) order(zone)
  if (zones.whole) order(zones.whole)
}

/** Sorts ranges, joins equal ones and notes which lies in which. */
function nest(ranges: Ranges, fault: (fault: TableFault) => void): void {
  const sorted = ranges.list.toSorted(
    (one, other) => byText(one.from, other.from) || byText(other.to, one.to),
  )
  const list: Ranges['list'] = []
  const around: number[] = []
  const open: number[] = []
  for (const range of sorted) {
    const last = list.at(-1)
    if (last?.from === range.from && last.to === range.to) {
      last.zone.rows.push(...range.zone.rows)
      continue
    }
    while (open.length > 0 && list[open.at(-1)!]!.to < range.from) open.pop()
    const outer = open.at(-1)
    if (outer !== undefined && list[outer]!.to < range.to) fault(overlap(range, list[outer]!))
    around.push(outer ?? -1)
    open.push(list.length)
    list.push(range)
  }
  ranges.list = list
  ranges.begins = Float64Array.from(list, ({ from }) => asNumber(from))
  ranges.ends = Float64Array.from(list, ({ to }) => asNumber(to))
  ranges.around = Int32Array.from(around)
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Letters and digits as one number that sorts as they do; exact for up to ten of them. */
const asNumber = (zipcode: string): number => Number.parseInt(zipcode, 36)

type Range = Ranges['list'][number]

function overlap(range: Range, other: Range): TableFault {
  const { line, id } = range.zone.rows[0]!
  const beside = `${other.from}-${other.to} of line ${other.zone.rows[0]!.line} (method ${id})`
  const remedy = 'end one where the other begins, or put one inside the other'
  const message = `${range.from}-${range.to} overlaps ${beside}: ${remedy}`
  return { line, column: 0, name: 'zipcode', message }
}

function order(zone: Zone): void {
  zone.rows.sort((one, other) => one.weight.to - other.weight.to || one.line - other.line)
  zone.ends = Float64Array.from(zone.rows, ({ weight }) => weight.to)
  zone.lowestFrom = Float64Array.from(zone.rows, ({ weight }) => weight.from)
  for (let place = zone.rows.length - 2; place >= 0; place--) {
    zone.lowestFrom[place] = Math.min(zone.lowestFrom[place]!, zone.lowestFrom[place + 1]!)
  }
}

/** The methods that go to a country: its own, and those for all others that it does not have itself. */
export function methodsFor(
  countries: Map<string, Map<string, MethodZones>>,
  country: string,
): Iterable<[own: MethodZones | undefined, others: MethodZones | undefined]> {
  const own = countries.get(country)
  const others = countries.get('*')
  const pairs: [MethodZones | undefined, MethodZones | undefined][] = []
  for (const zones of own?.values() ?? []) pairs.push([zones, others?.get(zones.method)])
  for (const zones of others?.values() ?? []) if (!own?.has(zones.method)) pairs.push([undefined, zones])
  return pairs
}

/** The most specific zone: the longest prefix, the narrowest range, the country. `zipcode` as `zipcodeKey` gives it. */
export function zoneFor(
  { prefixes, prefixLengths, ranges, whole }: MethodZones,
  zipcode: string,
): Zone | undefined {
  for (const length of prefixLengths) {
    const zone = length <= zipcode.length ? prefixes.get(zipcode.slice(0, length)) : undefined
    if (zone) return zone
  }
  for (const { length, list, begins, ends, around } of ranges) {
    if (length > zipcode.length) continue
    const key = asNumber(zipcode.slice(0, length))
    for (let place = firstAbove(begins, key) - 1; place >= 0; place = around[place]!) {
      if (ends[place]! >= key) return list[place]!.zone
    }
  }
  return whole
}

/** The row with the tightest band, then the lowest price. Both figures in millionths. */
export function rowFor(
  { rows, ends, lowestFrom }: Zone,
  weight: number,
  value: number,
): TableRow | undefined {
  // The first band that ends at the weight or above.
  const first = weight === 0 ? 0 : firstAbove(ends, weight - 1)
  let best: TableRow | undefined
  for (let place = first; place < rows.length && startsBelow(lowestFrom[place]!, weight); place++) {
    const row = rows[place]!
    if (!startsBelow(row.weight.from, weight) || value < row.value.from || value >= row.value.to) continue
    if (!best || isTighter(row, best)) best = row
  }
  return best
}

/** How many of the sorted numbers are not above the limit. */
function firstAbove(sorted: Float64Array, limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= limit) low = middle + 1
    else high = middle
  }
  return low
}

const startsBelow = (from: number, weight: number) => from < weight || from === 0

/** Below 0 where the one band is narrower. Of two that have no end the one that begins later is. */
function narrower(one: Band, other: Band): number {
  if (one.to === other.to) return other.from - one.from
  return one.to - one.from - (other.to - other.from)
}

const isTighter = (row: TableRow, than: TableRow): boolean =>
  (narrower(row.weight, than.weight) ||
    narrower(row.value, than.value) ||
    Number(row.amount) - Number(than.amount)) < 0
