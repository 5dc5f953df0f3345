import { html } from 'hono/html'
import { counted } from '../../printable.ts'
import { CallLog, callKinds, failuresOf, kindOf, type LoggedCall } from '../calls/call-log.ts'
import { isOldestFirst, type LogPage, type LogQuery, logAddress } from '../calls/log-query.ts'
import { callPane, failureList, statusBadge, timeBar } from './call.ts'
import { optionList, shopChoice } from './fields.ts'
import type { Html, Page } from './page.ts'

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
      html`<tr role="row">${cells.map((cell, index) => html`<td role="cell" class="${named[index]?.[1] ?? ''}" data-label="${named[index]?.[0] ?? ''}">${cell === '' ? '' : html`<span>${cell}</span>`}</td>`)}</tr>`,
  )}</tbody>
</table>`
}

export interface LogView extends LogPage {
  query: LogQuery
  /** The number of calls in the whole log. */
  kept: number
  /** The shops of the platform. A filter by shop is shown if there are several. */
  shops: readonly { id: number; title: string }[]
  /** The call that is opened. */
  opened?: LoggedCall | undefined
}

/** The calls of the shop, newest first; those of one order oldest first. One of them may be opened beside the list. */
export const logPage = (view: LogView): Page => {
  const { query, opened } = view
  const title = titleOf(query)
  return {
    title: opened === undefined ? title : `${title}: call ${opened.number}`,
    live: true,
    wide: true,
    content: html`<p class="hint">${hintOf(query)}</p>
${filters(view)}
<div class="log">
<section class="card calls" id="calls" aria-label="Calls" data-live>${callList(view)}</section>
<section class="card pane" id="pane" aria-label="The opened call" tabindex="-1" data-live ${opened === undefined ? 'hidden' : ''}>${opened === undefined ? '' : callPane(opened, query)}</section>
</div>`,
  }
}

function titleOf({ scenario, order }: LogQuery): string {
  if (scenario !== undefined) return `Log of scenario ${scenario}`
  return order === undefined ? 'Log' : `Log of order ${order}`
}

function hintOf({ scenario, order }: LogQuery): Html | string {
  if (scenario !== undefined)
    return html`The calls of its last run, oldest first. <a href="/scenarios">All scenarios</a>, <a href="/log">all calls of your shop</a>`
  return order === undefined
    ? 'Every call between the shop and the providers, newest first. Times are in UTC.'
    : html`Every call about <a href="/orders/${order}">this order</a>, oldest first. <a href="/log">Show all calls</a>`
}

const filters = ({
  query,
  shops,
}: LogView): Html => html`<form method="get" action="/log" role="search" aria-label="Filter the log" class="filters">${query.scenario === undefined ? '' : html`<input type="hidden" name="scenario" value="${query.scenario}">`}
<label>Kind <select name="kind"><option value="">All</option>${optionList(Object.entries(callKinds), query.kind)}</select></label>
${shopChoice(shops, 'All', String(query.shop))}
<label>Order <input name="order" value="${query.order ?? ''}" maxlength="20" autocomplete="off"></label>
<label class="text">Text <input type="search" name="q" value="${query.q}" maxlength="200" autocomplete="off"></label>
<label class="check"><input type="checkbox" name="failed" value="1" ${query.failed ? 'checked' : ''}> Failed only</label>
<div class="row"><button class="small">Filter</button><a href="${logAddress({ scenario: query.scenario })}">Clear</a></div>
</form>`

function callList({ calls, matching, kept, next, query }: LogView): Html {
  if (kept === 0 && query.scenario !== undefined) return html`<p>This scenario has not been run.</p>`
  if (kept === 0) return html`<p>Nothing yet: <a href="/">estimate shipping or check out</a>.</p>`
  const { from } = query
  const oldest = isOldestFirst(query)
  const first =
    from === undefined
      ? ''
      : html`<a href="${logAddress({ ...query, from: undefined })}">${oldest ? 'First calls' : 'Newest calls'}</a>`
  const more =
    next === undefined
      ? ''
      : html`<a href="${logAddress({ ...query, from: next })}">${oldest ? 'Later calls' : 'Older calls'}</a>`
  return html`<p class="hint" role="status">${
    matching === 0
      ? 'No call matches.'
      : `${calls.length < matching ? `${calls.length} of ` : ''}${counted(matching, 'call')}${isFiltered(query) ? ` of ${kept}` : ''}.`
  }${kept < CallLog.most ? '' : ` The shop keeps the last ${CallLog.most.toLocaleString('en')}; older ones are gone.`}</p>
<ol data-keyed>${calls.map((call) => callRow(call, query))}</ol>
${first || more ? html`<p class="row">${first}${more}</p>` : ''}`
}

const isFiltered = ({ kind, shop, order, failed, q }: LogQuery) =>
  failed || q !== '' || [kind, shop, order].some((one) => one !== undefined)

function callRow(call: LoggedCall, query: LogQuery): Html {
  const { number, at, method, path, service, orderId } = call
  const failures = failuresOf(call)
  const moment = new Date(at).toISOString()
  return html`<li id="call-${number}" class="${failures.length > 0 ? 'wrong' : ''}">
<div class="line"><span class="when"><time datetime="${moment}">${moment.slice(11, 19)}<small>${moment.slice(19, 23)}</small></time></span>
<a class="what" id="open-${number}" data-opens="pane" href="${logAddress({ ...query, call: number }, '#pane')}" aria-current="${query.call === number ? 'true' : 'false'}"><strong>${callKinds[kindOf(call)]}</strong> <code>${method} ${path}</code></a>
<span class="who">${orderId === undefined || query.order !== undefined ? (service?.name ?? '') : `order ${orderId}`}</span>
<span class="result">${statusBadge(call)}</span>
${timeBar(call)}</div>
${failures.length === 0 ? '' : failureList(failures.slice(0, 3))}</li>`
}
