import express, { type Request, type RequestHandler, type Response } from 'express'
import { html, raw } from 'hono/html'
import { copy, head, note } from '../../http/pages/parts/facts.ts'
import { search } from '../../http/pages/parts/forms.ts'
import {
  assetsPath,
  type Content,
  document,
  type Html,
  styleLink,
  work,
} from '../../http/pages/parts/frame.ts'
import { liveScript, liveState } from '../../http/pages/parts/live.ts'
import { pagePolicy } from '../../http/pages/policy.ts'
import { codeLines } from '../../observability/source-faults/source-fault.ts'
import type { SourceLine } from '../../observability/source-faults/source-lines.ts'
import { counted, duration } from '../../printable.ts'
import type { ProviderFault } from '../calls/provider-calls.ts'
import type { Shop } from '../shop.ts'

export interface Page {
  title: string
  /** Why something was not done. It is read out at once. */
  alert?: { look: 'wait' | 'bad'; words: string } | undefined
  facts?: Content
  content?: Content
  /** A page as a customer sees it, in the shop's own clothes. Beside it stands what only a developer needs. */
  front?: { content: Content; beside?: Content; below?: Content }
  /** Says in the title of the window that something on the page is wrong. */
  faulty?: boolean
  /** The address that the browser opens next by itself. */
  goOn?: string
  /** Parts of the page with `data-live` update without a reload. */
  live?: boolean
  /** Without JavaScript the browser loads it again every two seconds. */
  reload?: boolean
  /** It is about the fault of the provider itself, so nothing else on it says so. */
  showsFault?: boolean
  /** Fields that narrow the search on top of this page. */
  narrows?: Content
  script?: string
}

/** At the foot of the list of pages: which switches are changed, how far the clock is ahead, and a button that resets both. */
function stateOf({ switches, clock }: Shop): Html {
  const changed = switches.changed()
  const ahead = clock.offset
  return html`<div id="state" data-live><strong>On your machine</strong> ${
    changed.length === 0 && ahead === 0
      ? html`<span>No money moves. All faults are off; the clock shows real time.</span>`
      : html`<span>No money moves. Changed:</span>
<ul>${changed.map(({ title, value, values }) => html`<li><a href="/switches">${title}</a>: ${lowered(values[value])}</li>`)}
${ahead === 0 ? '' : html`<li><a href="/switches">The clock</a> is ${duration(ahead)} ahead</li>`}</ul>
<form method="post" action="/reset"><button class="quiet small" id="reset">Reset</button></form>`
  }</div>`
}

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
    entry('/charges', 'Charges', 'M3.5 10.5v-7h7l6.5 6.5-6.5 6.5zM7 7v.1'),
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

/** A whole page: the list of pages, the search, and the content. `q` is the text that is searched in the log. */
function layout(page: Page, shop: Shop, { path, q }: { path: string; q: string }): Html {
  const { title, alert, facts, content = '', front, goOn, live, script } = page
  const named = live ? html`<span id="title" data-live>${title}</span>` : title
  const fault = !shop.provider.fault || page.showsFault ? '' : faultNote(shop.provider.fault)
  const warned = alert === undefined ? '' : note(alert.look, alert.words, '', { alert: true })
  const scripts = html`${liveScript('/events', live ? '' : '/switches')}${script === undefined ? '' : html`<script type="module" src="${assetsPath}/${script}"></script>`}`
  return document({
    title: `${page.faulty || alert?.look === 'bad' ? 'Error: ' : ''}${title} - Sandbox`,
    head: html`${styleLink}${goOn === undefined ? scripts : ''}${page.reload ? raw('<noscript><meta http-equiv="refresh" content="2"></noscript>') : ''}`,
    goOn: goOn === undefined ? undefined : { url: goOn },
    body: work({
      ...{ name: 'Sandbox', label: 'Sandbox', groups, who: stateOf(shop) },
      path: path.startsWith('/cart/') ? '/' : path,
      top: html`${search('/log', { label: 'Search the log', hint: 'Text in a call or an answer', value: q }, page.narrows)}${live ? liveState(shop.clock.now()) : ''}`,
      content: html`<div id="fault" data-live>${fault}</div>
${
  front === undefined
    ? html`${head(named, facts)}${warned}${content as never}`
    : html`<div class="${front.beside === undefined ? 'alone' : 'beside'}">
<section class="shop" aria-label="The customer’s view"><p class="sign"><strong>${shop.catalogue.shop.title}</strong> <span>The customer’s view</span></p>
<div class="floor"><h1>${named}</h1>${warned}
${front.content as never}</div></section>
${front.beside === undefined ? '' : html`<div class="tools">${front.beside as never}</div>`}</div>${front.below ?? ''}`
}`,
    }),
  })
}

export const copied = (value: string): Html => html`<code>${value}</code>${copy(value)}`

/** The message of a fault, its first line in the files, and its remedy: on top of pages that are about something else. */
function faultNote({ lines: [first, ...others], message, remedy }: ProviderFault): Html {
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more line')}`
  return html`<div class="note bad" role="alert"><strong>The provider is not running</strong>
<p>${first?.message ?? message.split('\n')[0]}${first ? html` <code>${first.file}:${first.line}</code>` : ''}${more}</p>
${first ? lineOfCode(first) : ''}${remedy === undefined ? '' : html`<p>${remedy}</p>`}</div>`
}

/** A line of code with a mark below its column, and those around it. */
export const lineOfCode = (line: SourceLine): Html | string =>
  line.text === undefined ? '' : html`<pre class="source" tabindex="0">${codeLines(line).join('\n')}</pre>`

/** The page in the place of one that needs the provider, while that does not run. It gives way to it by itself. */
export const notRunningPage = ({ message, lines, remedy, frames }: ProviderFault): Page => ({
  title: 'The provider is not running',
  ...{ live: true, reload: true, showsFault: true, faulty: true },
  content: html`<div class="note bad" id="not-running" data-live data-gone="reload" role="alert"><strong>${lines.length === 1 && lines[0]!.message && !/\n\s/.test(message) ? lines[0]!.message : message}</strong>
${lines.map((line) => html`<h2>${line.file}:${line.line}${lines.length > 1 && line.message ? html` <small>${line.message}</small>` : ''}</h2>${lineOfCode(line)}`)}
${remedy === undefined ? '' : html`<p>${remedy}</p>`}
${frames.length < 2 ? '' : html`<details id="frames"><summary>Calls in your code</summary><ol>${frames.map((frame) => html`<li><code>${frame}</code></li>`)}</ol></details>`}
<p>Save the file with the repair. This page then shows the shop by itself.</p></div>`,
})

export const form: RequestHandler = express.urlencoded({ extended: false, limit: '64kb' })

/** Our own style and scripts alone. Icons of methods are on hosts of providers. */
const policy = pagePolicy({
  style: 'self',
  assets: { style: false, script: true },
  allow: { connect: ["'self'"], img: ['https:'] },
})

export function sendPage(res: Response, status: number, page: Page): void {
  const { app, path, query } = res.req
  const q = path === '/log' && typeof query.q === 'string' ? query.q.slice(0, 200) : ''
  const content = layout(page, app.locals.shop, { path, q })
  res.status(status).set(policy).type('html').send(String(content))
}

/** Answers programs, which send JSON, with JSON, and redirects browsers, which send forms, to a page. */
export const isJson = (req: Request): boolean => req.is('application/json') === 'application/json'
