import type { Destination, Span } from '../zipcodes/areas.ts'
import { numberOf, zipcodeText } from '../zipcodes/zipcode.ts'
import { applies, type Surcharge } from './offers.ts'
import type { Tariff } from './read-table.ts'
import { countriesFor, type MethodZones, mapped } from './table.ts'
import { entry, zoneFor } from './zones.ts'

export interface TariffSide {
  method: string
  /** Empty: any that no line names. */
  shopCurrency: string
  destination: Destination
  surcharges: readonly Surcharge[]
  /** `undefined` where the tariff does not have the method. */
  zoned: ReturnType<typeof zonedAt>
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
  const places = [...zoneCells(both)]
  for (const shopCurrency of onlyCurrency === undefined ? currencies : [onlyCurrency]) {
    const [old, young] = both.map(({ table }): Countries => countriesFor(table, shopCurrency) ?? new Map())
    for (const [country, cells] of places) {
      const methods = new Set([old, young].flatMap((one) => [...methodsIn(one!, country)]))
      for (const method of methods) {
        const side =
          ({ surcharges }: Tariff, countries: Countries) =>
          (destination: Destination) => {
            const zoned = zonedAt(countries, method, destination)
            return { method, shopCurrency, destination, surcharges, zoned }
          }
        yield* groupsOf(cells, country, side(before, old!), side(after, young!))
      }
    }
  }
}

function* methodsIn(countries: Countries, country: string): Generator<string> {
  yield* countries.get(country)?.keys() ?? []
  if (country !== '*') yield* countries.get('*')?.keys() ?? []
}

function zonedAt(countries: Countries, method: string, destination: Destination) {
  for (const own of [countries.get(destination.country)?.get(method), countries.get('*')?.get(method)]) {
    const zone = own ? zoneFor(own.zones, destination) : -1
    if (own && zone >= 0) return { own, zone }
  }
  return undefined
}

/** Zipcodes and a region that lie in the same zones. Ends are as long as those of the longest zone, and empty without a zipcode. */
type Cell = Span & { region: string }

/** The places that tariffs distinguish, by country. */
export function zoneCells(tariffs: readonly Pick<Tariff, 'table'>[]): Map<string, readonly Cell[]> {
  const lines = tariffs.flatMap(({ table }) => [...table.rows, ...table.surcharges])
  const all = lines.flatMap(({ areas }) => areas)
  const byCountry = Map.groupBy(all, ({ country }) => country)
  return mapped(byCountry, (areas) => {
    const parts = areas.flatMap(({ inside, without }) => [inside, ...without])
    const cells = zipCells(parts.flatMap(({ spans }) => spans).filter(({ to }) => to !== ''))
    const regions = new Set(['', ...areas.map(({ region }) => region)])
    return [...regions].flatMap((region) => cells.map((cell) => ({ ...cell, region })))
  })
}

type Look = (destination: Destination) => TariffSide

/** Cells in the same zones of both tariffs, with the same surcharges, as one place. */
function groupsOf(cells: readonly Cell[], country: string, before: Look, after: Look): Sides[] {
  const groups = new Map<string, Sides & { cells: Cell[]; key: [string, string] }>()
  const sizes = new Map<string, number>()
  for (const cell of cells) {
    const to: Destination = { country, zip: numberOf(cell.from), region: cell.region }
    const sides = { before: before(to), after: after(to) }
    const key: [string, string] = [`old ${zoneNameOf(sides.before)}`, `new ${zoneNameOf(sides.after)}`]
    for (const one of key) sizes.set(one, (sizes.get(one) ?? 0) + 1)
    const sign = [...key, paidBy(sides.before), paidBy(sides.after)].join()
    entry(groups, sign, () => ({ to: '', ...sides, cells: [], key })).cells.push(cell)
  }
  return Array.from(groups.values(), ({ cells: its, key, ...sides }) => {
    const isWhole = (at: 0 | 1) => sizes.get(key[at]) === its.length
    return { ...sides, to: labelOf(its, country, sides, isWhole) }
  })
}

const zoneNameOf = ({ zoned }: TariffSide): string | undefined => zoned?.own.zones.names[zoned.zone]

const paidBy = ({ surcharges, ...at }: TariffSide): string =>
  surcharges.map((one) => Number(applies(one, { ...at, now: Math.max(one.validFrom, 0) }))).join('')

/** The name of the zone, where the cells are exactly a zone. */
function labelOf(cells: Cell[], country: string, sides: Omit<Sides, 'to'>, isWhole: (at: 0 | 1) => boolean) {
  const { before, after } = sides
  if (cells[0]!.from + cells[0]!.region === '') return country
  const [young, old] = [after, before].map(zoneNameOf)
  if (young?.startsWith(`${country} `) && isWhole(1)) return young
  if (old?.startsWith(`${country} `) && isWhole(0)) return old
  return `${country} ${[...new Set(cells.map((cell) => cellText(country, cell)))].join('|')}`
}

function cellText(country: string, { from, to, region }: Cell): string {
  const [first, last] = [from, to].map((key) => zipcodeText(country, key))
  return [first === last ? first : `${first}-${last}`, region && `region ${region}`].filter(Boolean).join(' ')
}

/** No zipcode: the whole country, or a cart that knows none. */
const unknown: Span = { from: '', to: '' }
const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Divides a country's zipcodes where a zone begins or ends. The first cell is that of no zipcode. */
function zipCells(zones: readonly Span[]): Span[] {
  if (zones.length === 0) return [unknown]
  const ends = zones.map(({ from, to }) => [from, to])
  const alphabets = alphabetsOf(ends.flat())
  const size = alphabets.reduce((product, { length }) => product * length, 1)
  const starts = new Set([0])
  for (const [from = '', to = ''] of ends) {
    starts.add(numberIn(from, alphabets, 'first'))
    starts.add(numberIn(to, alphabets, 'last') + 1)
  }
  const sorted = [...starts].filter((start) => start < size).sort((one, other) => one - other)
  const cells = sorted.map((start, at) => ({
    from: textOf(start, alphabets),
    to: textOf((sorted[at + 1] ?? size) - 1, alphabets),
  }))
  return [unknown, ...cells]
}

function alphabetsOf(texts: readonly string[]): string[] {
  const length = Math.max(...texts.map((text) => text.length))
  return Array.from({ length }, (_, at) => {
    const used = texts.map((text) => text[at] ?? '').join('')
    return (/ /.test(used) ? ' ' : '') + (/\d/.test(used) ? digits : '') + (/[A-Z]/.test(used) ? letters : '')
  })
}

/** The zipcode as a number that sorts as zipcodes do. A shorter one stands for the first or the last that begins with it. */
const numberIn = (text: string, alphabets: readonly string[], pad: 'first' | 'last'): number =>
  alphabets.reduce((number, alphabet, at) => {
    const letter = text[at]
    const padding = pad === 'first' ? 0 : alphabet.length - 1
    return number * alphabet.length + (letter === undefined ? padding : alphabet.indexOf(letter))
  }, 0)

function textOf(number: number, alphabets: readonly string[]): string {
  let text = ''
  let left = number
  for (const alphabet of alphabets.toReversed()) {
    text = alphabet[left % alphabet.length]! + text
    left = Math.floor(left / alphabet.length)
  }
  return text
}
