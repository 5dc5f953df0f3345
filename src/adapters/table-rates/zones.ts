import {
  type Area,
  type Destination,
  type Extent,
  extentOf,
  type PlaceCells,
  readAreas,
  type Stretch,
} from '../../rates/zipcodes/areas.ts'
import type { TableRow } from './row.ts'

/** The zones of one method in a country, the narrowest first. A zone is named by its place in `list`. */
export interface Zones {
  names: string[]
  list: readonly Zone[]
  anywhere: Winners
  /** By region, the zones that are for it alone. */
  regions: ReadonlyMap<string, Winners> | undefined
}

interface Zone {
  area: Area
  extent: Extent
}

/** Which zone wins from each number of a zipcode on, until the next one. -1 for none. Sorted. */
interface Winners {
  from: Float64Array
  zones: Int32Array
}

/** Collects the lines of one method in one country. */
export class ZonesBuilder {
  readonly method: string
  readonly #byName = new Map<string, { area: Area; rows: TableRow[] }>()

  constructor(method: string) {
    this.method = method
  }

  /** Without a row it only defines a zone. */
  add(area: Area, row?: TableRow): void {
    const { rows } = entry(this.#byName, area.name, () => ({ area, rows: [] }))
    if (row) rows.push(row)
  }

  /** The zones, and the lines of each. Zones that are in `known` by what all of them cover are shared. */
  finish(known = new Map<string, Zones>()): { zones: Zones; rows: TableRow[][] } {
    const bySign = new Map<string, Zone & { rows: TableRow[] }>()
    for (const { area, rows } of this.#byName.values()) {
      const extent = extentOf(area)
      const covered = extent.zipcodes.length > 0 ? extent.zipcodes : ['', ...extent.keys]
      const zone = entry(bySign, `${area.region} ${covered.join()}`, () => ({ area, extent, rows: [] }))
      // One way to write a zone may have zipcodes that are not whole, such as `10*` beside `1000-1099`.
      if (zone.area !== area) zone.extent = { ...extent, keys: [...zone.extent.keys, ...extent.keys] }
      for (const row of rows) zone.rows.push(row)
    }
    const sorted = [...bySign].sort(([, one], [, other]) => narrower(one, other))
    const list = sorted.map(([, { area, extent }]) => ({ area, extent }))
    const sign = sorted.map(([one]) => one).join(';')
    return { zones: entry(known, sign, () => zonesOf(list)), rows: sorted.map(([, { rows }]) => rows) }
  }
}

/** By what they cover; of zones that cover as much, one for a region first, then the one whose first line comes first. */
const narrower = (one: Zone, other: Zone): number =>
  one.extent.size - other.extent.size || Number(one.area.region === '') - Number(other.area.region === '')

function zonesOf(list: readonly Zone[]): Zones {
  const byRegion = Map.groupBy(list.entries(), ([, { area }]) => area.region)
  const winners = Array.from(byRegion, ([region, zones]): [string, Winners] => [
    region,
    winnersOf(zones.flatMap(([zone, { extent }]) => extent.keys.map((stretch) => ({ zone, stretch })))),
  ])
  const regions = new Map(winners)
  const anywhere = regions.get('') ?? winnersOf([])
  regions.delete('')
  return {
    names: list.map(({ area }) => `${area.country} ${area.name}`.trim()),
    list,
    anywhere,
    regions: regions.size > 0 ? regions : undefined,
  }
}

function winnersOf(pieces: readonly Piece[]): Winners {
  const cells: [from: number, zone: number][] = []
  for (const { from, zones } of sweep(pieces)) {
    const zone = zones[0] ?? -1
    if (cells.at(-1)?.[1] !== zone) cells.push([from, zone])
  }
  return {
    from: Float64Array.from(cells, ([from]) => from),
    zones: Int32Array.from(cells, ([, zone]) => zone),
  }
}

/** A stretch of a zone. */
interface Piece {
  zone: number
  stretch: Stretch
}

/** Goes along all numbers, and stops where a stretch begins or has ended. `zones` has those of the place, narrowest first, until the next stop. */
export function* sweep(
  pieces: readonly Piece[],
): Generator<{ from: number; zones: readonly number[]; changed: readonly number[] }> {
  const edges = pieces.flatMap(({ zone, stretch: [from, to] }) => [
    { at: from, zone, begins: true },
    { at: to + 1, zone, begins: false },
  ])
  edges.sort((one, other) => one.at - other.at || Number(one.begins) - Number(other.begins))
  const zones: number[] = []
  let changed: number[] = []
  for (const [place, { at, zone, begins }] of edges.entries()) {
    const first = firstAtLeast(zones, zone)
    if (begins) zones.splice(first, 0, zone)
    else zones.splice(first, 1)
    changed.push(first)
    if (edges[place + 1]?.at === at) continue
    yield { from: at, zones, changed }
    changed = []
  }
}

/** The place of the first number that is not below `wanted`, in sorted numbers. */
export function firstAtLeast(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** The narrowest zone of a destination; -1 for none. */
export function zoneFor({ anywhere, regions }: Zones, { zip, region }: Destination): number {
  const zone = winnerAt(anywhere, zip)
  const own = region === '' ? undefined : regions?.get(region)
  const inRegion = own ? winnerAt(own, zip) : -1
  return zone < 0 || inRegion < 0 ? Math.max(zone, inRegion) : Math.min(zone, inRegion)
}

function winnerAt({ from, zones }: Winners, zip: number): number {
  const place = countUpTo(from, zip, 0, from.length) - 1
  return place < 0 ? -1 : zones[place]!
}

/** Finds the zone of one destination for several methods, which mostly share their zones. */
export class ZoneSearch {
  readonly #destination: Destination
  #zones: Zones | undefined
  #zone = -1

  constructor(destination: Destination) {
    this.#destination = destination
  }

  in(zones: Zones): number {
    if (zones !== this.#zones) {
      this.#zones = zones
      this.#zone = zoneFor(zones, this.#destination)
    }
    return this.#zone
  }
}

/** Areas of a condition or a surcharge, prepared for look-ups in each country that is asked for. */
export class Places {
  readonly #areasIn: (country: string) => readonly Area[]
  readonly #byCountry = new Map<string, Zones>()

  constructor(areasIn: (country: string) => readonly Area[]) {
    this.#areasIn = areasIn
  }

  has(destination: Destination): boolean {
    const zones = entry(this.#byCountry, destination.country, () => {
      const builder = new ZonesBuilder('')
      for (const area of this.#areasIn(destination.country)) builder.add(area)
      return builder.finish().zones
    })
    return zoneFor(zones, destination) >= 0
  }
}

/** The places that cells mean in any country. Reports faults as the countries write them, or, without any, as most do. `undefined`: everywhere. */
export function placesOf(
  cells: PlaceCells,
  countries: readonly string[] | undefined,
  fault: (message: string) => void,
): Places | undefined {
  if (cells.zipcode + cells.region === '') return undefined
  for (const message of new Set((countries ?? ['']).flatMap((country) => faultsIn(country, cells))))
    fault(message)
  return new Places((country) => readAreas(country, cells, () => {}))
}

function faultsIn(country: string, cells: PlaceCells): string[] {
  const faults: string[] = []
  readAreas(country, cells, (message) => void faults.push(message))
  return faults
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
