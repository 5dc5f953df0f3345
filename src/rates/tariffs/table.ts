import type { Band } from '../files/cells.ts'
import type { SurchargeLine, TableRow, TariffLine } from './row.ts'
import { countUpTo, entry, type Placed, type Zones, zonesOf } from './zones.ts'

/**
 * One method's lines in one country, made for looking up. A tariff is larger than the processor's cache and every look outside
 * it counts, so what is compared lies side by side in arrays of numbers, and a line itself is touched only when it is taken.
 */
export type MethodZones = ReturnType<typeof methodZonesOf>

/** A tariff prepared for look-ups. */
export type RateTable = ReturnType<typeof tableOf>

/** The next instant at which other lines are in use. */
export const nextChange = ({ changes }: RateTable, now: number): number | undefined =>
  changes.length === 0 ? undefined : changes.find((at) => at > now)

/** Puts rows into their zones. */
export function tableOf(lines: readonly TariffLine[]) {
  const surcharges = lines.filter(isSurcharge)
  const rows = lines.filter((line): line is TableRow => !isSurcharge(line))
  const placed = new Map<string, Map<string, Map<string, Placed[]>>>()
  /** Whether any row asks for the weight. */
  let weighs = false
  for (const row of rows) {
    weighs ||= row.weight.from > 0 || row.weight.to !== Number.POSITIVE_INFINITY
    const countries = entry(placed, row.currency ?? '', () => new Map())
    for (const area of row.areas) {
      const methods = entry(countries, area.country, () => new Map<string, Placed[]>())
      entry(methods, row.id, (): Placed[] => []).push({ area, row })
    }
  }
  /** By currency (`''`: the shop's), then by country (`*`: all that are not named), then by method. */
  const currencies = mapped(placed, (countries) =>
    mapped(countries, (methods) => {
      const known = new Map<string, Zones>()
      return mapped(methods, (own) => methodZonesOf(own, known))
    }),
  )
  return { rows, currencies, weighs, surcharges, changes: changesOf(lines) }
}

const isSurcharge = (line: TariffLine): line is SurchargeLine => 'kind' in line

/** The instants at which a line begins or ends to be in use, sorted. */
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

/** Methods with the same zones share them. */
function methodZonesOf(placed: readonly Placed[], known: Map<string, Zones>) {
  const { zones, rows } = zonesOf(placed, known)
  const groups = rows.map((group) => group.toSorted(byEnd))
  let begin = 0
  /** Where the lines of each zone begin in `lines`; they end where the next one's begin. */
  const begins = Int32Array.from([0, ...groups.map(({ length }) => (begin += length))])
  return { method: placed[0]!.row!.id, zones, begins, lines: linesOf(groups) }
}

const byEnd = (one: TableRow, other: TableRow) => one.weight.to - other.weight.to || one.line - other.line

function linesOf(groups: TableRow[][]) {
  /** Sorted by zone, then by the end of the weight band. */
  const rows = groups.flat()
  /** The lowest start of a band of weight from each line on to the end of its zone: behind it there is nothing to look for. */
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
    /** In use from and until, in milliseconds since 1970. `undefined` if every line always is. */
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

/**
 * The lines of a currency, or else those without one. A currency that the shop does not have comes last: the framework converts its rates,
 * or leaves them out and says so.
 */
export const countriesFor = ({ currencies }: RateTable, currency: string) =>
  currencies.get(currency) ?? currencies.get('') ?? currencies.values().next().value

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

export const rowsOf = ({ lines, begins }: MethodZones, zone: number): TableRow[] =>
  lines.rows.slice(begins[zone], begins[zone + 1])

/** The weight and value of a quote in millionths, and its instant. */
export interface Sought {
  weight: number
  value: number
  now: number
}

/** The row with the tightest band, then the lowest price, of those in use. */
export function rowFor(own: MethodZones, zone: number, sought: Sought): TableRow | undefined {
  const { lines, begins } = own
  const { weight, value, now } = sought
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

/** Below 0 where the one band is narrower. Of two that have no end the one that begins later is. */
function narrower(one: Band, other: Band): number {
  if (one.to === other.to) return other.from - one.from
  return one.to - one.from - (other.to - other.from)
}

const isTighter = (row: TableRow, than: TableRow): boolean =>
  (narrower(row.weight, than.weight) ||
    narrower(row.value, than.value) ||
    Number(row.amount) - Number(than.amount)) < 0
