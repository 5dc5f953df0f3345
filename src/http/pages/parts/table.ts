import { html, raw } from 'hono/html'
import type { Content, Html } from './frame.ts'

/**
 * How a column stands. Where there is little room, `lead`, `first`, `state` and `sum` share the first line, and the others flow below with
 * their titles in front, but for `plain`. `text` may be long. `right` and `sum`: amounts, with digits below each other. `wide`: shown where there is room alone.
 */
export type Column = keyof typeof classOf

const classOf = {
  ...{ lead: 'lead', first: 'first', state: 'state-cell', sum: 'right state-cell' },
  ...{ right: 'right', wide: 'wide-only', plain: '', text: 'text', '': '' },
}

export interface Row {
  cells: readonly Content[]
  /** The attributes of the row, such as `id="call-3"`. */
  attributes?: Html
  /** A link of class `to` in a cell opens the whole row. */
  opens?: boolean
  /** More about it, below its cells: `''` for nothing. */
  under?: Content
}

/** A table, or what stands in its place without rows. It becomes a list on a narrow screen, where the roles keep it a table for screen readers. `label` is its name for them. */
export function table(
  label: string,
  columns: Readonly<Record<string, Column>>,
  rows: readonly (Row | Row['cells'])[],
  more: { body?: Html; foot?: Html; none?: Html } = {},
): Html {
  if (rows.length === 0 && more.none) return more.none
  const named = Object.entries(columns)
  const cellOf = (content: Content, at: number) => {
    const [title, column] = named[at]!
    const isLabelled = column === '' || column === 'right' || column === 'text'
    return html`<td role="cell" class="${classOf[column]}"${isLabelled ? html` data-label="${title}"` : ''}>${content as never}</td>`
  }
  const rowOf = (row: Row | Row['cells']) => {
    const { cells, attributes = '', opens = false, under = '' } = 'cells' in row ? row : { cells: row }
    const own = html`<tr role="row"${opens ? raw(' class="go"') : ''} ${attributes}>${cells.map(cellOf)}</tr>`
    if (under === '') return own
    const lead = named[0]![1] === 'lead' ? 1 : 0
    return html`${own}<tr role="row" class="under">${lead ? raw('<td role="cell"></td>') : ''}<td role="cell" colspan="${named.length - lead}">${under as never}</td></tr>`
  }
  return html`<table class="stacked" role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row">${named.map(([title, column]) => html`<th role="columnheader" scope="col" class="${classOf[column]}">${title}</th>`)}</tr></thead>
<tbody role="rowgroup" ${more.body ?? ''}>${rows.map(rowOf)}</tbody>${more.foot ?? ''}</table>`
}
