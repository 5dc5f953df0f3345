import { ZonedTime } from '../../rates/zoned-time.ts'
import type { SurchargeLine, TableRow, Zipcodes } from './row.ts'

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
  const found = new Map<string, AtLine>()
  // Between two neighbouring edges of bands the same lines fit every weight, and so with values.
  for (const weight of edgesOf(rows, 'weight')) {
    const fitting = rows.filter((row) => row.weight.from <= weight && weight < row.weight.to)
    for (const value of edgesOf(fitting, 'value')) {
      const covering = fitting.filter((row) => row.value.from <= value && value < row.value.to)
      for (const one of gapsBetween(covering)) found.set(`${one.line} ${one.message}`, one)
    }
  }
  return [...found.values()]
}

const edgesOf = (rows: readonly TableRow[], what: 'weight' | 'value') =>
  new Set(rows.map((row) => row[what].from))

function gapsBetween(rows: readonly Dated[]): AtLine[] {
  const found: AtLine[] = []
  let before: Dated | undefined
  for (const row of rows.toSorted((one, other) => one.validFrom - other.validFrom || one.line - other.line)) {
    if (before && row.validFrom > before.validUntil) {
      const days = between({ validFrom: before.validUntil, validUntil: row.validFrom })
      const message = `no line is in use ${days}, between line ${before.line} and this one`
      found.push({ line: row.line, message })
    }
    if (!before || row.validUntil > before.validUntil) before = row
  }
  return found
}

/** Pairs of lines that charge one surcharge at one time, for one place and method. */
export function chargedTwice(
  surcharges: readonly SurchargeLine[],
): (AtLine & { surcharge: SurchargeLine })[] {
  return [...Map.groupBy(surcharges, ({ id }) => id).values()].flatMap((lines) =>
    lines.flatMap((surcharge, place) =>
      lines.slice(0, place).flatMap((first) => {
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
const meet = (one: SurchargeLine, other: SurchargeLine): boolean =>
  (one.countries[0] === '*' ||
    other.countries[0] === '*' ||
    one.countries.some((country) => other.countries.includes(country))) &&
  someOrAll(one.appliesTo, other.appliesTo, (id, also) => id === also) &&
  someOrAll(one.zipcodes, other.zipcodes, zipcodesMeet)

/** An empty list means all. */
const someOrAll = <T>(some: readonly T[], others: readonly T[], meets: (one: T, other: T) => boolean) =>
  some.length === 0 || others.length === 0 || some.some((one) => others.some((other) => meets(one, other)))

/** The longer one begins with a zipcode of the shorter one. */
function zipcodesMeet(one: Zipcodes, other: Zipcodes): boolean {
  const [{ from, to }, { from: start, to: end }] = [rangeOf(one), rangeOf(other)]
  const length = Math.min(from.length, start.length)
  return from.slice(0, length) <= end.slice(0, length) && start.slice(0, length) <= to.slice(0, length)
}

const rangeOf = (zip: Zipcodes) => (zip.kind === 'range' ? zip : { from: zip.prefix, to: zip.prefix })

/** `from 2026-12-01 to 2026-12-04`, with the last day; empty for all time. */
function between({ validFrom, validUntil }: Omit<Dated, 'line'>): string {
  const utc = new ZonedTime('UTC')
  const [from, to] = [validFrom, validUntil - 1].map((at) =>
    Number.isFinite(at) ? utc.dayAt(at) : undefined,
  )
  if (from === undefined) return to === undefined ? '' : `until ${to}`
  if (to === undefined) return `from ${from} on`
  return from === to ? `on ${from}` : `from ${from} to ${to}`
}
