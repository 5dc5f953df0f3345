import type { Band } from '../files/cells.ts'
import type { SurchargeLine, TableRow, TariffLine } from './row.ts'
import { entry, type Placed, type Zones, zonesOf } from './zones.ts'

export type MethodZones = ReturnType<typeof methodZonesOf>
export type RateTable = ReturnType<typeof tableOf>

/** The next instant at which other lines are in use. */
export const nextChange = ({ changes }: RateTable, now: number): number | undefined =>
  changes.length === 0 ? undefined : changes.find((at) => at > now)

export function tableOf(lines: readonly TariffLine[]) {
  const surcharges = lines.filter(isSurcharge)
  const rows = lines.filter((line): line is TableRow => !isSurcharge(line))
  const placed = new Map<string, Map<string, Map<string, Placed[]>>>()
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
  const changes = new Set(lines.flatMap(({ validFrom, validUntil }) => [validFrom, validUntil]))
  return [...changes].filter(Number.isFinite).sort((one, other) => one - other)
}

export const mapped = <V, W>(map: Map<string, V>, change: (value: V) => W): Map<string, W> =>
  new Map(Array.from(map, ([key, value]) => [key, change(value)]))

/** Methods with the same zones share them. */
function methodZonesOf(placed: readonly Placed[], known: Map<string, Zones>) {
  const { zones, rows } = zonesOf(placed, known)
  return { method: placed[0]!.row!.id, zones, rows: rows.map((group) => group.toSorted(byEnd)) }
}

const byEnd = (one: TableRow, other: TableRow) => one.weight.to - other.weight.to || one.line - other.line

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

export interface Sought {
  weight: number
  value: number
  now: number
}

/** The row with the tightest band, then the lowest price, of those in use. */
export function rowFor({ rows }: MethodZones, zone: number, sought: Sought): TableRow | undefined {
  let best: TableRow | undefined
  for (const row of rows[zone]!) if (covers(row, sought) && (!best || isTighter(row, best))) best = row
  return best
}

const covers = ({ weight, value, validFrom, validUntil }: TableRow, sought: Sought): boolean =>
  sought.weight <= weight.to &&
  (weight.from < sought.weight || weight.from === 0) &&
  value.from <= sought.value &&
  sought.value < value.to &&
  validFrom <= sought.now &&
  sought.now < validUntil

/** Below 0 where the one band is narrower. Of two that have no end the one that begins later is. */
function narrower(one: Band, other: Band): number {
  if (one.to === other.to) return other.from - one.from
  return one.to - one.from - (other.to - other.from)
}

const isTighter = (row: TableRow, than: TableRow): boolean =>
  (narrower(row.weight, than.weight) ||
    narrower(row.value, than.value) ||
    Number(row.amount) - Number(than.amount)) < 0
