import { html, raw } from 'hono/html'
import { copy, head, note } from '../../http/pages/parts/facts.ts'
import { search } from '../../http/pages/parts/forms.ts'
import { assetsPath, document, type Html, styleLink, work } from '../../http/pages/parts/frame.ts'
import { liveScript, liveState } from '../../http/pages/parts/live.ts'
import { duration } from '../../printable.ts'
import type { ProviderFault } from '../calls/provider-calls.ts'
import type { Switch } from '../switches.ts'
import { faultNote } from './fault.ts'
import type { Page } from './page.ts'

/** The shop around a page, and its differences from a new one. */
export interface ShopState {
  /** The name of the shop that is visited. */
  shop: string
  changed: Switch[]
  /** How far the shop's clock is ahead of the machine's, in milliseconds. */
  ahead: number
  /** By the shop's clock, in milliseconds since 1970. */
  now: number
  /** Why the provider beside this shop does not run. */
  fault?: ProviderFault | undefined
}

/** At the foot of the list of pages: which switches are changed, how far the clock is ahead, and a button that resets both. */
const stateOf = ({ changed, ahead }: ShopState): Html =>
  html`<div id="state" data-live><strong>On your machine</strong> ${
    changed.length === 0 && ahead === 0
      ? html`<span>No money moves. All faults are off; the clock shows real time.</span>`
      : html`<span>No money moves. Changed:</span>
<ul>${changed.map(({ title, value, values }) => html`<li><a href="/switches">${title}</a>: ${lowered(values[value])}</li>`)}
${ahead === 0 ? '' : html`<li><a href="/switches">The clock</a> is ${duration(ahead)} ahead</li>`}</ul>
<form method="post" action="/reset"><button class="quiet small" id="reset">Reset</button></form>`
  }</div>`

const lowered = (words = '') => words.charAt(0).toLowerCase() + words.slice(1)

const entry = (href: string, name: string, icon: string) => ({ href, name, icon })
const groups = [
  [
    entry('/', 'Cart', 'M2.5 3.5H5l2 9h8l1.8-6.5H6M8 16.2v.1m6-.1v.1'),
    entry('/checkout', 'Checkout', 'M2.5 4.5h15v11h-15zM2.5 8.5h15M5.5 12.5h3'),
  ],
  [
    entry('/orders', 'Orders', 'M5 3h7l3 3v11H5zM8 9h4M8 12h4'),
    entry('/services', 'Services', 'M3 6h9m0 0L9 3m3 3L9 9M17 14H8m0 0 3-3m-3 3 3 3'),
    entry('/charges', 'Charges', 'M3 6.5 10 3l7 3.5v7L10 17l-7-3.5zM3 6.5l7 3.5 7-3.5M10 10v7'),
    entry('/invoices', 'Invoices', 'M5 2.5h10v15l-2.5-1.6-2.5 1.6-2.5-1.6L5 17.5zM8 7h4M8 10.5h4'),
  ],
  [
    entry('/log', 'Log', 'M4 5h12M4 10h12M4 15h7'),
    entry('/scenarios', 'Scenarios', 'M6 4.5v11l9-5.5z'),
    entry(
      '/switches',
      'Switches',
      'M3 6h8.7m3.6 0H17M3 14h1.7m3.6 0H17M13.5 4.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6M6.5 12.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
    ),
  ],
]

export interface Frame {
  /** The path of the page, for the list of pages. */
  path: string
  /** The text that is searched in the log. */
  q: string
  state: ShopState
}

/** A whole page: the list of pages, the search, and the content. */
export function layout(page: Page, { path, q, state }: Frame): Html {
  const { title, alert, facts, content = '', front, goOn, live, script } = page
  const named = live ? html`<span id="title" data-live>${title}</span>` : title
  const fault = state.fault === undefined || page.showsFault ? '' : faultNote(state.fault)
  const warned = alert === undefined ? '' : note(alert.look, alert.words, '', { alert: true })
  const scripts = html`${liveScript('/events', live ? '' : '/switches')}${script === undefined ? '' : html`<script type="module" src="${assetsPath}/${script}"></script>`}`
  return document({
    title: `${page.faulty || alert?.look === 'bad' ? 'Error: ' : ''}${title} - Sandbox`,
    head: html`${styleLink}${goOn === undefined ? scripts : ''}${page.reload ? raw('<noscript><meta http-equiv="refresh" content="2"></noscript>') : ''}`,
    goOn: goOn === undefined ? undefined : { url: goOn },
    body: work({
      ...{ name: 'Sandbox', label: 'Sandbox', groups, who: stateOf(state) },
      path: path.startsWith('/cart/') ? '/' : path,
      top: html`${search('/log', { label: 'Search the log', hint: 'Text in a call or an answer', value: q }, page.narrows)}${live ? liveState(state.now) : ''}`,
      content: html`<div id="fault" data-live>${fault}</div>
${
  front === undefined
    ? html`${head(named, facts)}${warned}${content as never}`
    : html`<div class="${front.beside === undefined ? 'alone' : 'beside'}">
<section class="shop" aria-label="The customer’s view"><p class="sign"><strong>${state.shop}</strong> <span>The customer’s view</span></p>
<div class="floor"><h1>${named}</h1>${warned}
${front.content as never}</div></section>
${front.beside === undefined ? '' : html`<div class="tools">${front.beside as never}</div>`}</div>${front.below ?? ''}`
}`,
    }),
  })
}

/** The value of a credential or an address, which is copied. */
export const copied = (value: string): Html => html`<code>${value}</code>${copy(value)}`
