import type { ReportFault, TableFault } from './cells.ts'
import type { TableRow, Zipcodes } from './row.ts'

/** The zones of a country: where each lies, by its place in `names`. */
export interface Zones {
  names: string[]
  /** Zones by prefix, and the lengths of the prefixes, longest first. */
  prefixes: Map<string, number>
  prefixLengths: number[]
  /** By length of their zipcodes, longest first. */
  ranges: Ranges[]
  /** The zone of the whole country, or -1. */
  whole: number
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

interface Range {
  from: string
  to: string
  rows: TableRow[]
}

/** Collects the lines of one method in one country. */
export class ZonesBuilder {
  readonly method: string
  readonly #country: string
  readonly #prefixes = new Map<string, TableRow[]>()
  readonly #ranges = new Map<number, Range[]>()
  #whole: TableRow[] | undefined

  constructor(method: string, country: string) {
    this.method = method
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

  /** The zones, and the lines of each. Zones that are in `known` by the names of all of them are shared. */
  finish(fault: ReportFault, known = new Map<string, Zones>()): { zones: Zones; rows: TableRow[][] } {
    const names: string[] = []
    const rows: TableRow[][] = []
    const zone = (name: string, lines: TableRow[]): number => {
      names.push(`${this.#country}${name}`)
      return rows.push(lines) - 1
    }
    const ranges = [...this.#ranges]
      .sort(([one], [other]) => other - one)
      .map(([length, list]) => {
        const { sorted, around } = nest(list, fault, this.method)
        return {
          length,
          from: Float64Array.from(sorted, ({ from }) => asNumber(from)),
          to: Float64Array.from(sorted, ({ to }) => asNumber(to)),
          zones: Int32Array.from(sorted, ({ from, to, rows: lines }) =>
            zone(` ${from === to ? from : `${from}-${to}`}`, lines),
          ),
          around: Int32Array.from(around),
        }
      })
    const prefixes = new Map(
      Array.from(this.#prefixes, ([prefix, lines]) => [prefix, zone(` ${prefix}*`, lines)]),
    )
    const lengths = new Set(Array.from(prefixes.keys(), ({ length }) => length))
    const prefixLengths = [...lengths].sort((one, other) => other - one)
    const whole = this.#whole ? zone('', this.#whole) : -1
    const zones = entry(known, names.join(), () => ({ names, prefixes, prefixLengths, ranges, whole }))
    return { zones, rows }
  }
}

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
  return { line: range.rows[0]?.line ?? 0, name: 'zipcode', message }
}

/** The most specific zone: the longest prefix, the narrowest range, the country; -1 for none. `zipcode` as `zipcodeKey` gives it. */
export function zoneFor({ prefixes, prefixLengths, ranges, whole }: Zones, zipcode: string): number {
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

/** Finds the zone of one zipcode for several methods, which mostly share their zones. */
export class ZoneSearch {
  readonly #zipcode: string
  #zones: Zones | undefined
  #zone = -1

  constructor(zipcode: string) {
    this.#zipcode = zipcode
  }

  in(zones: Zones): number {
    if (zones !== this.#zones) {
      this.#zones = zones
      this.#zone = zoneFor(zones, this.#zipcode)
    }
    return this.#zone
  }
}

/** Where the sorted numbers of a stretch go above the limit. */
export function countUpTo(sorted: Float64Array, limit: number, begin: number, end: number): number {
  let low = begin
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The value of a key, made where there is none. */
export function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
