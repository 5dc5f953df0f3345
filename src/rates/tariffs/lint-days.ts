import { meet as areasMeet } from '../zipcodes/areas.ts'
import { type Day, ZonedTime } from '../zoned-time.ts'
import type { SurchargeLine, TableRow } from './row.ts'
import { entry, type Piece, sweep } from './zones.ts'

/** Something that a tariff allows and that is rarely intended. */
export interface LintFinding {
  kind: 'gap' | 'overlap' | 'twice' | 'never' | 'zipcode' | 'cents'
  line: number
  /** The shipping method or the surcharge, and the zone. */
  method: string
  zone: string
  message: string
}

// Days without a line, and days on which two lines charge one surcharge. Tables were read with the time zone UTC.

/** A finding at a line of the tariff. */
interface AtLine {
  line: number
  message: string
}

type Dated = Pick<TableRow, 'line' | 'validFrom' | 'validUntil'>

/** Days that no line of a zone covers, between two lines that cover the same weight and value. */
export function gapsOfDays(rows: readonly TableRow[]): AtLine[] {
  if (rows.every(({ validUntil }) => validUntil === Number.POSITIVE_INFINITY)) return []
  const byDay = rows.toSorted((one, other) => one.validFrom - other.validFrom || one.line - other.line)
  // The same two lines may leave a gap in many bands: its days are written once.
  const found = new Map<TableRow, Set<TableRow>>()
  for (const fitting of strips(byDay, 'weight')) {
    for (const covering of strips(fitting, 'value')) {
      for (const [before, row] of gapsBetween(covering)) entry(found, before, () => new Set()).add(row)
    }
  }
  return [...found].flatMap(([before, after]) =>
    [...after].map((row) => {
      const days = between({ validFrom: before.validUntil, validUntil: row.validFrom })
      const message = `no line is in use ${days}, between line ${before.line} and this one`
      return { line: row.line, message }
    }),
  )
}

/**
 * The rows that fit between each two neighbouring edges of bands, where every weight, or value, has the same ones. They keep their order.
 * Its work is the number of rows that it yields, after one sort.
 */
function* strips(rows: readonly TableRow[], what: 'weight' | 'value'): Generator<TableRow[]> {
  const { from, to } = rows[0]![what]
  if (rows.every((row) => row[what].from === from && row[what].to === to)) return void (yield [...rows])
  const pieces = rows.map((row, zone): Piece => ({ zone, stretch: [row[what].from, row[what].to - 1] }))
  for (const { zones } of sweep(pieces)) if (zones.length > 0) yield zones.map((one) => rows[one]!)
}

/** The neighbours of sorted rows with days between them that no row covers. */
function* gapsBetween(rows: readonly TableRow[]): Generator<[before: TableRow, row: TableRow]> {
  let before: TableRow | undefined
  for (const row of rows) {
    if (before && row.validFrom > before.validUntil) yield [before, row]
    if (!before || row.validUntil > before.validUntil) before = row
  }
}

/** Pairs of lines that charge one surcharge at one time, for one place and method. */
export function chargedTwice(
  surcharges: readonly SurchargeLine[],
): (AtLine & { surcharge: SurchargeLine })[] {
  return [...Map.groupBy(surcharges, ({ id }) => id).values()].flatMap((lines) =>
    lines.flatMap((surcharge, index) =>
      lines.slice(0, index).flatMap((first) => {
        const both = {
          validFrom: Math.max(first.validFrom, surcharge.validFrom),
          validUntil: Math.min(first.validUntil, surcharge.validUntil),
        }
        if (both.validFrom >= both.validUntil || !meet(first, surcharge)) return []
        const days = between(both)
        const message = `is charged beside line ${first.line}${days && ` ${days}`}: both are added`
        return { line: surcharge.line, message, surcharge }
      }),
    ),
  )
}

/** Whether some method at some place pays both. */
function meet(one: SurchargeLine, other: SurchargeLine): boolean {
  const [some, others] = [one.appliesTo, other.appliesTo]
  if (some.length > 0 && others.length > 0 && !some.some((id) => others.includes(id))) return false
  if (one.countries[0] === '*' || other.countries[0] === '*') return true
  return one.areas.some((area) =>
    other.areas.some((also) => area.country === also.country && areasMeet(area, also)),
  )
}

const utc = new ZonedTime('UTC')
export const dayOf = (at: number): Day => utc.dayAt(at)
export const dayBefore = (at: number): Day => utc.dayAt(at - 1)

/** `from 2026-12-01 to 2026-12-04`, with the last day; empty for all time. */
function between({ validFrom, validUntil }: Omit<Dated, 'line'>): string {
  const from = Number.isFinite(validFrom) ? dayOf(validFrom) : undefined
  const to = Number.isFinite(validUntil) ? dayBefore(validUntil) : undefined
  if (from === undefined) return to === undefined ? '' : `until ${to}`
  if (to === undefined) return `from ${from} on`
  return from === to ? `on ${from}` : `from ${from} to ${to}`
}
