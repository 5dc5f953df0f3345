import { currencyDigits } from '../../money/index.ts'
import { type Band, fromMillionths } from '../files/cells.ts'
import { chargedTwice, gapsOfDays, type LintFinding, zipcodeFindings, zoneFindings } from './lint-zones.ts'
import type { TableRow } from './row.ts'
import type { RateTable } from './table.ts'

/** The most findings of one tariff: lines that all overlap would be millions of pairs. */
export const mostFindings = 100_000

/** A finding as one line: `tariff.csv:3 door, zone nl: ...`. */
export const findingText = (file: string, { line, method, zone, message }: LintFinding): string =>
  `${file}:${line} ${method}, zone ${zone}: ${message}`

/**
 * Finds, in every zone, weights, values and days that no line covers, and what two lines cover; zones that overlap, never win or leave a gap in
 * the zone around them; zipcodes that a country does not write so; prices in cents; and surcharges that are charged twice. The table must have been read with
 * the time zone UTC. Ends with `most` findings.
 */
export function lintTable(table: RateTable, most = mostFindings): LintFinding[] {
  const findings: LintFinding[] = []
  for (const one of findingsOf(table)) if (findings.push(one) >= most) break
  return findings.sort((one, other) => one.line - other.line)
}

function* findingsOf({ currencies, rows, surcharges }: RateTable): Generator<LintFinding> {
  for (const { surcharge, line, message } of chargedTwice(surcharges))
    yield { kind: 'twice', line, method: surcharge.id, zone: surcharge.countries.join('|'), message }
  yield* zipcodeFindings([...rows, ...surcharges])
  yield* centsFindings(rows)
  for (const countries of currencies.values()) {
    for (const [country, methods] of countries) {
      for (const own of methods.values()) {
        const { method, zones } = own
        for (const [zone, name] of zones.names.entries())
          for (const found of bandFindings(own.rows[zone]!)) yield { method, zone: name, ...found }
        const others = country === '*' ? undefined : countries.get('*')?.get(method)
        for (const { zone, ...found } of zoneFindings(own, others))
          yield { method, zone: zones.names[zone]!, ...found }
      }
    }
  }
}

type Found = Pick<LintFinding, 'kind' | 'line' | 'message'>

function* bandFindings(zoneRows: TableRow[]): Generator<Found> {
  const byWeight = zoneRows.toSorted(byStart('weight'))
  // Finds overlapping lines. Only a line that begins before the widest one so far ends can overlap.
  for (const [index, row] of byWeight.entries()) {
    for (let next = index + 1; next < byWeight.length; next++) {
      const other = byWeight[next]!
      if (other.weight.from >= row.weight.to) break
      if (other.value.from >= row.value.to || row.value.from >= other.value.to) continue
      if (other.validFrom >= row.validUntil || row.validFrom >= other.validUntil) continue
      const [first, second] = row.line < other.line ? [row, other] : [other, row]
      const twice = same(row.weight, other.weight) && same(row.value, other.value)
      const message = twice
        ? `says the same as line ${first.line}: the lower price is taken`
        : `overlaps line ${first.line}: where both fit, the narrower band is taken`
      yield { kind: twice ? 'twice' : 'overlap', line: second.line, message }
    }
  }

  // Weights that no line covers, whatever the value; then values that no line covers within a band of weight.
  yield* gaps('weight', zoneRows)
  for (const rows of Map.groupBy(zoneRows, ({ weight }) => `${weight.from} ${weight.to}`).values()) {
    yield* gaps('value', rows)
    const { line, value } = rows.reduce((last, row) => (row.value.to > last.value.to ? row : last))
    if (value.to === Number.POSITIVE_INFINITY) continue
    yield { kind: 'gap', line, message: `nothing covers values from ${fromMillionths(value.to)} on` }
  }
  for (const found of gapsOfDays(zoneRows)) yield { kind: 'gap', ...found }
}

function* gaps(what: 'weight' | 'value', rows: TableRow[]): Generator<Found> {
  let covered = 0
  let before: TableRow | undefined
  for (const row of rows.toSorted(byStart(what))) {
    const { from, to } = row[what]
    if (from > covered) {
      const between = before ? `, between line ${before.line} and this one` : ''
      const message = `nothing covers ${what}s from ${fromMillionths(covered)} to ${fromMillionths(from)}${between}`
      yield { kind: 'gap', line: row.line, message }
    }
    if (to <= covered) continue
    covered = to
    before = row
  }
}

const byStart = (what: 'weight' | 'value') => (one: TableRow, other: TableRow) =>
  one[what].from - other[what].from || one.line - other.line

const same = (one: Band, other: Band) => one.from === other.from && one.to === other.to
const times = 20

/** Whole prices from 100 among prices with a point, of one currency: far above the usual one, and as cents beside the lowest. */
function centsFindings(rows: readonly TableRow[]): LintFinding[] {
  return [...Map.groupBy(rows, ({ currency = '' }) => currency)].flatMap(([currency, own]) => {
    const prices = own
      .flatMap(({ isWhole, amount }) => (isWhole ? [] : Number(amount) || []))
      .sort((one, other) => one - other)
    const usual = prices[prices.length >> 1]
    if (usual === undefined || (currency !== '' && currencyDigits(currency) !== 2)) return []
    return own.flatMap(({ isWhole, amount, side, line, id: method, areas: [area] }): LintFinding | [] => {
      const price = Number(amount)
      if (!isWhole || price < 100 || price < times * usual || price / 100 < prices[0]! / 2) return []
      const message = `price_${side} is ${amount} among prices such as ${usual.toFixed(2)}: did you mean ${(price / 100).toFixed(2)}? Write ${amount}.00 if it is right`
      return { kind: 'cents', line, method, zone: `${area!.country} ${area!.name}`.trim(), message }
    })
  })
}
