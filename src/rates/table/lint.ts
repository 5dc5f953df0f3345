import { type Band, fromMillionths, type TableRow } from './row.ts'
import { type RateTable, rowsOf } from './table.ts'

/** Something a tariff allows and that is seldom meant. */
export interface LintFinding {
  kind: 'gap' | 'overlap' | 'twice'
  line: number
  /** The shipping method and the zone. */
  method: string
  zone: string
  message: string
}

/** Looks through every zone for weights and values that no line covers, and for those that two lines cover. */
export function lintTable(table: RateTable): LintFinding[] {
  const findings: LintFinding[] = []
  for (const countries of table.currencies.values()) {
    for (const methods of countries.values()) {
      for (const zones of methods.values()) {
        for (const [zone, name] of zones.names.entries()) {
          findings.push(...lintZone({ method: zones.method, zone: name }, rowsOf(zones, zone)))
        }
      }
    }
  }
  return findings.sort((one, other) => one.line - other.line)
}

function lintZone(about: { method: string; zone: string }, zoneRows: TableRow[]): LintFinding[] {
  const findings: LintFinding[] = []
  const byWeight = zoneRows.toSorted(
    (one, other) => one.weight.from - other.weight.from || one.line - other.line,
  )

  // Lines that reach into each other: only those that begin before the widest one so far ends can.
  for (const [place, row] of byWeight.entries()) {
    for (let next = place + 1; next < byWeight.length; next++) {
      const other = byWeight[next]!
      if (other.weight.from >= row.weight.to) break
      if (other.value.from >= row.value.to || row.value.from >= other.value.to) continue
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
  let covered = 0
  let before: TableRow | undefined
  for (const row of byWeight) {
    if (row.weight.from > covered) {
      findings.push({
        ...about,
        kind: 'gap',
        line: row.line,
        message: gap('weight', covered, row.weight.from, before),
      })
    }
    if (row.weight.to > covered) {
      covered = row.weight.to
      before = row
    }
  }
  for (const rows of Map.groupBy(zoneRows, ({ weight }) => `${weight.from} ${weight.to}`).values()) {
    let from = 0
    let last: TableRow | undefined
    for (const row of rows.toSorted((one, other) => one.value.from - other.value.from)) {
      if (row.value.from > from) {
        findings.push({
          ...about,
          kind: 'gap',
          line: row.line,
          message: gap('value', from, row.value.from, last),
        })
      }
      if (row.value.to > from) {
        from = row.value.to
        last = row
      }
    }
    if (from !== Number.POSITIVE_INFINITY && last) {
      findings.push({
        ...about,
        kind: 'gap',
        line: last.line,
        message: `nothing covers values from ${fromMillionths(from)} on`,
      })
    }
  }
  return findings
}

const same = (one: Band, other: Band) => one.from === other.from && one.to === other.to

const gap = (what: string, from: number, to: number, before: TableRow | undefined): string =>
  `nothing covers ${what}s from ${fromMillionths(from)} to ${fromMillionths(to)}${before ? `, between line ${before.line} and this one` : ''}`
