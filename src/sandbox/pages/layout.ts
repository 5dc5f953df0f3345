import { html, raw } from 'hono/html'
import { counted } from '../../printable.ts'
import type { ProviderFault } from '../calls/provider-calls.ts'
import type { Switch } from '../switches.ts'
import { faultBar } from './fault.ts'
import { follow } from './follow.ts'
import type { Html, Page } from './page.ts'
import { style } from './style.ts'

/** The differences of this shop from a new one. */
export interface BarState {
  changed: Switch[]
  /** How far the shop's clock is ahead of the machine's, in milliseconds. */
  ahead: number
  /** Why the provider beside this shop does not run. */
  fault?: ProviderFault | undefined
}

/** In milliseconds, the largest one first. */
const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 }

/** The two largest units of a time in milliseconds: `31 days 2 hours`. */
export function lengthInWords(ms: number): string {
  let left = Math.max(0, ms)
  const parts = Object.entries(units).flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : [counted(count, unit)]
  })
  return parts.slice(0, 2).join(' ') || '0 seconds'
}

/** The bar of every page: which switches are on, how far the clock is ahead, a button that resets both, and why the provider does not run. */
const stateBar = ({ changed, ahead, fault }: BarState): Html =>
  changed.length === 0 && ahead === 0
    ? html`<div id="state" data-live><p class="banner">A shop on your own machine. No money moves. No switch is on, and the clock is right.</p>${fault === undefined ? '' : faultBar(fault)}</div>`
    : html`<div id="state" data-live><p class="banner">A shop on your own machine. No money moves.</p>
<section class="bar" aria-label="Changed in this shop"><div>
<ul>${changed.map(({ title, value, values }) => html`<li><a href="/switches">${title}</a>: <strong>${sentenceEnd(values[value])}</strong></li>`)}
${ahead === 0 ? '' : html`<li><a href="/switches">The clock</a> is <strong>${lengthInWords(ahead)} ahead</strong></li>`}</ul>
<form method="post" action="/reset"><button class="quiet small" id="reset">Reset</button></form></div></section>${fault === undefined ? '' : faultBar(fault)}</div>`

const sentenceEnd = (words = '') => words.charAt(0).toLowerCase() + words.slice(1)

/** The reason why something was not done, read out at once. */
export const messageBox = (message: string | undefined): Html | string =>
  message === undefined ? '' : html`<p class="message" role="alert">${message}</p>`

/** A table that a narrow screen scrolls sideways, with the keyboard too. */
export const scrolling = (label: string, table: Html): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`

const groups = [
  { '/': 'Cart', '/checkout': 'Checkout' },
  { '/orders': 'Orders', '/services': 'Services', '/charges': 'Charges', '/invoices': 'Invoices' },
  { '/log': 'Log', '/scenarios': 'Scenarios', '/switches': 'Switches' },
]

const navigation = (path: string): Html =>
  html`<nav aria-label="Shop"><ul>${groups.map((group, number) =>
    Object.entries(group).map(
      ([href, name], index) =>
        html`<li class="${number > 0 && index === 0 ? 'group' : ''}"><a href="${href}" aria-current="${
          path === href || (href !== '/' && path.startsWith(`${href}/`)) ? 'page' : 'false'
        }">${name}</a></li>`,
    ),
  )}</ul></nav>`

export interface Frame {
  /** Allows only this page's own style and script. */
  nonce: string
  /** The path of the page, for the navigation. */
  path: string
  /** Not set where the caller may not see the shop. */
  state: BarState | undefined
}

/** A whole page: the bar, the navigation, and the content. */
export const layout = (
  { title, content = '', goOn, live, reload, showsFault, wide }: Page,
  { nonce, path, state }: Frame,
) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${goOn === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${goOn}">`}
${reload ? html`<noscript><meta http-equiv="refresh" content="2"></noscript>` : ''}
<title>${title} - Sandbox shop</title>
<style nonce="${nonce}">${raw(style)}</style>
</head>
<body ${live ? 'data-follows' : ''} class="${wide ? 'wide' : ''}">
<header>
<a class="skip" href="#main">Skip to the content</a>
${state === undefined ? '' : stateBar(showsFault ? { ...state, fault: undefined } : state)}
<div class="top">
<strong>Sandbox shop</strong>
${navigation(path)}
</div></header>
<main id="main" tabindex="-1">
<h1 id="title" ${live ? 'data-live' : ''}>${title}</h1>
${content as never}
</main>
${state === undefined || goOn !== undefined ? '' : html`<script nonce="${nonce}">${raw(follow)}</script>`}
</body>
</html>`
