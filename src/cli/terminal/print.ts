import { printable, printableJson, printableLines, time } from '../../printable.ts'
import { clearProgress } from './progress.ts'
import { type Colour, coloured, inColumns } from './tables.ts'

// All output of commands to the terminal. Its text comes from endpoints, platforms, payment services and the store, so nothing in it may
// steer the terminal.

/** A line of text, or one that stands out on a terminal. `false` and `undefined` are no line. */
export type Line = string | { text: string; colour: Colour } | false | undefined

/** Prints text for people or, with `--json`, one JSON value on one line. A line break inside a line comes from a stranger and is escaped. */
export function print(json: boolean | undefined, value: unknown, text: () => Line | readonly Line[]): void {
  const lines = () => [text()].flat().filter((line) => line !== false && line !== undefined)
  write(json ? printableJson(value) : lines().map(shown).join('\n'))
}

const shown = (line: Exclude<Line, false | undefined>): string =>
  typeof line === 'string' ? printable(line) : coloured(line.colour, printable(line.text))

// The code of a provider prints with `console`; that goes to standard error.
function write(text: string): void {
  clearProgress()
  process.stdout.write(`${text}\n`)
}

/** One line. Only the mark before it may be coloured. */
export const say = (line: string, mark: Parameters<typeof shown>[0] = ''): void =>
  write(shown(mark) + printable(line))

/** One line of fields with tabs between them, for a program that reads it. */
export const sayFields = (...fields: readonly string[]): void => write(fields.map(printable).join('\t'))

/** The address of the console, for a command that has started a provider with one. */
export const consoleLine = (url: string): string =>
  `Console   ${url}/   payments, rates and webhooks as support sees them`

/** A warning, or news of a command that goes on, on the error output, behind the name of this command. */
export const complain = (text: string): void => toErrors(text, 'yellow')

/** The reason why a command ends without success, on the error output. */
export const fail = (text: string): void => toErrors(text, 'red')

/** Lines that follow a reason or a warning: help, or a stack. */
export const elaborate = (text: string): void => toErrors(text)

function toErrors(text: string, colour?: Colour): void {
  clearProgress()
  const name = colour ? `${coloured(colour, 'purveyor:', process.stderr)} ` : ''
  console.error(name + printableLines(text))
}

/** The cells of a row by their titles. A cell is a member of the row, or made from it. A member such as `openedAt` is shown as a time. */
export type Cells<Row> = Record<string, (keyof Row & string) | ((row: Row) => string | number | undefined)>

/** A line for each row below the titles of its cells, or the line `none` without rows. */
export function table<Row>(rows: readonly Row[], none: string, cells: Cells<Row>): Line[] {
  if (rows.length === 0) return [none]
  const textOf = (row: Row, cell: Cells<Row>[string]): string => {
    const value = typeof cell === 'string' ? row[cell] : cell(row)
    const isTime = typeof value === 'number' && typeof cell === 'string' && cell.endsWith('At')
    return isTime ? time(value) : String(value ?? '')
  }
  const values = rows.map((row) => Object.values(cells).map((cell) => textOf(row, cell)))
  const [titles = '', ...lines] = inColumns(Object.keys(cells), values)
  return [{ text: titles, colour: 'bold' }, ...lines]
}

/** Prints rows as a table with lines below it or, with `--json`, the rows as they are. */
export const printTable = <Row>(
  json: boolean | undefined,
  rows: readonly Row[],
  ...[none, cells, below = []]: [none: string, cells: Cells<Row>, below?: Iterable<Line>]
): void => print(json, rows, () => [...table(rows, none, cells), ...below])

export const when = (at: number | undefined): string => (at === undefined ? '' : time(at))

export { time } from '../../printable.ts'
export { inColumns } from './tables.ts'
