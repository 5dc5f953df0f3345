import { html } from 'hono/html'
import type { LoggedCall } from '../call-log.ts'
import type { Html, Page } from './layout.ts'

export const logPage = (calls: readonly LoggedCall[], orderId: number | undefined): Page => ({
  title: orderId === undefined ? 'Log' : `Log of order ${orderId}`,
  content: html`<p class="hint">Every call between the shop and the provider, newest first.
${orderId === undefined ? '' : html`<a href="/log">Show all</a>`}</p>
<div class="card">${calls.length === 0 ? html`<p>Nothing yet: <a href="/">estimate shipping or check out</a>.</p>` : calls.toReversed().map(callEntry)}</div>`,
})

const callEntry = (call: LoggedCall): Html => html`<article class="call">
<h2>${call.direction === 'shop to provider' ? 'Shop asks provider:' : 'Provider calls shop:'} <code>${call.method} ${pathOf(call.url)}</code></h2>
<p class="hint">${new Date(call.at).toISOString().slice(11, 23)} UTC, ${call.status === undefined ? 'no answer' : `status ${call.status}`}, ${call.ms} ms. ${call.meaning}</p>
${call.faults.length === 0 ? '' : html`<ul class="faults">${call.faults.map((fault) => html`<li><code>${fault.path}</code> ${fault.message}</li>`)}</ul>`}
${call.explanation === undefined ? '' : html`<details><summary>Why these rates</summary>${call.explanation.adapters.map(adapterEntry)}</details>`}
${call.request === undefined ? '' : html`<details><summary>What was sent</summary><pre tabindex="0">${JSON.stringify(call.request, null, 2)}</pre></details>`}
${call.answer === '' ? '' : html`<details><summary>What was answered</summary><pre tabindex="0">${pretty(call.answer)}</pre></details>`}
</article>`

type AdapterEntry = NonNullable<LoggedCall['explanation']>['adapters'][number]

const adapterEntry = (
  one: AdapterEntry,
): Html => html`<h3>${one.adapter} <small>${one.result}${one.reason === undefined ? '' : `: ${one.reason}`} (${one.ms} ms${one.cache === 'off' ? '' : `, cache ${one.cache}`})</small></h3>
<ul>
${one.parcels.map((parcels) => html`<li>Weighs ${parcels.actual} ${parcels.unit}${parcels.volumetric === undefined ? '' : `, by volume ${parcels.volumetric} ${parcels.unit}`}: ${parcels.count} ${parcels.count === 1 ? 'parcel' : 'parcels'} of ${parcels.each} ${parcels.unit}</li>`)}
${one.methods.map(({ id, title }) => html`<li>In: <code>${id}</code> ${title}</li>`)}
${one.leftOut.map(({ id, place, reason }) => html`<li>Out: <code>${id ?? `method ${place}`}</code> ${reason}</li>`)}
${one.notes.map((note) => html`<li>${note}</li>`)}
</ul>`

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
