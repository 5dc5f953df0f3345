import { html } from 'hono/html'
import { bar, code, facts, json, note, pill } from '../../http/pages/parts/facts.ts'
import type { Content, Html } from '../../http/pages/parts/frame.ts'
import { counted, duration } from '../../printable.ts'
import { type CallFailure, callKinds, failuresOf, kindOf, type LoggedCall } from '../calls/call-log.ts'
import { type LogQuery, logAddress } from '../calls/log-query.ts'
import { lineOfCode, type Page } from './layout.ts'

/** The status of a call. A failed one says so in words, not by its look alone. */
export function statusPill(call: LoggedCall): Html {
  if (call.status === undefined) return pill('bad', 'no answer')
  return failuresOf(call).length > 0
    ? pill('bad', `${call.status} failed`)
    : pill('good', String(call.status))
}

export const inDigits = (number: number) => Math.round(number).toLocaleString('en')

/** A time against its limit, in milliseconds. A quick answer is seen too. */
export function timeBar(ms: number, of: number): Html {
  const percent = Math.max(3, Math.min(100, (ms / of) * 100))
  return bar(percent, percent >= 100 ? 'b' : percent >= 60 ? 'w' : 'g')
}

/** Places in a body, and names of adapters, stand as code; a fault of the whole call needs none. */
const placeOf = (at: string): Html | string =>
  at.startsWith('(') ? (at === '(call)' ? '' : `${at.slice(1, -1)} `) : html`<code>${at}</code> `

export const failureList = (failures: readonly CallFailure[]): Html =>
  html`<ul class="faults">${failures.map(({ at, message, place, line }) => html`<li>${placeOf(at)}${message}${place === undefined ? '' : html` at <code>${place}</code>`}${line === undefined ? '' : lineOfCode(line)}</li>`)}</ul>`

/** One call with all its parts, beside the list that the query names. The shop of a scenario is gone, so its calls are not sent again. */
export function callPane(call: LoggedCall, query: LogQuery, isSentAgain: boolean): Html {
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
