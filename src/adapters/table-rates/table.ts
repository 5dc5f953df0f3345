import type { Band, ReportFault, TableFault } from './cells.ts'
import type { SurchargeLine, TableRow, TariffLine, Zipcodes } from './row.ts'

/**
 * One method's lines in one country, made for looking up. A tariff is larger than the processor's cache and every look outside
 * it counts, so what is compared lies side by side in arrays of numbers, and a line itself is touched only when it is taken.
 */
export interface MethodZones {
  method: string
  /** The zones, each with where its lines begin in `lines`; they end where the next one's begin. */
  names: string[]
  begins: Int32Array
  lines: Lines
  /** Zones by prefix, and the lengths of the prefixes, longest first. */
  prefixes: Map<string, number>
  prefixLengths: number[]
  /** By length of their zipcodes, longest first. */
  ranges: Ranges[]
  /** The zone of the whole country, or -1. */
  whole: number
}

interface Lines {
  /** Sorted by zone, then by the end of the weight band. */
  rows: TableRow[]
  weightFrom: Float64Array
  weightTo: Float64Array
  valueFrom: Float64Array
  valueTo: Float64Array
  /** In use from and until, in milliseconds since 1970. `undefined` if every line always is. */
  valid: { from: Float64Array; until: Float64Array } | undefined
  /** The lowest start of a band of weight from each line on to the end of its zone: behind it there is nothing to look for. */
  lowestFrom: Float64Array
}

/** Sorted; two of them are apart, or one lies in the other. */
interface Ranges {
  length: number
  from: Float64Array
  to: Float64Array
  zones: Int32Array
  /** Which range lies around each one, or -1. */
  around: Int32Array
}

/** A tariff prepared for look-ups. */
export interface RateTable {
  rows: readonly TableRow[]
  /** By currency (`''`: the shop's), then by country (`*`: all that are not named), then by method. */
  currencies: Map<string, Map<string, Map<string, MethodZones>>>
  /** Whether any row asks for the weight. */
  weighs: boolean
  surcharges: readonly SurchargeLine[]
  /** The instants at which a line begins or ends to be in use, sorted. */
  changes: readonly number[]
}

/** The next instant at which other lines are in use. */
export const nextChange = ({ changes }: RateTable, now: number): number | undefined =>
  changes.length === 0 ? undefined : changes.find((at) => at > now)

/** Puts rows into their zones. Zones that overlap without one lying in the other are faults. */
export function tableOf(lines: readonly TariffLine[], fault: ReportFault): RateTable {
  const surcharges = lines.filter(isSurcharge)
  const rows = lines.filter((line): line is TableRow => !isSurcharge(line))
  const builders = new Map<string, Map<string, Map<string, ZonesBuilder>>>()
  let weighs = false
  for (const row of rows) {
    weighs ||= row.weight.from > 0 || row.weight.to !== Number.POSITIVE_INFINITY
    const countries = entry(builders, row.currency ?? '', () => new Map())
    for (const country of row.countries) {
      const methods = entry(countries, country, () => new Map<string, ZonesBuilder>())
      const zones = entry(methods, row.id, () => new ZonesBuilder(row.id, country))
      if (row.zipcodes.length === 0) zones.whole(row)
      for (const zipcodes of row.zipcodes) zones.add(zipcodes, row)
    }
  }
  const currencies = mapped(builders, (countries) =>
    mapped(countries, (methods) => mapped(methods, (zones) => zones.finish(fault))),
  )
  return { rows, currencies, weighs, surcharges, changes: changesOf(lines) }
}

const isSurcharge = (line: TariffLine): line is SurchargeLine => 'kind' in line

function changesOf(lines: readonly TariffLine[]): number[] {
  const changes = new Set<number>()
  for (const { validFrom, validUntil } of lines) {
    if (validFrom !== Number.NEGATIVE_INFINITY) changes.add(validFrom)
    if (validUntil !== Number.POSITIVE_INFINITY) changes.add(validUntil)
  }
  return [...changes].sort((one, other) => one - other)
}

const mapped = <V, W>(map: Map<string, V>, change: (value: V) => W): Map<string, W> =>
  new Map(Array.from(map, ([key, value]) => [key, change(value)]))

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

interface Range {
  from: string
  to: string
  rows: TableRow[]
}

