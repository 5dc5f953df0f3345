import { html, raw } from 'hono/html'
import type { Content, Html } from './frame.ts'

/**
 * How a column stands. `first` and `state` share the first line on a narrow screen, and the others flow below with their titles in front.
 * `right`: amounts, with digits below each other. `wide`: shown where there is room alone.
 */
export type Column = 'first' | 'state' | 'right' | 'wide' | ''

const classOf = { first: 'first', state: 'state-cell', right: 'right', wide: 'wide-only', '': '' }

export interface Row {
  cells: readonly Content[]
  /** The attributes of the row, such as `id="call-3"`. */
  attributes?: Html
  /** A link of class `to` in a cell opens the whole row. */
  opens?: boolean
}

/** A table that becomes a list on a narrow screen. The roles keep it a table for screen readers there. `label` is its name for them. */
export function table(
  label: string,
  columns: Readonly<Record<string, Column>>,
  rows: readonly (Row | Row['cells'])[],
  more: { body?: Html; foot?: Html } = {},
): Html {
  const named = Object.entries(columns)
  const cellOf = (content: Content, at: number) => {
    const [title, column] = named[at]!
    const isLabelled = column === '' || column === 'right'
    return html`<td role="cell" class="${classOf[column]}"${isLabelled ? html` data-label="${title}"` : ''}>${content as never}</td>`
  }
  const rowOf = (row: Row | Row['cells']) => {
    const { cells, attributes = '', opens = false } = 'cells' in row ? row : { cells: row }
    return html`<tr role="row"${opens ? raw(' class="go"') : ''} ${attributes}>${cells.map(cellOf)}</tr>`
  }
  return html`<table class="stacked" role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row">${named.map(([title, column]) => html`<th role="columnheader" scope="col" class="${classOf[column]}">${title}</th>`)}</tr></thead>
<tbody role="rowgroup" ${more.body ?? ''}>${rows.map(rowOf)}</tbody>${more.foot ?? ''}</table>` as Html
}
