import { html } from 'hono/html'
import { jsonIn } from '../../contract/json.ts'
import { counted } from '../../printable.ts'
import type { LoggedCall } from '../call-log.ts'
import type { Html, Page } from './layout.ts'

export interface LogView {
  calls: readonly LoggedCall[]
  orderId: number | undefined
  /** Whether there are older ones. */
  more: boolean
}

/** A timeline of one order, oldest first; without an order all calls, newest first. */
export const logPage = ({ calls, orderId, more }: LogView): Page => ({
  title: orderId === undefined ? 'Log' : `Log of order ${orderId}`,
  live: true,
  content: html`<p class="hint">${
    orderId === undefined
      ? 'Every call between the shop and the providers, newest first.'
      : html`Every call about <a href="/orders/${orderId}">this order</a>, oldest first. <a href="/log">Show all</a>`
  }</p>
<div class="card" id="calls" data-live>${
    calls.length === 0
      ? html`<p>Nothing yet: <a href="/">estimate shipping or check out</a>.</p>`
      : html`<ol class="timeline">${(orderId === undefined ? calls.toReversed() : calls).map(callEntry)}</ol>`
  }${more ? html`<p class="hint">Older calls are left out: open the log of one order.</p>` : ''}</div>`,
})

function callEntry(call: LoggedCall): Html {
  const { number, direction, service, faults, status } = call
  const out = direction === 'shop to provider'
  const who = out ? `Shop asks ${service?.name ?? 'provider'}:` : 'Provider calls shop:'
  const wrong = faults.length > 0 || status === undefined || status >= 400
  return html`<li class="${wrong ? 'wrong' : out ? 'out' : 'in'}">
<h2>${who} <code>${call.method} ${pathOf(call.url)}</code></h2>
<p class="hint"><span class="badge ${wrong ? 'bad' : 'good'}">${status ?? 'no answer'}</span>
${new Date(call.at).toISOString().slice(0, 23).replace('T', ' ')} UTC, ${call.ms} ms</p>
<p>${call.meaning}</p>
${faults.length === 0 ? '' : html`<ul class="faults">${faults.map((fault) => html`<li><code>${fault.path}</code> ${fault.message}</li>`)}</ul>`}
${call.explanation === undefined ? '' : html`<details id="why-${number}"><summary>Why these rates</summary>${call.explanation.adapters.map(adapterEntry)}</details>`}
${call.request === undefined ? '' : html`<details id="sent-${number}"><summary>Request</summary><pre tabindex="0">${JSON.stringify(call.request, null, 2)}</pre></details>`}
${call.answer === '' ? '' : html`<details id="answered-${number}"><summary>Answer</summary><pre tabindex="0">${pretty(call.answer)}</pre></details>`}
${out ? again(number) : ''}
</li>`
}

const again = (number: number): Html => html`<details id="again-${number}"><summary>Send it again</summary>
<div class="row"><form method="post" action="/log/${number}/again"><button class="quiet small">Send call ${number} again</button></form>
<button class="quiet small" type="button" data-copy="/log/${number}/curl">Copy call ${number} as curl</button>
<a href="/log/${number}/curl">Show it as curl</a></div></details>`

type AdapterEntry = NonNullable<LoggedCall['explanation']>['adapters'][number]

/** The result with its reason, the adapter's own words, and their place in its code. */
function outcomeOf({ result, reason, words, place, fallback }: AdapterEntry): string {
  const why = [reason, words].filter((text) => text !== undefined).join(': ')
  const by = fallback === undefined ? '' : ` of its fallback ${fallback}`
  return `${result}${by}${why === '' ? '' : `: ${why}`}${place === undefined ? '' : ` at ${place}`}`
}

const adapterEntry = (
  one: AdapterEntry,
): Html => html`<h3>${one.adapter} <small>${outcomeOf(one)} (${one.ms} ms${one.cache === 'off' ? '' : `, cache ${one.cache}`})</small></h3>
<ul>
${one.calls.map(({ method, to, status, failure, ms, answer }) => html`<li>Calls <code>${method} ${to}</code>: ${status ?? failure ?? 'no answer'} after ${ms} ms${answer === undefined ? '' : html` <code>${answer}</code>`}</li>`)}
${one.parcels.map((parcels) => html`<li>Weighs ${parcels.actual} ${parcels.unit}${parcels.volumetric === undefined ? '' : `, by volume ${parcels.volumetric} ${parcels.unit}`}: ${counted(parcels.count, 'parcel')} of ${parcels.each} ${parcels.unit}</li>`)}
${one.methods.map(({ id, title }) => html`<li>In: <code>${id}</code> ${title}</li>`)}
${one.leftOut.map(({ id, place, reason }) => html`<li>Out: <code>${id ?? `method ${place}`}</code> ${reason}</li>`)}
${one.notes.map((note) => html`<li>${note}</li>`)}
</ul>`

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

function pretty(text: string): string {
  const json = jsonIn(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}

/** The answer to a repeated call, beside the first answer. */
export const sentAgainPage = (before: LoggedCall, after: LoggedCall): Page => ({
  title: `Call ${before.number} was sent again`,
  content: html`<p class="hint">This answer has no effect: the order is unchanged. <a href="/log">Back to the log</a></p>
<div class="columns">${[
    ['The first time', before],
    ['Again', after],
  ].map(([title, call]) => {
    const { status, ms, meaning, answer } = call as LoggedCall
    return html`<section class="card"><h2>${title}</h2><p><span class="badge">${status ?? 'no answer'}</span> ${ms} ms. ${meaning}</p><pre tabindex="0">${pretty(answer)}</pre></section>`
  })}</div>
<p>${before.answer === after.answer && before.status === after.status ? 'Both answers are the same.' : 'The answers differ.'}</p>`,
})
