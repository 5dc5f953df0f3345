import { styleText } from 'node:util'
import cutAt from 'fast-string-truncated-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import { printable } from '../../printable.ts'

const gap = 2
/** No column is made narrower: the terminal wraps the lines then. */
const narrowest = 8

/** The columns that a text takes on a terminal: Chinese, Japanese and Korean characters and emoji take two. */
export const widthIn = (text: string): number => cutAt(text).width

/** The text, cut with an ellipsis if it is wider than so many columns. */
export function cutTo(width: number, text: string): string {
  const { index, ellipsed } = cutAt(text, { limit: width, ellipsis: '…' })
  return ellipsed ? `${text.slice(0, index)}…` : text
}

export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthIn(text)))

/** Rows below their titles, in columns as wide as their widest value. On a narrow terminal cells of the widest columns have several lines. */
export function inColumns(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined = widthOf(process.stdout),
): string[] {
  const cells = rows.map((row) => row.map(printable))
  const widths = titles.map((title, column) =>
    Math.max(widthIn(title), ...cells.map((row) => widthIn(row[column]!))),
  )
  const most = width === undefined ? Number.POSITIVE_INFINITY : Math.max(capOf(widths, width), narrowest)
  const final = widths.map((one) => Math.min(one, most))
  return [titles, ...cells].flatMap((row) => inLines(row, final))
}

/** How wide a column may be so that all fit: columns that are narrower stay as they are. */
function capOf(widths: readonly number[], width: number): number {
  const room = width - gap * (widths.length - 1)
  const total = (cap: number) => widths.reduce((sum, one) => sum + Math.min(one, cap), 0)
  let cap = Math.max(...widths)
  while (cap > 0 && total(cap) > room) cap--
  return cap
}

const wrapped = (text: string, width: number): string[] =>
  widthIn(text) <= width ? [text] : wrapAnsi(text, width, { hard: true }).split('\n')

function inLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((text, column) => wrapped(text, widths[column]!))
  const height = Math.max(...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((cell, column) => padded(cell[line] ?? '', widths[column]!))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

/** The parts of an output stream that say what it can show. */
export type Output = Pick<NodeJS.WriteStream, 'write'> &
  Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>

export type Colour = 'red' | 'green' | 'yellow' | 'bold' | 'dim'

/** The text in a colour, where the output shows some: a terminal does. Node also reads `FORCE_COLOR` and, where that is not set, `NO_COLOR`. */
export const coloured = (colour: Colour, text: string, to: Output = process.stdout): string =>
  text === '' ? text : styleText(colour, text, { stream: to as NodeJS.WriteStream })

/** The columns of a terminal; `undefined` where the output is none, so that what is piped is the same everywhere. */
export const widthOf = (to: Output): number | undefined => (to.isTTY && to.columns) || undefined
