import { counted } from '../../printable.ts'
import { fromMillionths } from '../files/cells.ts'
import { meet as areasMeet, extentOf, liesIn, type Part } from '../zipcodes/areas.ts'
import { zipcodeFormats } from '../zipcodes/zipcode.ts'
import type { Day } from '../zoned-time.ts'
import type { SurchargeLine, TableRow } from './row.ts'
import type { MethodZones } from './table.ts'
import { entry, type Piece, sweep } from './zones.ts'

type Found = Pick<LintFinding, 'kind' | 'line' | 'message'>

/** Zones of a method that overlap, never win, or lack what the zone around them has, or `others` of `*`. Each with its place in the list. */
export function* zoneFindings(own: MethodZones, others?: MethodZones): Generator<Found & { zone: number }> {
  const { list, names, regions } = own.zones
  const won = new Float64Array(list.length)
  const compared = new Set<number>()
  const inside = new Set<number>()
  for (const region of ['', ...(regions?.keys() ?? [])]) {
    const isNew = (zone: number | undefined) => zone !== undefined && list[zone]!.area.region === region
    const pieces = list.flatMap(({ area, extent }, zone) =>
      area.region === '' || area.region === region
        ? extent.zipcodes.map((stretch) => ({ zone, stretch }))
        : [],
    )
    let [start, winner]: [number, number | undefined] = [0, undefined]
    for (const { from, zones, changed } of sweep(pieces)) {
      if (isNew(winner)) won[winner!]! += from - start
      ;[start, winner] = [from, zones[0]]
      const last = Math.max(...changed) + changed.length
      for (let at = Math.max(0, Math.min(...changed) - 1); at <= last; at++) {
        const [zone, wide] = [zones[at], zones[at + 1]]
        if (zone === undefined || wide === undefined || !(isNew(zone) || isNew(wide))) continue
        const pair = zone * list.length + wide
        if (compared.has(pair) || (region !== '' && isNew(wide) && !isNew(zone))) continue
        compared.add(pair)
        const [line, outer] = [own.rows[zone]!, own.rows[wide]!]
        if (!liesIn(list[zone]!.extent, list[wide]!.extent)) {
          const [first, second] = [firstLine(line), firstLine(outer)].sort((a, b) => a - b)
          const [place, other] = second === firstLine(line) ? [zone, wide] : [wide, zone]
          const message = `overlaps ${names[other]} of line ${first}: where both fit, the one with fewer zipcodes wins. Put one inside the other, or divide them`
          yield { kind: 'overlap', zone: place, line: second!, message }
        } else if (!inside.has(zone)) {
          inside.add(zone)
          for (const found of missing(line, outer, names[wide]!)) yield { ...found, zone }
        }
      }
    }
  }
  for (const [zone, { area, extent }] of list.entries()) {
    if (others && !inside.has(zone))
      for (const found of missing(own.rows[zone]!, others.rows[0]!, '*')) yield { ...found, zone }
    if (won[zone]! > 0 || area.name === '' || extent.zipcodes.length === 0) continue
    const message = 'never wins: narrower lines cover all of its zipcodes. Remove it, or them'
    yield { kind: 'never', zone, line: firstLine(own.rows[zone]!), message }
  }
}

const firstLine = (rows: readonly TableRow[]): number =>
  rows.reduce((first, { line }) => Math.min(first, line), Number.POSITIVE_INFINITY)

/** Findings for weights and days that the zone around a zone has, and the zone has not, though it wins. */
function* missing(rows: readonly TableRow[], outer: readonly TableRow[], name: string): Generator<Found> {
  const least = <T>(all: readonly T[], of: (one: T) => number) =>
    all.reduce((best, one) => (of(one) < of(best) ? one : best))
  const lacks = (of: (row: TableRow) => number, words: (at: number) => string): Found[] => {
    const [row, wide] = [least(rows, of), least(outer, of)]
    if (of(row) <= of(wide)) return []
    const message = `${words(of(row))} here, and line ${wide.line} for ${name} is not asked: the narrower zone wins`
    return [{ kind: 'gap', line: row.line, message }]
  }
  const heaviest = ({ weight }: TableRow) => -weight.to
  const latest = ({ validUntil }: TableRow) => -validUntil
  const earliest = ({ validFrom }: TableRow) => validFrom
  yield* lacks(heaviest, (at) => `nothing covers weights above ${fromMillionths(-at)}`)
  yield* lacks(latest, (at) => `no line is in use from ${dayOf(-at)} on`)
  yield* lacks(earliest, (at) => `no line is in use until ${dayBefore(at)}`)
}

/** Zipcodes that are written as their country does not write them. Each zone is named once. */
export function zipcodeFindings(lines: readonly (TableRow | SurchargeLine)[]): LintFinding[] {
  const findings: LintFinding[] = []
  const seen = new Set<string>()
  for (const { id: method, line, areas } of lines) {
    for (const area of areas) {
      const zone = `${area.country} ${area.name}`
      for (const part of [area.inside, ...area.without]) {
        const written = `${area.country} ${part.name}`
        if (part.name === '' || seen.has(written)) continue
        seen.add(written)
        const one = part.name === area.name ? '' : `${part.name} `
        const fault = writingFault(area.country, part)
        if (fault) findings.push({ kind: 'zipcode', line, method, zone, message: one + fault })
      }
    }
  }
  return findings
}

