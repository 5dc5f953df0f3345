import {
  type Area,
  type Destination,
  type Extent,
  extentOf,
  type PlaceCells,
  readAreas,
  type Stretch,
} from '../zipcodes/areas.ts'
import type { TableRow } from './row.ts'

/** The zones of one method in a country, the narrowest first. A zone is named by its place in `list`. */
export interface Zones {
  names: string[]
  list: readonly Zone[]
  anywhere: Winners
  regions: ReadonlyMap<string, Winners> | undefined
}

interface Zone {
  area: Area
  extent: Extent
}

/** Which zone wins from each number of a zipcode on, until the next one. -1 for none. Sorted. */
type Winners = ReturnType<typeof winnersOf>

/** An area, and the line that it is of. Without a line it only defines a zone. */
export interface Placed {
  area: Area
  row?: TableRow
}

/** The zones of a method in a country, and the lines of each. Zones that are in `known` by what all of them cover are shared. */
export function zonesOf(
  placed: readonly Placed[],
  known = new Map<string, Zones>(),
): { zones: Zones; rows: TableRow[][] } {
  const bySign = new Map<string, Zone & { rows: TableRow[] }>()
  for (const same of Map.groupBy(placed, ({ area }) => area.name).values()) {
    const [{ area }] = same as [Placed]
    const extent = extentOf(area)
    const covered = extent.zipcodes.length > 0 ? extent.zipcodes : ['', ...extent.keys]
    const zone = entry(bySign, `${area.region} ${covered.join()}`, () => ({ area, extent, rows: [] }))
    // One way to write a zone may have zipcodes that are not whole, such as `10*` beside `1000-1099`.
    if (zone.area !== area) zone.extent = { ...extent, keys: [...zone.extent.keys, ...extent.keys] }
    for (const { row } of same) if (row) zone.rows.push(row)
  }
  const sorted = [...bySign].sort(([, one], [, other]) => narrower(one, other))
  const list = sorted.map(([, { area, extent }]) => ({ area, extent }))
  const sign = sorted.map(([one]) => one).join(';')
  return { zones: entry(known, sign, () => withWinners(list)), rows: sorted.map(([, { rows }]) => rows) }
}

/** By what they cover; of zones that cover as much, one for a region first, then the one whose first line comes first. */
const narrower = (one: Zone, other: Zone): number =>
  one.extent.size - other.extent.size || Number(one.area.region === '') - Number(other.area.region === '')

function withWinners(list: readonly Zone[]): Zones {
  const byRegion = Map.groupBy(list.entries(), ([, { area }]) => area.region)
  const piecesOf = ([zone, { extent }]: [number, Zone]) => extent.keys.map((stretch) => ({ zone, stretch }))
  const regions = new Map(
    Array.from(byRegion, ([region, zones]) => [region, winnersOf(zones.flatMap(piecesOf))]),
  )
  const anywhere = regions.get('') ?? winnersOf([])
  regions.delete('')
  return {
    names: list.map(({ area }) => `${area.country} ${area.name}`.trim()),
    list,
    anywhere,
    regions: regions.size > 0 ? regions : undefined,
  }
}

function winnersOf(pieces: readonly Piece[]) {
  const cells: [from: number, zone: number][] = []
  for (const { from, zones } of sweep(pieces)) {
    const zone = zones[0] ?? -1
    if (cells.at(-1)?.[1] !== zone) cells.push([from, zone])
  }
  return { from: cells.map(([from]) => from), zones: cells.map(([, zone]) => zone) }
}

export interface Piece {
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
  for (const [index, { at, zone, begins }] of edges.entries()) {
    const first = countUpTo(zones, zone - 1)
    if (begins) zones.splice(first, 0, zone)
    else zones.splice(first, 1)
    changed.push(first)
    if (edges[index + 1]?.at === at) continue
    yield { from: at, zones, changed }
    changed = []
  }
}

/** The narrowest zone of a destination; -1 for none. */
export function zoneFor({ anywhere, regions }: Zones, { zip, region }: Destination): number {
  const zone = winnerAt(anywhere, zip)
  const own = region === '' ? undefined : regions?.get(region)
  const inRegion = own ? winnerAt(own, zip) : -1
  return zone < 0 || inRegion < 0 ? Math.max(zone, inRegion) : Math.min(zone, inRegion)
}

const winnerAt = ({ from, zones }: Winners, zip: number): number => zones[countUpTo(from, zip) - 1] ?? -1
export type IsPlace = (destination: Destination) => boolean

/** The areas of each country are prepared for look-ups when it is asked for. */
export function isPlaceIn(areasIn: (country: string) => readonly Area[]): IsPlace {
  const byCountry = new Map<string, Zones>()
  const zonesIn = (country: string) => zonesOf(areasIn(country).map((area) => ({ area }))).zones
  return (destination) => {
    const { country } = destination
    const zones = entry(byCountry, country, () => zonesIn(country))
    return zoneFor(zones, destination) >= 0
  }
}

/** The places that cells mean in any country. Reports faults as the countries write them, or, without any, as most do. `undefined`: everywhere. */
export function placesOf(
  cells: PlaceCells,
  countries: readonly string[] | undefined,
  fault: (message: string) => void,
): IsPlace | undefined {
  if (cells.zipcode + cells.region === '') return undefined
  const faults = new Set<string>()
  for (const country of countries ?? ['']) readAreas(country, cells, (message) => void faults.add(message))
  for (const message of faults) fault(message)
  return isPlaceIn((country) => readAreas(country, cells, () => {}))
}

/** How many of sorted numbers are not above the limit. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= limit) low = middle + 1
    else high = middle
  }
  return low
}

export function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
