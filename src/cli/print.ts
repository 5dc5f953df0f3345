import { printable, printableJson, printableLines, time } from '../printable.ts'

// All output of commands to the terminal. Its text comes from endpoints, platforms, payment services and the store, so nothing in it may
// steer the terminal.

/**
 * Prints text for people or, with `--json`, one JSON value on one line. The text is one line or a list of lines; a line break inside a line
 * comes from a stranger and is escaped.
 */
export function print(
  json: boolean | undefined,
  value: unknown,
  text: () => string | readonly string[],
): void {
  write(json ? printableJson(value) : [text()].flat().map(printable).join('\n'))
}

// The code of a provider prints with `console`; that goes to standard error.
const write = (text: string) => process.stdout.write(`${text}\n`)

/** One line. Only the mark before it may be coloured. */
export function say(line: string, mark = ''): void {
  write(mark + printable(line))
}

/** An error or a warning, on the error output. */
export function complain(text: string): void {
  console.error(printableLines(text))
}

/** A line for each row below the titles of its cells, or the line `none` without rows. */
export function table<Row>(
  rows: readonly Row[],
  none: string,
  cells: Record<string, (row: Row) => string | number | undefined>,
): string[] {
  if (rows.length === 0) return [none]
  const values = rows.map((row) => Object.values(cells).map((cell) => String(cell(row) ?? '')))
  return inColumns(Object.keys(cells), values)
}

/** Rows in columns as wide as their widest value, one line each. */
export function inColumns(titles: readonly string[], rows: readonly string[][]): string[] {
  const all = [titles, ...rows].map((row) => row.map(printable))
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all.map((row) =>
    row
      .map((value, column) => value.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

/** A time, where there is one. */
export const when = (at: number | undefined): string => (at === undefined ? '' : time(at))

export { time } from '../printable.ts'
