import { html } from 'hono/html'
import type { Html } from './html.ts'

/** How a column looks. `amount`: at the right, with digits below each other. `whole`: on one line. */
type Look = '' | 'amount' | 'whole'

/**
 * A table that becomes a list on a narrow screen, where each cell has the title of its column in front. The roles keep it a table for screen
 * readers there. `label` is its name for them; `columns` are titles with their looks.
 */
export function dataTable(
  label: string,
  columns: Readonly<Record<string, Look>>,
  rows: readonly (readonly (Html | string | number)[])[],
): Html {
  const named = Object.entries(columns)
  return html`<table class="stacked" role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${named.map(([title, look]) => html`<th scope="col" role="columnheader" class="${look}">${title}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (cells) =>
      html`<tr role="row">${cells.map((cell, place) => html`<td role="cell" class="${named[place]?.[1] ?? ''}" data-label="${named[place]?.[0] ?? ''}">${cell === '' ? '' : html`<span>${cell}</span>`}</td>`)}</tr>`,
  )}</tbody>
</table>`
}
