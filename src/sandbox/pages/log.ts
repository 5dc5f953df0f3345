import { html, raw } from 'hono/html'
import { empty } from '../../http/pages/parts/facts.ts'
import { filters, optionList } from '../../http/pages/parts/forms.ts'
import type { Content, Html } from '../../http/pages/parts/frame.ts'
import { table } from '../../http/pages/parts/table.ts'
import { counted } from '../../printable.ts'
import { CallLog, callKinds, failuresOf, kindOf, type LoggedCall, timeOf } from '../calls/call-log.ts'
import { isOldestFirst, type LogQuery, logAddress, type pageOfLog } from '../calls/log-query.ts'
import { callPane, failureList, inDigits, statusPill, timeBar } from './call.ts'
import { shopChoice } from './fields.ts'
import type { Page } from './layout.ts'

export interface LogView extends ReturnType<typeof pageOfLog> {
  query: LogQuery
  /** The number of calls in the whole log. */
  kept: number
  /** The shops of the platform. A filter by shop is shown if there are several. */
  shops: readonly { id: number; title: string }[]
  opened?: LoggedCall | undefined
  isSentAgain: boolean
}

/** The calls of the shop, newest first; those of one order oldest first. One of them may be opened beside the list. */
export const logPage = (view: LogView): Page => {
  const { query, opened, isSentAgain } = view
  const { title, facts } = headOf(query)
  return {
    title: opened === undefined ? title : `${title}: call ${opened.number}`,
    facts,
    live: true,
    narrows: (['scenario', 'kind', 'shop', 'order', 'failed'] as const).map((name) =>
      hidden(name, query[name] === true ? '1' : String(query[name] || '')),
    ),
    content: html`${filterForm(view)}
<div class="log">
<section id="calls" aria-label="Calls" data-live>${callList(view)}</section>
<section class="pane" id="pane" aria-label="The opened call" tabindex="-1" data-live${opened === undefined ? ' hidden' : ''}>${opened === undefined ? '' : callPane(opened, query, isSentAgain)}</section>
</div>`,
  }
}

function headOf({ scenario, order }: LogQuery): { title: string; facts: Content } {
  if (scenario !== undefined) {
    const facts = html`The calls of its last run, oldest first. <a href="/scenarios">All scenarios</a>, <a href="/log">all calls of your shop</a>`
    return { title: `Log of scenario ${scenario}`, facts }
  }
  if (order === undefined)
    return { title: 'Log', facts: 'Every call between the shop and the providers, newest first.' }
  const facts = html`Every call about <a href="/orders/${order}">this order</a>, oldest first. <a href="/log">Show all calls</a>`
  return { title: `Log of order ${order}`, facts }
}

const hidden = (name: string, value: string | undefined) =>
  value ? html`<input type="hidden" name="${name}" value="${value}">` : ''

const filterForm = ({ query, shops }: LogView): Html =>
  filters(
    '/log',
    'Filter the log',
    html`${hidden('scenario', query.scenario)}${hidden('q', query.q)}
<label>Kind <select name="kind"><option value="">Every kind</option>${optionList(Object.entries(callKinds), query.kind)}</select></label>
${shopChoice(shops, 'Every shop', String(query.shop))}
<label>Order <input name="order" value="${query.order ?? ''}" maxlength="20" autocomplete="off"></label>
<label class="choice"><input type="checkbox" name="failed" value="1"${query.failed ? ' checked' : ''}> Failed only</label>`,
    logAddress({ scenario: query.scenario }),
  )

function callList({ calls, matching, kept, next, query }: LogView): Html {
  if (kept === 0)
    return query.scenario === undefined
      ? empty(
          'Every call between the shop and its providers will be listed here.',
          html`<a href="/">Estimate shipping in the cart</a>, or <a href="/checkout">check out</a>, to make the first one.`,
        )
      : empty(
          'This scenario has not been run.',
          html`Run it on the page <a href="/scenarios">Scenarios</a>: its calls are listed here then.`,
        )
  const { from } = query
  const oldest = isOldestFirst(query)
  const to = (number: number | undefined, words: string) =>
    html`<a href="${logAddress({ ...query, from: number })}">${words}</a>`
  const counts = `${calls.length < matching ? `${calls.length} of ` : ''}${counted(matching, 'call')}${isFiltered(query) ? ` of ${kept}` : ''}${query.q === '' ? '' : ` with “${query.q}”`}.`
  const more = kept < CallLog.most ? '' : ` The shop keeps the last ${inDigits(CallLog.most)}.`
  const none =
    query.q === '' ? 'No call matches these filters.' : `No call has “${query.q}” in its request or answer.`
  return html`<p class="hint" role="status">${matching === 0 ? '' : counts}${more}</p>
${
  matching === 0
    ? empty(none, html`<a href="${logAddress({ scenario: query.scenario })}">Show all calls</a>`)
    : table(
        'Calls',
        {
          When: 'lead',
          Call: 'first',
          To: 'text',
          Order: '',
          Answer: 'state',
          Took: 'right',
          'of its deadline': 'wide',
        },
        calls.map((call) => callRow(call, query)),
        { body: raw('data-keyed') },
      )
}
<p class="row">${from === undefined ? '' : to(undefined, oldest ? 'First calls' : 'Newest calls')}${next === undefined ? '' : to(next, oldest ? 'Later calls' : 'Older calls')}</p>`
}

const isFiltered = ({ kind, shop, order, failed, q }: LogQuery) =>
  failed || q !== '' || [kind, shop, order].some((one) => one !== undefined)

function callRow(call: LoggedCall, query: LogQuery) {
  const { number, at, method, path, service, direction, orderId } = call
  const failures = failuresOf(call)
  const moment = new Date(at).toISOString()
  const { ms, of } = timeOf(call)
  return {
    opens: true,
    under: failures.length === 0 ? '' : failureList(failures.slice(0, 3)),
    attributes: html`id="call-${number}"`,
    cells: [
      html`<time datetime="${moment}">${moment.slice(11, 23)}</time>`,
      html`<a class="to" id="open-${number}" data-opens="pane" href="${logAddress({ ...query, call: number }, '#pane')}"${query.call === number ? raw(' aria-current="true"') : ''}>${callKinds[kindOf(call)]}</a> <code class="path">${method} ${path}</code>`,
      direction === 'shop to provider' ? (service?.name ?? 'Provider') : 'Shop',
      orderId === undefined ? '' : String(orderId),
      statusPill(call),
      `${inDigits(ms)} ms`,
      of === undefined ? '' : html`${timeBar(ms, of)}<span class="unseen">of ${inDigits(of)} ms</span>`,
    ],
  }
}
