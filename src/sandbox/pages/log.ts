import { html, raw } from 'hono/html'
import { bar, code, empty, facts, json, note, pill } from '../../http/pages/parts/facts.ts'
import { filters, optionList } from '../../http/pages/parts/forms.ts'
import type { Content, Html } from '../../http/pages/parts/frame.ts'
import { table } from '../../http/pages/parts/table.ts'
import { counted, duration } from '../../printable.ts'
import {
  type CallFailure,
  CallLog,
  callKinds,
  failuresOf,
  kindOf,
  type LoggedCall,
  timeOf,
} from '../calls/call-log.ts'
import { isOldestFirst, type LogQuery, logAddress, type pageOfLog } from '../calls/log-query.ts'
import { shopChoice } from './fields.ts'
import { lineOfCode, type Page } from './layout.ts'

export interface LogView extends ReturnType<typeof pageOfLog> {
  query: LogQuery
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

/** The status of a call. A failed one says so in words, not by its look alone. */
function statusPill(call: LoggedCall): Html {
  if (call.status === undefined) return pill('bad', 'no answer')
  return failuresOf(call).length > 0
    ? pill('bad', `${call.status} failed`)
    : pill('good', String(call.status))
}

const inDigits = (number: number) => Math.round(number).toLocaleString('en')

/** A time against its limit, in milliseconds. A quick answer is seen too. */
function timeBar(ms: number, of: number): Html {
  const percent = Math.max(3, Math.min(100, (ms / of) * 100))
  return bar(percent, percent >= 100 ? 'b' : percent >= 60 ? 'w' : 'g')
}

/** Places in a body, and names of adapters, stand as code; a fault of the whole call needs none. */
const placeOf = (at: string): Html | string =>
  at.startsWith('(') ? (at === '(call)' ? '' : `${at.slice(1, -1)} `) : html`<code>${at}</code> `

const failureList = (failures: readonly CallFailure[]): Html =>
  html`<ul class="faults">${failures.map(({ at, message, place, line }) => html`<li>${placeOf(at)}${message}${place === undefined ? '' : html` at <code>${place}</code>`}${line === undefined ? '' : lineOfCode(line)}</li>`)}</ul>`

/** One call with all its parts, beside the list that the query names. The shop of a scenario is gone, so its calls are not sent again. */
function callPane(call: LoggedCall, query: LogQuery, isSentAgain: boolean): Html {
  const isOwn = query.scenario === undefined
  const { number, direction, service, orderId, url, method, at, ms, wait, request, answer, headers } = call
  const out = direction === 'shop to provider'
  const failures = failuresOf(call)
  return html`<div class="head"><h2>${callKinds[kindOf(call)]} <small>call ${number}</small></h2><div class="row">${statusPill(call)}<a id="close" data-opens="open-${number}" href="${logAddress({ ...query, call: undefined })}#call-${number}">Close</a></div></div>
<p><strong>${call.meaning}</strong></p>
${failures.length === 0 ? '' : failureList(failures)}
${facts({
  [out ? 'Shop asks' : 'Provider calls']: out ? (service?.name ?? 'provider') : 'the shop',
  Call: html`<code>${method} ${url.replace(/^https?:\/\/[^/]+/, '')}</code>`,
  Order:
    orderId === undefined
      ? undefined
      : isOwn
        ? html`<a href="/orders/${orderId}">${orderId}</a>, <a href="/log?order=${orderId}">its log</a>`
        : String(orderId),
  Time: `${new Date(at).toISOString().replace('T', ' ').slice(0, -1)} UTC`,
  Took: `${inDigits(ms)} ms${wait === undefined ? '' : `; the shop waits ${duration(wait)}`}`,
})}
${call.explanation === undefined ? '' : adapters(call)}
${request === undefined ? '' : part(`sent-${number}`, 'Request', json(JSON.stringify(request)))}
${answer === '' ? '' : part(`answered-${number}`, 'Answer', json(answer), true)}
${headers === undefined ? '' : part(`headers-${number}`, 'Headers', code(headerText(headers)))}
${
  !isSentAgain
    ? ''
    : part(
        `again-${number}`,
        'Send it again',
        html`<form method="post" action="/log/${number}/again"><div class="row"><button class="quiet small" id="send-${number}">Send call ${number} again</button></div></form>
<p class="hint">Or run <a href="/log/${number}/curl">its curl line</a>, which holds the secret endpoint.</p>`,
      )
}`
}

const part = (id: string, title: string, content: Html, isOpen = false): Html =>
  html`<details id="${id}"${isOpen ? ' open' : ''}><summary>${title}</summary>${content}</details>`

const headerText = ({ request, answer }: NonNullable<LoggedCall['headers']>): string =>
  Object.entries({ Request: request, Answer: answer })
    .map(([title, headers]) =>
      [title, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n')

type AdapterEntry = NonNullable<LoggedCall['explanation']>['adapters'][number]

const adapters = ({ explanation }: LoggedCall): Html =>
  html`<h3>Adapters</h3>
${explanation!.fallback ? html`<p>No adapter had a method: the answer holds the shop's fallback rates.</p>` : ''}
<ul class="adapters">${explanation!.adapters.map((one) => adapterEntry(one, explanation!.deadline))}</ul>`

/** The reason of a result, the adapter's own words, and their place in its code. */
function whyOf({ result, reason, words, place, fallback, cache }: AdapterEntry): string {
  const by = fallback === undefined ? '' : `by its fallback ${fallback}`
  const why = [reason, words].filter((text) => text !== undefined).join(': ')
  const at = place === undefined || result !== 'failed' ? '' : ` at ${place}`
  return [by, `${why}${at}`, cache === 'off' ? '' : `cache ${cache}`].filter(Boolean).join(', ')
}

const looks = { methods: 'good', none: '', failed: 'bad', skipped: 'bad' } as const

const adapterEntry = (one: AdapterEntry, deadline: number | undefined): Html =>
  html`<li>
<div class="head"><div class="row"><strong>${one.adapter}</strong>${pill(looks[one.result], one.result)}</div><div class="row num">${deadline === undefined ? '' : timeBar(one.ms, deadline)}${inDigits(one.ms)}${deadline === undefined ? '' : ` of ${inDigits(deadline)}`} ms</div></div>
<ul>${whyOf(one) === '' ? '' : html`<li>${whyOf(one)}</li>`}
${one.calls.map(({ method, to, status, failure, ms, answer }) => html`<li>Calls <code>${method} ${to}</code>: ${status ?? failure ?? 'no answer'} after ${ms} ms${answer === undefined ? '' : html` <code>${answer}</code>`}</li>`)}
${one.parcels.map((parcels) => html`<li>Weighs ${parcels.actual} ${parcels.unit}${parcels.volumetric === undefined ? '' : `, by volume ${parcels.volumetric} ${parcels.unit}`}: ${counted(parcels.count, 'parcel')} of ${parcels.each} ${parcels.unit}</li>`)}
${one.methods.map(({ id, title }) => html`<li>In: <code>${id}</code> ${title}</li>`)}
${one.leftOut.map(({ id, place, reason }) => html`<li>Out: <code>${id ?? `method ${place}`}</code> ${reason}${one.place === undefined ? '' : html` at <code>${one.place}</code>`}</li>`)}
${one.notes.map((note) => html`<li>${note}</li>`)}
</ul></li>`

export function sentAgainPage(before: LoggedCall, after: LoggedCall): Page {
  const same = before.answer === after.answer && before.status === after.status
  const side = (title: string, call: LoggedCall): Content =>
    html`<section><h2>${title}</h2><p>${statusPill(call)} ${inDigits(call.ms)} ms. ${call.meaning}</p>${json(call.answer)}</section>`
  return {
    title: `Call ${before.number} was sent again`,
    facts: html`The order is unchanged: the shop ignores this answer. <a href="/log?call=${after.number}#pane">Show it in the log</a>`,
    content: html`<div role="status">${note(same ? 'good' : 'wait', same ? 'Both answers are the same.' : 'The answers differ.')}</div>
<div class="columns">${side('The first time', before) as never}${side('Again', after) as never}</div>`,
  }
}
