import type { Tariff } from './read-table.ts'
import type { Zipcodes } from './row.ts'
import { applies, type Surcharge } from './surcharges.ts'
import type { MethodZones, RateTable } from './table.ts'
import { type ZipCell, zipCells } from './zip-cells.ts'
import { zoneFor } from './zones.ts'

/** A zone of one method. */
export interface Zoned {
  own: MethodZones
  zone: number
}

/** One tariff, looked at for one method and place. */
export interface TariffSide {
  method: string
  /** Empty: any that no line names. */
  shopCurrency: string
  country: string
  zip: string
  surcharges: readonly Surcharge[]
  /** `undefined` where the tariff does not have the method. */
  zoned: Zoned | undefined
}

/** Both tariffs for one method in one place that is the same zone in each. */
export interface Sides {
  /** Such as `nl` or `nl 1000-1999`. */
  to: string
  before: TariffSide
  after: TariffSide
}

type Countries = Map<string, Map<string, MethodZones>>

/** Every currency, method and place that two tariffs distinguish. */
export function* sidesOf(before: Tariff, after: Tariff, onlyCurrency: string | undefined): Generator<Sides> {
  const both = [before, after]
  const currencies = new Set(both.flatMap(({ table }) => [...table.currencies.keys()]))
  const places = new Places(both)
  for (const shopCurrency of onlyCurrency === undefined ? currencies : [onlyCurrency]) {
    const [old, young] = both.map(({ table }) => countriesFor(table, shopCurrency))
    for (const country of places.countries) {
      const methods = new Set([old, young].flatMap((one) => [...methodsIn(one!, country)]))
      for (const method of methods) {
        const about = { method, shopCurrency, country }
        const side = (tariff: Tariff, countries: Countries) => (zip: string) => ({
          ...about,
          zip,
          surcharges: tariff.surcharges,
          zoned: zonedAt(countries, { method, country, zip }),
        })
        yield* groupsOf(places.cellsOf(country), country, side(before, old!), side(after, young!))
      }
    }
  }
}

/** As a quote finds them. */
const countriesFor = ({ currencies }: RateTable, currency: string): Countries =>
  currencies.get(currency) ?? currencies.get('') ?? currencies.values().next().value ?? new Map()

function* methodsIn(countries: Countries, country: string): Generator<string> {
  yield* countries.get(country)?.keys() ?? []
  if (country !== '*') yield* countries.get('*')?.keys() ?? []
}

function zonedAt(
  countries: Countries,
  { method, country, zip }: Record<'method' | 'country' | 'zip', string>,
): Zoned | undefined {
  for (const own of [countries.get(country)?.get(method), countries.get('*')?.get(method)]) {
    const zone = own ? zoneFor(own.zones, zip) : -1
    if (own && zone >= 0) return { own, zone }
  }
  return undefined
}

/** The places of two tariffs. */
class Places {
  readonly countries: ReadonlySet<string>
  readonly #zones = new Map<string, Zipcodes[]>()
  readonly #cells = new Map<string, ZipCell[]>()

  constructor(both: readonly Tariff[]) {
    const lines = both.flatMap(({ table }) => [...table.rows, ...table.surcharges])
    for (const { countries, zipcodes } of lines) {
      for (const country of countries) {
        const zones = this.#zones.get(country) ?? []
        this.#zones.set(country, zones)
        zones.push(...zipcodes)
      }
    }
    this.countries = new Set(this.#zones.keys())
  }

  cellsOf(country: string): readonly ZipCell[] {
    const known = this.#cells.get(country) ?? zipCells(this.#zones.get(country) ?? [])
    this.#cells.set(country, known)
    return known
  }
}

type Look = (zip: string) => TariffSide

/** Cells in the same zones of both tariffs, with the same surcharges, as one place. */
function groupsOf(cells: readonly ZipCell[], country: string, before: Look, after: Look): Sides[] {
  const groups = new Map<string, Sides & { cells: ZipCell[]; key: [string, string] }>()
  const sizes = new Map<string, number>()
  for (const cell of cells) {
    const sides = { before: before(cell.from), after: after(cell.from) }
    const key: [string, string] = [`old ${zoneNameOf(sides.before)}`, `new ${zoneNameOf(sides.after)}`]
    for (const one of key) sizes.set(one, (sizes.get(one) ?? 0) + 1)
    const sign = [...key, paidBy(sides.before), paidBy(sides.after)].join()
    const group = groups.get(sign) ?? { to: '', ...sides, cells: [], key }
    groups.set(sign, group)
    group.cells.push(cell)
  }
  return Array.from(groups.values(), ({ cells: its, key, ...sides }) => {
    const isWhole = (at: 0 | 1) => sizes.get(key[at]) === its.length
    return { ...sides, to: labelOf(its, country, sides, isWhole) }
  })
}

const zoneNameOf = ({ zoned }: TariffSide): string | undefined => zoned?.own.zones.names[zoned.zone]

/** Which surcharges the method pays at a place, whatever the time. */
const paidBy = ({ surcharges, method, country, zip }: TariffSide): string =>
  surcharges
    .map((one) => (applies(one, { method, country, zip, now: Math.max(one.validFrom, 0) }) ? 1 : 0))
    .join('')

/** The name of the zone, where the cells are exactly a zone. */
function labelOf(
  cells: readonly ZipCell[],
  country: string,
  { before, after }: Pick<Sides, 'before' | 'after'>,
  isWhole: (at: 0 | 1) => boolean,
): string {
  if (cells[0]!.from === '') return country
  const [young, old] = [after, before].map(zoneNameOf)
  if (young?.startsWith(`${country} `) && isWhole(1)) return young
  if (old?.startsWith(`${country} `) && isWhole(0)) return old
  return `${country} ${stretches(cells).join('|')}`
}

const stretches = (cells: readonly ZipCell[]): string[] =>
  cells.map(({ from, to }) => (from === to ? from : `${from}-${to}`))
