import type { Band, TableFault, TableRow, Zipcodes } from './row.ts'

/** The rows of one method for one destination: a prefix, a range, or all of a country. */
export interface Zone {
  /** How it is called in explanations: `nl 10*`. */
  name: string
  /** By the end of their weight band. */
  rows: TableRow[]
  /** The lowest start of a weight band from each row on: behind it there is nothing to look for. */
  lowestFrom: number[]
}

interface Ranges {
  length: number
  /** Sorted; two of them are apart, or one lies in the other. */
  list: { from: string; to: string; zone: Zone; around: number }[]
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

const newZones = (method: string): MethodZones => ({
  method,
  prefixes: new Map(),
  prefixLengths: [],
  ranges: [],
  whole: undefined,
})

const newZone = (name: string): Zone => ({ name, rows: [], lowestFrom: [] })

function zoneOf(zones: MethodZones, zipcodes: Zipcodes, country: string): Zone {
  if (zipcodes.kind === 'prefix') {
    return entry(zones.prefixes, zipcodes.prefix, () => newZone(`${country} ${zipcodes.prefix}*`))
  }
  const { from, to } = zipcodes
  let ranges = zones.ranges.find(({ length }) => length === from.length)
  if (!ranges) {
    ranges = { length: from.length, list: [] }
    zones.ranges.push(ranges)
  }
  // Lines of one zone stand together in most tariffs.
  const last = ranges.list.at(-1)
  if (last?.from === from && last.to === to) return last.zone
  const zone = newZone(`${country} ${from === to ? from : `${from}-${to}`}`)
  ranges.list.push({ from, to, zone, around: -1 })
  return zone
}

function finish(zones: MethodZones, fault: (fault: TableFault) => void): void {
  zones.prefixLengths = [...new Set([...zones.prefixes.keys()].map(({ length }) => length))].sort(
    (a, b) => b - a,
  )
  // Longer ones first: they name less.
  zones.ranges.sort((one, other) => other.length - one.length)
  for (const ranges of zones.ranges) ranges.list = nest(ranges.list, fault)
  for (const zone of zones.prefixes.values()) order(zone)
  for (const { list } of zones.ranges) for (const { zone } of list) order(zone)
  if (zones.whole) order(zones.whole)
}

/** Sorts ranges, joins equal ones and notes which lies in which. */
function nest(list: Ranges['list'], fault: (fault: TableFault) => void): Ranges['list'] {
  list.sort((one, other) =>
    one.from < other.from
      ? -1
      : one.from > other.from
        ? 1
        : one.to > other.to
          ? -1
          : one.to < other.to
            ? 1
            : 0,
  )
  const nested: Ranges['list'] = []
  const open: number[] = []
  for (const range of list) {
    const last = nested.at(-1)
    if (last?.from === range.from && last.to === range.to) {
      last.zone.rows.push(...range.zone.rows)
      continue
    }
    while (open.length > 0 && nested[open.at(-1)!]!.to < range.from) open.pop()
    const around = open.at(-1)
    if (around !== undefined && nested[around]!.to < range.to) {
      const [row, other] = [range.zone.rows[0]!, nested[around]!.zone.rows[0]!]
      fault({
        line: row.line,
        column: 0,
        name: 'zipcode',
        message: `${range.from}-${range.to} overlaps ${nested[around]!.from}-${nested[around]!.to} of line ${other.line} (method ${row.id}): end one where the other begins, or put one inside the other`,
      })
    }
    open.push(nested.length)
    nested.push({ ...range, around: around ?? -1 })
  }
  return nested
}

function order(zone: Zone): void {
  zone.rows.sort((one, other) => one.weight.to - other.weight.to || one.line - other.line)
  let lowest = Number.POSITIVE_INFINITY
  zone.lowestFrom = Array(zone.rows.length)
  for (let place = zone.rows.length - 1; place >= 0; place--) {
    lowest = Math.min(lowest, zone.rows[place]!.weight.from)
    zone.lowestFrom[place] = lowest
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
  for (const { length, list } of ranges) {
    if (length > zipcode.length) continue
    const key = zipcode.slice(0, length)
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (list[middle]!.from <= key) low = middle + 1
      else high = middle
    }
    for (let place = low - 1; place >= 0; place = list[place]!.around) {
      if (list[place]!.to >= key) return list[place]!.zone
    }
  }
  return whole
}

/** The row with the tightest band, then the lowest price. Both figures in millionths. */
export function rowFor({ rows, lowestFrom }: Zone, weight: number, value: number): TableRow | undefined {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle]!.weight.to < weight) low = middle + 1
    else high = middle
  }
  let best: TableRow | undefined
  for (let place = low; place < rows.length && startsBelow(lowestFrom[place]!, weight); place++) {
    const row = rows[place]!
    if (!startsBelow(row.weight.from, weight) || value < row.value.from || value >= row.value.to) continue
    if (!best || isTighter(row, best)) best = row
  }
  return best
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
