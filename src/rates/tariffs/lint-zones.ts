import { counted } from '../../printable.ts'
import { fromMillionths } from '../files/cells.ts'
import { extentOf, liesIn, type Part } from '../zipcodes/areas.ts'
import { zipcodeFormats, zipcodeText } from '../zipcodes/zipcode.ts'
import { dayBefore, dayOf, type LintFinding } from './lint-days.ts'
import type { SurchargeLine, TableRow } from './row.ts'
import { type MethodZones, rowsOf } from './table.ts'
import { sweep } from './zones.ts'

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
        const [line, outer] = [rowsOf(own, zone), rowsOf(own, wide)]
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
      for (const found of missing(rowsOf(own, zone), rowsOf(others, 0), '*')) yield { ...found, zone }
    if (won[zone]! > 0 || area.name === '' || extent.zipcodes.length === 0) continue
    const message = 'never wins: narrower lines cover all of its zipcodes. Remove it, or them'
    yield { kind: 'never', zone, line: firstLine(rowsOf(own, zone)), message }
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

/** Zipcodes that are written as their country does not write them, and prefixes that take more than many expect. Each zone is named once. */
export function zipcodeFindings(lines: readonly (TableRow | SurchargeLine)[]): LintFinding[] {
  const findings: LintFinding[] = []
  const seen = new Set<string>()
  const wide: LintFinding[] = []
  for (const { id: method, line, areas } of lines) {
    for (const area of areas) {
      const zone = `${area.country} ${area.name}`
      for (const part of [area.inside, ...area.without]) {
        const written = `${area.country} ${part.name}`
        if (part.name === '' || seen.has(written)) continue
        seen.add(written)
        const one = part.name === area.name ? '' : `${part.name} `
        const finding = (message: string): LintFinding => ({ kind: 'zipcode', line, method, zone, message })
        const fault = writingFault(area.country, part)
        if (fault) findings.push(finding(one + fault))
        const message = tooWide(area.country, part)
        if (message) wide.push(finding(one + message))
      }
    }
  }
  const [first, ...more] = wide
  if (!first) return findings
  const others = more.length > 0 ? `. ${more.length} more zones are such prefixes` : ''
  return [...findings, { ...first, message: first.message + others }]
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

/** British districts and areas that begin as another one does. */
function tooWide(country: string, { name, spans }: Part): string | undefined {
  const last = zipcodeText(country, spans.at(-1)!.to)
  return name.endsWith('*') && spans[0]!.from !== spans.at(-1)!.to
    ? `takes all up to ${last} too: write ${name.slice(0, -1)} for this one alone`
    : undefined
}
