import { html } from 'hono/html'
import { bar, code, empty, head, type Look, pill } from '../../http/pages/parts/facts.ts'
import { filters } from '../../http/pages/parts/forms.ts'
import { table } from '../../http/pages/parts/table.ts'
import { moneyText } from '../../payments/situation.ts'
import { counted } from '../../printable.ts'
import type { AdapterExplanation, RatesExplanation } from '../../rates/explanation.ts'
import type { AskedRates, MinuteSum } from '../../store-port.ts'
import { type LaneView, listLanes } from '../../webhooks/lanes.ts'
import { hour } from '../drawings.ts'
import { box, hidden, select, textBox } from '../fields.ts'
import { crumbs, mono, paging, queue, section, total, type Waits } from '../parts.ts'
import { expectRole } from '../roles.ts'
import type { ConsoleParts, Page, View } from '../view.ts'

const spans = { '1': 'Last hour', '24': 'Last 24 hours', '48': 'Last 2 days', '168': 'Last 7 days' }
const pageSize = 30

/** How the rate adapters answer, and why a method was missing. */
export async function ratesPage({ store, workings }: ConsoleParts, view: View): Promise<Page> {
  const { now } = view
  const { shop: shopId, method, before, ...asked } = view.asked('shop', 'method', 'before', 'when', 'all')
  const missing = asked.all === undefined
  const when = Object.hasOwn(spans, asked.when ?? '') ? asked.when! : '48'
  // Few of them may name the method.
  const limit = (method ? 10 : 1) * pageSize + 1
  const [adapters, lanes, requests, found] = await Promise.all([
    store.minutes('adapter', 1, now - hour),
    listLanes(store, { kind: 'rates', now, limit: 200 }),
    store.minutes('request', 1, now - hour),
    store.questions({ since: now - Number(when) * hour, before, missing, limit, shopId }),
  ])
  const answered = requests.filter(({ label }) => label === 'POST /e/:token/shipment_methods')
  const matching = found.filter((one) => !method || names(one, method))
  const shown = matching.slice(0, pageSize)
  const last = matching.length > pageSize ? shown.at(-1) : found.length === limit ? found.at(-1) : undefined
  const fields = html`${textBox('shop', 'Shop', shopId)}${select('when', 'When', spans, when)}${textBox('method', 'Method', method)}${box('all', 'Also with nothing missing', !missing)}`
  const older = last
    ? view.at('/rates', { shop: shopId, when, method, all: asked.all, before: last.id })
    : undefined
  const tried = view.may('try')
    ? html`<a class="button quiet small" href="${view.at('/rates/try')}">Try a question</a>`
    : ''
  return {
    title: 'Rates',
    live: before === undefined,
    content: html`${head('Rates', `Last hour: ${counted(total(answered, 'count'), 'question')}, ${total(answered, 'failed')} of them failed.`, tried)}
<div id="adapters" data-live>${adaptersTable(view, workings.rates, adapters, lanes)}</div>
${section(
  'Why a rate was missing',
  html`${filters(view.at('/rates'), 'Filter questions', fields, view.at('/rates'))}
<p class="hint">A sample of the questions, and every one with something missing. No name, street or zipcode is kept.</p>
<div id="asked" data-live>${shown.length === 0 ? empty('No question is like this.', 'Questions are kept for seven days.') : queue(shown.map((one, at) => askedOf(view, one, at === 0)))}${paging(counted(shown.length, 'question'), older)}</div>`,
)}`,
  }
}

const names = ({ explanation: { adapters } }: AskedRates, method: string): boolean => {
  const text = method.toLowerCase()
  return adapters.some(
    // A note names a method that a tariff did not even offer.
    ({ adapter, methods, leftOut, notes }) =>
      [adapter, ...notes, ...[...methods, ...leftOut].map(({ id }) => String(id))].some((one) =>
        one.toLowerCase().includes(text),
      ),
  )
}

const releaseForm = (view: View, { shopId, to }: LaneView) =>
  view.form('release', view.at('/rates/release'), 'Ask it again', hidden({ adapter: to, shop: shopId }))

function adaptersTable(
  view: View,
  { adapters, deadline }: ConsoleParts['workings']['rates'],
  minutes: readonly MinuteSum[],
  lanes: readonly LaneView[],
) {
  const byAdapter = Map.groupBy(minutes, ({ label }) => label.slice(0, label.lastIndexOf(' ')))
  const rows = adapters.map(({ name }) => {
    const of = (byAdapter.get(name) ?? []).filter(({ label }) => /(?:quote|estimate)$/.test(label))
    const most = (figure: 'p50' | 'p95' | 'p99') => Math.max(0, ...of.map((one) => one[figure]))
    const calls = total(of, 'count')
    const own = lanes.filter(({ to }) => to === name)
    const lane = own.find(({ state }) => state === 'closed') ?? own.find(({ state }) => state !== 'open')
    const p95 = most('p95')
    const isClose = p95 > 0.8 * deadline
    const state: [Look, string] = lane
      ? [lane.state === 'closed' ? 'bad' : 'wait', lane.state === 'closed' ? 'Left alone' : 'Slow']
      : calls === 0
        ? ['', 'Not asked']
        : isClose
          ? ['wait', 'Slow']
          : ['good', 'Answers']
    return [
      html`<strong>${name}</strong>`,
      html`${pill(...state)}${lane?.state === 'closed' ? releaseForm(view, lane) : ''}`,
      calls === 0 ? '–' : html`<span class="num">${most('p50')} / ${p95} / ${most('p99')} ms</span>`,
      calls === 0 ? '' : bar(Math.min(100, (100 * p95) / deadline), isClose ? 'w' : 'a'),
      String(total(of, 'failed')),
      String(calls),
    ]
  })
  const columns = {
    Adapter: 'first',
    State: 'state',
    'p50 / p95 / p99': '',
    [`of ${deadline} ms`]: 'plain',
    Failed: 'right',
    Calls: 'right',
  } as const
  return table('Rate adapters', columns, rows, { none: empty('This provider has no rate adapter.') })
}

