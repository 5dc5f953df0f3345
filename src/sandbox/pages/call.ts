import { html } from 'hono/html'
import { jsonIn } from '../../contract/texts.ts'
import { counted, time } from '../../printable.ts'
import {
  type CallFailure,
  callKinds,
  failuresOf,
  kindOf,
  type LoggedCall,
  timeOf,
} from '../calls/call-log.ts'
import { type LogQuery, logAddress } from '../calls/log-query.ts'
import { lineOfCode } from './fault.ts'
import type { Html, Page } from './page.ts'

/** The status of a call. A failed one says so in words, not by its colour alone. */
export function statusBadge(call: LoggedCall): Html {
  const failed = failuresOf(call).length > 0
  return html`<span class="badge ${failed ? 'bad' : 'good'}">${failed ? '✗ ' : ''}${call.status ?? 'no answer'}${failed && call.status !== undefined ? ' failed' : ''}</span>`
}

const inDigits = (number: number) => Math.round(number).toLocaleString('en')

/** The time of a call against its limit, as a bar and in words. */
export function timeBar(call: LoggedCall): Html {
  const { ms, of } = timeOf(call)
  return html`<span class="time"><span class="took">${inDigits(ms)}${of === undefined ? ' ms' : ''}</span>${bar(ms, of)}${of === undefined ? '' : html`<span>of ${inDigits(of)} ms</span>`}</span>`
}

function bar(ms: number, of: number | undefined): Html | string {
  if (of === undefined) return ''
  // A quick answer is seen too.
  const share = Math.max(3, Math.min(100, (ms / of) * 100))
  const look = share >= 100 ? 'over' : share >= 60 ? 'near' : ''
  return html`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="8"></rect><rect class="done ${look}" width="${share.toFixed(1)}" height="8"></rect></svg>`
}

/** The faults of a call with their places, as a list. */
export const failureList = (failures: readonly CallFailure[]): Html =>
  html`<ul class="faults">${failures.map(({ at, message, place, line }) => html`<li><code>${at}</code> ${message}${place === undefined ? '' : html` at <code>${place}</code>`}${line === undefined ? '' : lineOfCode(line)}</li>`)}</ul>`

/** One call with all its parts, beside the list that the query names. The shop of a scenario is gone, so its calls are not sent again. */
export function callPane(call: LoggedCall, query: LogQuery): Html {
  const back = logAddress({ ...query, call: undefined })
  const isOwn = query.scenario === undefined
  const { number, direction, service, orderId, url, method, at, ms, wait, meaning, request, answer } = call
  const out = direction === 'shop to provider'
  const failures = failuresOf(call)
  return html`<div class="row head"><h2>${callKinds[kindOf(call)]} <small>call ${number}</small></h2>${statusBadge(call)}<a class="close" data-opens="open-${number}" href="${back}#call-${number}">Close</a></div>
<p class="meaning">${meaning}</p>
${failures.length === 0 ? '' : failureList(failures)}
<dl><dt>${out ? 'Shop asks' : 'Provider calls'}</dt><dd>${out ? (service?.name ?? 'provider') : 'the shop'}</dd>
<dt>Call</dt><dd><code>${method} ${url.replace(/^https?:\/\/[^/]+/, '')}</code></dd>
${orderId === undefined ? '' : html`<dt>Order</dt><dd>${isOwn ? html`<a href="/orders/${orderId}">${orderId}</a>, <a href="/log?order=${orderId}">its log</a>` : orderId}</dd>`}
<dt>Time</dt><dd>${time(at)} UTC</dd>
<dt>Took</dt><dd>${inDigits(ms)} ms${wait === undefined ? '' : `; the shop waits ${inDigits(wait)} ms`}</dd></dl>
${call.explanation === undefined ? '' : adapters(call)}
${request === undefined ? '' : part(`sent-${number}`, 'Request', JSON.stringify(request, null, 2))}
${answer === '' ? '' : part(`answered-${number}`, 'Answer', pretty(answer))}
${call.headers === undefined ? '' : part(`headers-${number}`, 'Headers', headerText(call.headers))}
${out && isOwn ? again(number) : ''}`
}

