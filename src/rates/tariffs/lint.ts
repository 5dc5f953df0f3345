import { currencyDigits } from '../../money/index.ts'
import { type Band, fromMillionths } from '../files/cells.ts'
import { chargedTwice, gapsOfDays, type LintFinding } from './lint-days.ts'
import { zipcodeFindings, zoneFindings } from './lint-zones.ts'
import type { TableRow } from './row.ts'
import { type RateTable, rowsOf } from './table.ts'

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
  for (const countries of table.currencies.values()) {
    for (const [country, methods] of countries) {
      for (const own of methods.values()) {
        for (const [zone, name] of own.zones.names.entries()) {
          const room = most - findings.length
          for (const one of lintZone({ method: own.method, zone: name }, rowsOf(own, zone), room))
            findings.push(one)
        }
        const others = country === '*' ? undefined : countries.get('*')?.get(own.method)
        for (const { zone, ...found } of zoneFindings(own, others)) {
          if (findings.length >= most) break
          findings.push({ method: own.method, zone: own.zones.names[zone]!, ...found })
        }
      }
    }
  }
  for (const one of zipcodeFindings([...table.rows, ...table.surcharges])) findings.push(one)
  for (const one of centsFindings(table.rows)) findings.push(one)
  for (const { surcharge, line, message } of chargedTwice(table.surcharges)) {
    const zone = surcharge.countries.join('|')
    findings.push({ kind: 'twice', line, method: surcharge.id, zone, message })
  }
  return findings.sort((one, other) => one.line - other.line).slice(0, most)
}

type Place = Pick<LintFinding, 'method' | 'zone'>

function lintZone(about: Place, zoneRows: TableRow[], most: number): LintFinding[] {
  const findings: LintFinding[] = []
  const byWeight = zoneRows.toSorted(
    (one, other) => one.weight.from - other.weight.from || one.line - other.line,
  )

  // Finds overlapping lines. Only a line that begins before the widest one so far ends can overlap.
  for (const [place, row] of byWeight.entries()) {
    for (let next = place + 1; next < byWeight.length; next++) {
      if (findings.length >= most) return findings
      const other = byWeight[next]!
      if (other.weight.from >= row.weight.to) break
      if (other.value.from >= row.value.to || row.value.from >= other.value.to) continue
      if (other.validFrom >= row.validUntil || row.validFrom >= other.validUntil) continue
      const [first, second] = row.line < other.line ? [row, other] : [other, row]
      const twice = same(row.weight, other.weight) && same(row.value, other.value)
      findings.push({
        ...about,
        kind: twice ? 'twice' : 'overlap',
        line: second.line,
        message: twice
          ? `says the same as line ${first.line}: the lower price is taken`
          : `overlaps line ${first.line}: where both fit, the tighter band is taken`,
      })
    }
  }

  // Weights that no line covers, whatever the value; then values that no line covers within a band of weight.
  for (const found of gaps('weight', zoneRows)) findings.push({ ...about, ...found })
  for (const rows of Map.groupBy(zoneRows, ({ weight }) => `${weight.from} ${weight.to}`).values()) {
    for (const found of gaps('value', rows)) findings.push({ ...about, ...found })
    const { line, value } = rows.reduce((last, row) => (row.value.to > last.value.to ? row : last))
    if (value.to === Number.POSITIVE_INFINITY) continue
    const message = `nothing covers values from ${fromMillionths(value.to)} on`
    findings.push({ ...about, kind: 'gap', line, message })
  }
  for (const found of gapsOfDays(zoneRows)) findings.push({ ...about, kind: 'gap', ...found })
  return findings
}

/** The gaps between the bands of some lines, from 0 on. */
function gaps(what: 'weight' | 'value', rows: TableRow[]): Pick<LintFinding, 'kind' | 'line' | 'message'>[] {
  const found: Pick<LintFinding, 'kind' | 'line' | 'message'>[] = []
  let covered = 0
  let before: TableRow | undefined
  for (const row of rows.toSorted(
    (one, other) => one[what].from - other[what].from || one.line - other.line,
  )) {
    const { from, to } = row[what]
    if (from > covered) {
      const between = before ? `, between line ${before.line} and this one` : ''
      const message = `nothing covers ${what}s from ${fromMillionths(covered)} to ${fromMillionths(from)}${between}`
      found.push({ kind: 'gap', line: row.line, message })
    }
    if (to <= covered) continue
    covered = to
    before = row
  }
  return found
}

const same = (one: Band, other: Band) => one.from === other.from && one.to === other.to

/** So many times the usual price is a lot for one line. */
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