const country = (of: string): string => {
  try {
    return of === ''
      ? 'an unknown country'
      : (new Intl.DisplayNames('en', { type: 'region' }).of(of.toUpperCase()) ?? of)
  } catch {
    return of
  }
}

function askedOf(view: View, one: AskedRates, open: boolean): Waits {
  const { kind, weight, value, currency, methods, at, shopId, ms, id, missing, lines } = one
  const what = kind === 'checkout' ? 'Checkout' : 'Cart'
  const has = methods === 0 ? 'no methods' : counted(methods, 'method')
  return {
    look: methods === 0 ? 'bad' : missing ? 'wait' : '',
    sentence: `${what} to ${country(one.country)}, ${weight ?? 'weight unknown'}, ${moneyText(value, currency)}: ${has}`,
    facts: html`${view.time(at)} · <a href="${view.shop(shopId)}">${shopId}</a> · ${ms} ms · ${counted(lines, 'line')} · ${mono(id)}`,
    more: { id: `why-${id}`, summary: 'Why', content: whyTable(one.explanation, one.currency), open },
  }
}

/** Each method with whether it is in or out, and why. */
function whyTable({ adapters, fallback }: Pick<RatesExplanation, 'adapters' | 'fallback'>, currency = '') {
  const rows = adapters.flatMap((one) => rowsOf(one, currency))
  const calls = adapters.flatMap((one) => one.calls.map((call) => ({ adapter: one.adapter, ...call })))
  return html`${table('Methods', { Method: 'first', In: 'state', Why: 'text', Took: 'right' }, rows)}${fallback ? html`<p class="hint">Nothing was left, so the shop got its fallback rates.</p>` : ''}${
    calls.length === 0
      ? ''
      : table(
          'Calls to carriers',
          { 'Call to': 'first', Answer: 'state', Adapter: '', Took: 'right' },
          calls.map(({ adapter, method, to, status, failure, ms }) => [
            `${method} ${to}`,
            pill(
              status !== undefined && status < 400 ? 'good' : 'bad',
              status === undefined ? 'No answer' : String(status),
            ),
            failure === undefined ? adapter : `${adapter}: ${failure}`,
            `${Math.round(ms)} ms`,
          ]),
        )
  }`
}

function rowsOf(
  { adapter, methods, leftOut, result, reason, notes, ms, cache }: AdapterExplanation,
  currency: string,
) {
  const took = cache === 'hit' ? 'cache' : `${Math.round(ms)} ms`
  const said = [reason, ...notes].filter(Boolean).join('; ')
  const look: Look = result === 'failed' || result === 'skipped' ? 'bad' : ''
  const none =
    methods.length + leftOut.length === 0 || look === 'bad'
      ? [[html`<strong>${adapter}</strong>`, pill(look, 'Out'), said || 'It offered nothing', took]]
      : []
  return [
    ...methods.map(({ title, id, price_incl }) => [
      html`<strong>${title}</strong> <small>${adapter} ${id}</small>`,
      pill('good', 'In'),
      `${moneyText(String(price_incl), currency)} with tax${notes.length > 0 ? `. ${notes.join('; ')}` : ''}`,
      took,
    ]),
    ...leftOut.map(({ id, reason: why, place }) => [
      html`<strong>${String(id ?? `method ${place}`)}</strong> <small>${adapter}</small>`,
      pill('', 'Out'),
      why,
      took,
    ]),
    ...none,
  ]
}

const example = `{
  "shop": { "language": "en", "currency": "eur" },
  "quote": {
    "price_excl": 41.32, "price_incl": 50, "weight": 1200, "volume": 0,
    "products": [{ "quantity": 1, "price_excl": 41.32, "price_incl": 50, "weight": 1200 }]
  },
  "shipping_address": { "country": "nl", "zipcode": "1012 AB" }
}`

/** Asks the rate adapters as a shop would: in this process, with its breakers and cache. */
export async function tryPage(_parts: ConsoleParts, view: View): Promise<Page> {
  expectRole(view.who, 'try')
  return triedPage(view, '', '')
}

export function triedPage(view: View, shop: string, body: string, answer?: RatesExplanation | string): Page {
  const fields = html`<div class="field"><label for="try-shop">Shop</label><input id="try-shop" name="shop" value="${shop}" maxlength="200"></div><div class="field"><label for="try-body">Body of shipment_methods: change what matters</label><textarea id="try-body" name="body" rows="12" spellcheck="false">${body || example}</textarea></div>`
  const shown =
    answer === undefined
      ? ''
      : typeof answer === 'string'
        ? html`<p role="alert">${answer}</p>`
        : section(
            `${counted(answer.methods.length, 'method')} in ${Math.round(answer.ms)} ms`,
            html`${whyTable(answer)}<details><summary>The answer</summary>${code(JSON.stringify({ shipment_methods: answer.methods }, null, 2))}</details>`,
          )
  return {
    title: 'Try a question',
    faulty: typeof answer === 'string',
    content: html`${crumbs(['Rates', view.at('/rates')])}${head('Try a question', 'The adapters are asked as a shop would ask them. Nothing is kept.')}${shown}${view.form('try', view.at('/rates/try'), 'Ask', fields, false)}`,
  }
}
