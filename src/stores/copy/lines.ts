import { PurveyorError } from '../../errors.ts'
import { type TableName, tables } from '../sql/schema.ts'

// A row as a line of text, in the form that PostgreSQL's COPY reads and writes: equal rows of both engines are equal lines.

const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}
const special = /[\\\t\n\r\b\f\v]/
const meant = Object.fromEntries(Object.entries(escapes).map(([plain, escaped]) => [escaped, plain]))

/** The line of a row of a SQLite file, whose columns may hold values of other types. Rejects those with `COPY_REFUSED`. */
export function lineOf(name: TableName, cells: readonly unknown[]): string {
  const columns = columnsOf[name]!
  let line = ''
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index]
    if (index > 0) line += '\t'
    const isText = columns[index]!.isText
    if (cell === null) line += '\\N'
    else if (isText && typeof cell === 'string')
      line += special.test(cell) ? cell.replaceAll(/[\\\t\n\r\b\f\v]/g, (one) => escapes[one]!) : cell
    else if (!isText && Number.isSafeInteger(cell)) line += cell
    else
      throw new PurveyorError(
        'COPY_REFUSED',
        `${name}.${columns[index]!.column} holds something else than ${isText ? 'text' : 'a whole number'}: correct that row in the source.`,
      )
  }
  return line
}

/** The row of a line. */
export const cellsOf = (name: TableName, line: string): (string | number | null)[] =>
  line.split('\t').map((cell, index) => {
    if (cell === '\\N') return null
    if (!columnsOf[name]![index]!.isText) return Number(cell)
    return cell.includes('\\') ? cell.replaceAll(/\\./g, (escaped) => meant[escaped]!) : cell
  })

const columnsOf = Object.fromEntries(
  Object.entries(tables).map(([name, { columns }]) => [
    name,
    Object.entries(columns).map(([column, { type }]) => ({ column, isText: type === 'text' })),
  ]),
)