function writingFault(country: string, part: Part): string | undefined {
  const { spans, isOpen } = part
  const format = zipcodeFormats.get(country)
  if (!format) return undefined
  const { places, partEnds, hasDistricts } = format
  const { from, to } = spans[0]!
  if (extentOf({ country, inside: part, without: [] }).size < 1 || from.length > places.length)
    return `does not have the form of zipcodes of ${country}: correct it, or remove it`
  const length = partEnds.find((end) => end >= from.length)!
  if (isOpen || hasDistricts || from.length === length) return undefined
  const write = (end: (key: string) => string) => (from === to ? end(from) : `${end(from)}-${end(to)}`)
  const isNumber = /^\d+$/.test(from)
  const filled = `${write((key) => key.padStart(length, '0'))} if a spreadsheet dropped zeros, or `
  const kind = isNumber ? 'digit' : 'character'
  return `has ${counted(from.length, kind)}, and zipcodes of ${country} have ${length}: write ${isNumber ? filled : ''}${write((key) => `${key}*`)} if more ${kind}s follow`
}

/** Something that a tariff allows and that is rarely intended. */
export interface LintFinding {
  kind: 'gap' | 'overlap' | 'twice' | 'never' | 'zipcode' | 'cents'
  line: number
  method: string
  zone: string
  message: string
}

// Days without a line, and days on which two lines charge one surcharge. Tables were read with the time zone UTC.

/** Days that no line of a zone covers, between two lines that cover the same weight and value. */
export function gapsOfDays(rows: readonly TableRow[]) {
  if (rows.every(({ validUntil }) => validUntil === Number.POSITIVE_INFINITY)) return []
  const byDay = rows.toSorted((one, other) => one.validFrom - other.validFrom || one.line - other.line)
  // The same two lines may leave a gap in many bands: its days are written once.
  const found = new Map<TableRow, Set<TableRow>>()
  for (const fitting of strips(byDay, 'weight'))
    for (const covering of strips(fitting, 'value'))
      for (const [before, row] of gapsBetween(covering)) entry(found, before, () => new Set()).add(row)
  return [...found].flatMap(([before, after]) =>
    [...after].map((row) => {
      const days = between({ validFrom: before.validUntil, validUntil: row.validFrom })
      const message = `no line is in use ${days}, between line ${before.line} and this one`
      return { line: row.line, message }
    }),
  )
}

/** The rows, in their order, of each stretch in which every weight, or value, has the same ones. */
function* strips(rows: readonly TableRow[], what: 'weight' | 'value'): Generator<TableRow[]> {
  const { from, to } = rows[0]![what]
  if (rows.every((row) => row[what].from === from && row[what].to === to)) return void (yield [...rows])
  const pieces = rows.map((row, zone): Piece => ({ zone, stretch: [row[what].from, row[what].to - 1] }))
  for (const { zones } of sweep(pieces)) if (zones.length > 0) yield zones.map((one) => rows[one]!)
}

function* gapsBetween(rows: readonly TableRow[]): Generator<[before: TableRow, row: TableRow]> {
  let before: TableRow | undefined
  for (const row of rows) {
    if (before && row.validFrom > before.validUntil) yield [before, row]
    if (!before || row.validUntil > before.validUntil) before = row
  }
}

/** Pairs of lines that charge one surcharge at one time, for one place and method. */
export function* chargedTwice(surcharges: readonly SurchargeLine[]) {
  for (const lines of Map.groupBy(surcharges, ({ id }) => id).values()) {
    for (const [index, surcharge] of lines.entries()) {
      for (const first of lines.slice(0, index)) {
        const validFrom = Math.max(first.validFrom, surcharge.validFrom)
        const validUntil = Math.min(first.validUntil, surcharge.validUntil)
        if (validFrom >= validUntil || !meet(first, surcharge)) continue
        const days = between({ validFrom, validUntil })
        const message = `is charged beside line ${first.line}${days && ` ${days}`}: both are added`
        yield { line: surcharge.line, message, surcharge }
      }
    }
  }
}

function meet(one: SurchargeLine, other: SurchargeLine): boolean {
  const [some, others] = [one.appliesTo, other.appliesTo]
  if (some.length > 0 && others.length > 0 && !some.some((id) => others.includes(id))) return false
  if (one.countries[0] === '*' || other.countries[0] === '*') return true
  return one.areas.some((area) =>
    other.areas.some((also) => area.country === also.country && areasMeet(area, also)),
  )
}

const dayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10)
const dayBefore = (at: number): Day => dayOf(at - 1)

/** `from 2026-12-01 to 2026-12-04`, with the last day; empty for all time. */
function between({ validFrom, validUntil }: Pick<TableRow, 'validFrom' | 'validUntil'>): string {
  const from = Number.isFinite(validFrom) ? dayOf(validFrom) : undefined
  const to = Number.isFinite(validUntil) ? dayBefore(validUntil) : undefined
  if (from === undefined) return to === undefined ? '' : `until ${to}`
  if (to === undefined) return `from ${from} on`
  return from === to ? `on ${from}` : `from ${from} to ${to}`
}
