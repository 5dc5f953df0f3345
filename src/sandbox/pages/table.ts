import { html } from 'hono/html'
import type { Html } from './html.ts'

interface Column {
  title: string
  /** `amount`: at the right, with digits below each other. `whole`: on one line. */
  look?: 'amount' | 'whole'
}

type Cell = Html | string | number

export interface Table {
  /** Its name for screen readers. */
  label: string
  columns: readonly Column[]
  rows: readonly (readonly Cell[])[]
}

/**
 * A table that becomes a list on a narrow screen, where each cell has the title of its column in front. The roles keep it a table for screen
 * readers there.
 */
export const dataTable = ({
  label,
  columns,
  rows,
}: Table): Html => html`<table class="stacked" role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${columns.map(({ title, look }) => html`<th scope="col" role="columnheader" class="${look ?? ''}">${title}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
  (cells) =>
    html`<tr role="row">${cells.map((cell, place) => html`<td role="cell" class="${columns[place]?.look ?? ''}" data-label="${columns[place]?.title ?? ''}">${cell === '' ? '' : html`<span>${cell}</span>`}</td>`)}</tr>`,
)}</tbody>
</table>`