/** Collects the lines of one method in one country. */
export class ZonesBuilder {
  readonly #method: string
  readonly #country: string
  readonly #prefixes = new Map<string, TableRow[]>()
  readonly #ranges = new Map<number, Range[]>()
  #whole: TableRow[] | undefined

  constructor(method: string, country: string) {
    this.#method = method
    this.#country = country
  }

  whole(row: TableRow): void {
    this.#whole ??= []
    this.#whole.push(row)
  }

  /** Without a row it only defines a zone. */
  add(zipcodes: Zipcodes, row?: TableRow): void {
    const rows = row ? [row] : []
    if (zipcodes.kind === 'prefix') {
      entry(this.#prefixes, zipcodes.prefix, () => []).push(...rows)
      return
    }
    const { from, to } = zipcodes
    const ranges = entry(this.#ranges, from.length, () => [])
    // In most tariffs the lines of one zone are next to each other.
    const last = ranges.at(-1)
    if (last?.from === from && last.to === to) last.rows.push(...rows)
    else ranges.push({ from, to, rows })
  }

  finish(fault: ReportFault): MethodZones {
    const names: string[] = []
    const groups: TableRow[][] = []
    const zone = (name: string, rows: TableRow[]): number => {
      names.push(`${this.#country}${name}`)
      return groups.push(rows.toSorted(byEnd)) - 1
    }
    const ranges = [...this.#ranges]
      .sort(([one], [other]) => other - one)
      .map(([length, list]) => {
        const { sorted, around } = nest(list, fault, this.#method)
        return {
          length,
          from: Float64Array.from(sorted, ({ from }) => asNumber(from)),
          to: Float64Array.from(sorted, ({ to }) => asNumber(to)),
          zones: Int32Array.from(sorted, ({ from, to, rows }) =>
            zone(` ${from === to ? from : `${from}-${to}`}`, rows),
          ),
          around: Int32Array.from(around),
        }
      })
    const prefixes = new Map(
      Array.from(this.#prefixes, ([prefix, rows]) => [prefix, zone(` ${prefix}*`, rows)]),
    )
    const lengths = new Set(Array.from(prefixes.keys(), ({ length }) => length))
    const whole = this.#whole ? zone('', this.#whole) : -1
    let begin = 0
    const begins = [0, ...groups.map(({ length }) => (begin += length))]
    return {
      method: this.#method,
      names,
      begins: Int32Array.from(begins),
      lines: linesOf(groups),
      prefixes,
      prefixLengths: [...lengths].sort((one, other) => other - one),
      ranges,
      whole,
    }
  }
}

const byEnd = (one: TableRow, other: TableRow) => one.weight.to - other.weight.to || one.line - other.line

function linesOf(groups: TableRow[][]): Lines {
  const rows = groups.flat()
  const lowestFrom = new Float64Array(rows.length)
  let end = rows.length
  for (const group of groups.toReversed()) {
    let lowest = Number.POSITIVE_INFINITY
    for (const { weight } of group.toReversed()) {
      lowest = Math.min(lowest, weight.from)
      lowestFrom[--end] = lowest
    }
  }
  return {
    rows,
    weightFrom: Float64Array.from(rows, ({ weight }) => weight.from),
    weightTo: Float64Array.from(rows, ({ weight }) => weight.to),
    valueFrom: Float64Array.from(rows, ({ value }) => value.from),
    valueTo: Float64Array.from(rows, ({ value }) => value.to),
    valid: rows.some(isDated)
      ? {
          from: Float64Array.from(rows, ({ validFrom }) => validFrom),
          until: Float64Array.from(rows, ({ validUntil }) => validUntil),
        }
      : undefined,
    lowestFrom,
  }
}

const isDated = ({ validFrom, validUntil }: TableRow) =>
  validFrom !== Number.NEGATIVE_INFINITY || validUntil !== Number.POSITIVE_INFINITY

/** Sorts ranges, joins equal ones and notes which lies in which. */
function nest(list: Range[], fault: ReportFault, method: string): { sorted: Range[]; around: number[] } {
  const sorted: Range[] = []
  const around: number[] = []
  const open: number[] = []
  for (const range of list.toSorted(
    (one, other) => byText(one.from, other.from) || byText(other.to, one.to),
  )) {
    const last = sorted.at(-1)
    if (last?.from === range.from && last.to === range.to) {
      last.rows.push(...range.rows)
      continue
    }
    while (open.length > 0 && sorted[open.at(-1)!]!.to < range.from) open.pop()
    const outer = open.at(-1)
    if (outer !== undefined && sorted[outer]!.to < range.to) fault(overlap(range, sorted[outer]!, method))
    around.push(outer ?? -1)
    open.push(sorted.length)
    sorted.push(range)
  }
  return { sorted, around }
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Letters and digits as one number that sorts as they do; exact for up to ten of them. */
const asNumber = (zipcode: string): number => Number.parseInt(zipcode, 36)

function overlap(range: Range, other: Range, method: string): TableFault {
  const beside = `${other.from}-${other.to} of line ${other.rows[0]?.line ?? 0} (method ${method})`
  const remedy = 'end one where the other begins, or put one inside the other'
  const message = `${range.from}-${range.to} overlaps ${beside}: ${remedy}`
  return { line: range.rows[0]?.line ?? 0, column: 0, name: 'zipcode', message }
}

/** The methods that go to a country: its own, and those for all others that it does not have itself. */
export function methodsFor(
  countries: Map<string, Map<string, MethodZones>>,
  country: string,
): [own: MethodZones | undefined, others: MethodZones | undefined][] {
  const own = countries.get(country)
  const others = countries.get('*')
  const pairs: [MethodZones | undefined, MethodZones | undefined][] = []
  for (const zones of own?.values() ?? []) pairs.push([zones, others?.get(zones.method)])
  for (const zones of others?.values() ?? []) if (!own?.has(zones.method)) pairs.push([undefined, zones])
  return pairs
}

/** The most specific zone: the longest prefix, the narrowest range, the country; -1 for none. `zipcode` as `zipcodeKey` gives it. */
export function zoneFor({ prefixes, prefixLengths, ranges, whole }: MethodZones, zipcode: string): number {
  for (const length of prefixLengths) {
    const zone = length <= zipcode.length ? prefixes.get(zipcode.slice(0, length)) : undefined
    if (zone !== undefined) return zone
  }
  for (const { length, from, to, zones, around } of ranges) {
    if (length > zipcode.length) continue
    const key = asNumber(zipcode.slice(0, length))
    for (let place = countUpTo(from, key, 0, from.length) - 1; place >= 0; place = around[place]!) {
      if (to[place]! >= key) return zones[place]!
    }
  }
  return whole
}

export const rowsOf = ({ lines, begins }: MethodZones, zone: number): TableRow[] =>
  lines.rows.slice(begins[zone], begins[zone + 1])

/** The weight and value of a quote in millionths, and its instant. */
export interface Sought {
  weight: number
  value: number
  now: number
}

/** The row with the tightest band, then the lowest price, of those in use. */
export function rowFor(
  { lines, begins }: MethodZones,
  zone: number,
  { weight, value, now }: Sought,
): TableRow | undefined {
  const { rows, weightFrom, weightTo, valueFrom, valueTo, valid, lowestFrom } = lines
  const [begin, end] = [begins[zone]!, begins[zone + 1]!]
  let best: TableRow | undefined
  // From the first band that ends at the weight or above.
  for (let place = countUpTo(weightTo, weight - 1, begin, end); place < end; place++) {
    if (!startsBelow(lowestFrom[place]!, weight)) break
    if (!startsBelow(weightFrom[place]!, weight) || value < valueFrom[place]! || value >= valueTo[place]!)
      continue
    if (valid && (now < valid.from[place]! || now >= valid.until[place]!)) continue
    const row = rows[place]!
    if (!best || isTighter(row, best)) best = row
  }
  return best
}

const startsBelow = (from: number, weight: number) => from < weight || from === 0

/** Where the sorted numbers of a stretch go above the limit. */
function countUpTo(sorted: Float64Array, limit: number, begin: number, end: number): number {
  let low = begin
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Below 0 where the one band is narrower. Of two that have no end the one that begins later is. */
function narrower(one: Band, other: Band): number {
  if (one.to === other.to) return other.from - one.from
  return one.to - one.from - (other.to - other.from)
}

const isTighter = (row: TableRow, than: TableRow): boolean =>
  (narrower(row.weight, than.weight) ||
    narrower(row.value, than.value) ||
    Number(row.amount) - Number(than.amount)) < 0