const part = (id: string, title: string, text: string): Html =>
  html`<details id="${id}"><summary>${title}</summary><pre tabindex="0">${text}</pre></details>`

const headerText = ({ request, answer }: NonNullable<LoggedCall['headers']>): string =>
  Object.entries({ Request: request, Answer: answer })
    .map(([title, headers]) =>
      [title, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n')

const again = (number: number): Html => html`<details id="again-${number}"><summary>Send it again</summary>
<div class="row"><form method="post" action="/log/${number}/again"><button class="quiet small" id="send-${number}">Send call ${number} again</button></form>
<button class="quiet small" type="button" id="copy-${number}" data-copy="/log/${number}/curl">Copy call ${number} as curl</button>
<a href="/log/${number}/curl">Show it as curl</a></div></details>`

type AdapterEntry = NonNullable<LoggedCall['explanation']>['adapters'][number]

const adapters = ({ explanation }: LoggedCall): Html => html`<h3>Adapters</h3>
${explanation!.fallback ? html`<p>No adapter had a method: the answer holds the shop's fallback rates.</p>` : ''}
<ul class="adapters">${explanation!.adapters.map((one) => adapterEntry(one, explanation!.deadline))}</ul>`

/** The result with its reason, the adapter's own words, and their place in its code. */
function outcomeOf({ result, reason, words, place, fallback }: AdapterEntry): string {
  const why = [reason, words].filter((text) => text !== undefined).join(': ')
  const by = fallback === undefined ? '' : ` of its fallback ${fallback}`
  return `${result}${by}${why === '' ? '' : `: ${why}`}${place === undefined || result !== 'failed' ? '' : ` at ${place}`}`
}

const adapterEntry = (
  one: AdapterEntry,
  deadline: number | undefined,
): Html => html`<li class="${one.result}">
<div class="row"><strong>${one.adapter}</strong><span class="time">${bar(one.ms, deadline)}<span>${inDigits(one.ms)}${deadline === undefined ? '' : ` of ${inDigits(deadline)}`} ms</span></span></div>
<p>${outcomeOf(one)}${one.cache === 'off' ? '' : `, cache ${one.cache}`}</p>
<ul>
${one.calls.map(({ method, to, status, failure, ms, answer }) => html`<li>Calls <code>${method} ${to}</code>: ${status ?? failure ?? 'no answer'} after ${ms} ms${answer === undefined ? '' : html` <code>${answer}</code>`}</li>`)}
${one.parcels.map((parcels) => html`<li>Weighs ${parcels.actual} ${parcels.unit}${parcels.volumetric === undefined ? '' : `, by volume ${parcels.volumetric} ${parcels.unit}`}: ${counted(parcels.count, 'parcel')} of ${parcels.each} ${parcels.unit}</li>`)}
${one.methods.map(({ id, title }) => html`<li>In: <code>${id}</code> ${title}</li>`)}
${one.leftOut.map(({ id, place, reason }) => html`<li>Out: <code>${id ?? `method ${place}`}</code> ${reason}${one.place === undefined ? '' : html` at <code>${one.place}</code>`}</li>`)}
${one.notes.map((note) => html`<li>${note}</li>`)}
</ul></li>`

function pretty(text: string): string {
  const json = jsonIn(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}

/** The answer to a repeated call, beside the first answer. */
export const sentAgainPage = (before: LoggedCall, after: LoggedCall): Page => ({
  title: `Call ${before.number} was sent again`,
  content: html`<p class="hint">This answer has no effect: the order is unchanged. <a href="/log?call=${after.number}#pane">Show it in the log</a></p>
<p role="status"><strong>${before.answer === after.answer && before.status === after.status ? 'Both answers are the same.' : 'The answers differ.'}</strong></p>
<div class="columns">${Object.entries({ 'The first time': before, Again: after }).map(([title, call]) => {
    const { ms, meaning, answer } = call
    return html`<section class="card"><h2>${title}</h2><p>${statusBadge(call)} ${inDigits(ms)} ms. ${meaning}</p><pre tabindex="0">${pretty(answer)}</pre></section>`
  })}</div>`,
})
