import { isColumn, type TableFault } from './cells.ts'

/** The lines of a row's members in the file, by the names of their columns; the row itself begins at the line of the name ''. */
type MemberLines = ReadonlyMap<string, number>

interface Open {
  isList: boolean
  /** The last name in an object. */
  key: string
  awaitsKey: boolean
}

/**
 * Faults of a JSON tariff, which name rows, with their lines in the file. A fault of a name that is no column is that of the header: it is
 * at the first row with that name.
 */
export function locatedIn(text: string, faults: readonly TableFault[]): TableFault[] {
  if (faults.every(({ line }) => line === 0)) return [...faults]
  const rows = linesOfRows(text)
  return faults.map((fault) => {
    if (fault.line === 0) return fault
    const first = isColumn(fault.name) ? -1 : rows.findIndex((members) => members.has(fault.name))
    const row = first === -1 ? fault.line : first + 1
    const members = rows[row - 1]
    return { ...fault, row, line: members?.get(fault.name) ?? members?.get('') ?? 0 }
  })
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],\n]/gs

/** The lines of each row of a tariff, counted from 1. `text` is valid JSON: a list of objects, or an object whose `rows` is one. */
function linesOfRows(text: string): MemberLines[] {
  let rows: Map<string, number>[] = []
  const open: Open[] = []
  let list = Number.POSITIVE_INFINITY
  let line = 1
  for (const [token] of text.matchAll(tokens)) {
    const within = open.at(-1)
    if (token === '\n') line++
    else if (token === '{' || token === '[') {
      const isList = token === '['
      if (isList && (open.length === 0 || (open.length === 1 && within?.key === 'rows'))) {
        rows = []
        list = open.length
      }
      if (!isList && open.length === list + 1) rows.push(new Map([['', line]]))
      open.push({ isList, key: '', awaitsKey: !isList })
    } else if (token === '}' || token === ']') {
      open.pop()
      if (open.length === list) list = Number.POSITIVE_INFINITY
    } else if (token === ',') {
      if (within) within.awaitsKey = !within.isList
    } else if (within?.awaitsKey) {
      within.key = JSON.parse(token)
      within.awaitsKey = false
      // A text by language is a column of its own: `title_nl`.
      const names = open.slice(list + 1).map(({ key }) => key)
      if (names.length > 0) rows.at(-1)?.set(names.join('_'), line)
    }
  }
  return rows
}
