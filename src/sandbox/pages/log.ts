import { html } from 'hono/html'
import { counted } from '../../printable.ts'
import { callKinds, failuresOf, kindOf } from '../call-kind.ts'
import { CallLog, type LoggedCall } from '../call-log.ts'
import { type LogPage, type LogQuery, logAddress } from '../log-query.ts'
import { callPane, failureList, statusBadge, timeBar } from './call.ts'
import type { Html, Page } from './layout.ts'

export interface LogView extends LogPage {
  query: LogQuery
  /** The number of calls in the whole log. */
  kept: number
  /** The shops of the platform, if there are several. */
  shops: readonly { id: number; name: string }[]
  /** The call that is opened. */
  opened?: LoggedCall | undefined
}

/** The calls of the shop, newest first; those of one order oldest first. One of them may be opened beside the list. */
export const logPage = (view: LogView): Page => {
  const { query, opened } = view
  const title = query.order === undefined ? 'Log' : `Log of order ${query.order}`
  return {
    title: opened === undefined ? title : `${title}: call ${opened.number}`,
    live: true,
    wide: true,
    content: html`<p class="hint">${
      query.order === undefined
        ? 'Every call between the shop and the providers, newest first.'
        : html`Every call about <a href="/orders/${query.order}">this order</a>, oldest first. <a href="/log">Show all calls</a>`
    }</p>
${filters(view)}
<div class="log">
<section class="card calls" id="calls" aria-label="Calls" data-live>${callList(view)}</section>
<section class="card pane" id="pane" aria-label="The opened call" tabindex="-1" data-live ${opened === undefined ? 'hidden' : ''}>${opened === undefined ? '' : callPane(opened, logAddress({ ...query, call: undefined }))}</section>
</div>`,
  }
}

const filters = ({
  query,
  shops,
}: LogView): Html => html`<form method="get" action="/log" role="search" aria-label="Filter the log" class="filters">
<label>Kind <select name="kind"><option value="">All</option>${Object.entries(callKinds).map(
  ([kind, words]) => html`<option value="${kind}" ${kind === query.kind ? 'selected' : ''}>${words}</option>`,
)}</select></label>
${
  shops.length < 2
    ? ''
    : html`<label>Shop <select name="shop"><option value="">All</option>${shops.map(
        ({ id, name }) => html`<option value="${id}" ${id === query.shop ? 'selected' : ''}>${name}</option>`,
      )}</select></label>`
}
<label>Order <input name="order" value="${query.order ?? ''}" maxlength="20" autocomplete="off"></label>
<label class="text">Text <input type="search" name="q" value="${query.q}" maxlength="200" autocomplete="off"></label>
<label class="check"><input type="checkbox" name="failed" value="1" ${query.failed ? 'checked' : ''}> Failed only</label>
<div class="row"><button class="small">Filter</button><a href="/log">Clear</a></div>
</form>`

function callList({ calls, matching, kept, next, query }: LogView): Html {
  if (kept === 0) return html`<p>Nothing yet: <a href="/">estimate shipping or check out</a>.</p>`
  const { order, from } = query
  const first =
    from === undefined
      ? ''
      : html`<a href="${logAddress({ ...query, from: undefined })}">${order === undefined ? 'Newest calls' : 'First calls'}</a>`
  const more =
    next === undefined
      ? ''
      : html`<a href="${logAddress({ ...query, from: next })}">${order === undefined ? 'Older calls' : 'Later calls'}</a>`
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
<div class="line"><span class="when"><time datetime="${moment}">${moment.slice(11, 23)}</time></span>
<a class="what" id="open-${number}" data-opens="pane" href="${logAddress({ ...query, call: number }, '#pane')}" aria-current="${query.call === number ? 'true' : 'false'}"><strong>${callKinds[kindOf(call)]}</strong> <code>${method} ${path}</code></a>
<span class="who">${orderId === undefined || query.order !== undefined ? (service?.name ?? '') : `order ${orderId}`}</span>
<span class="result">${statusBadge(call)}</span>
${timeBar(call)}</div>
${failures.length === 0 ? '' : failureList(failures.slice(0, 3))}</li>`
}
