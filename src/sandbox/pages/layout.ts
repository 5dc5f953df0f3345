import { html, raw } from 'hono/html'
import { type BarState, stateBar } from './bar.ts'
import { follow } from './follow.ts'
import type { Html } from './html.ts'
import { style } from './style.ts'

export type { Html } from './html.ts'

export interface Page {
  title: string
  /** Text is escaped. Default: none. */
  content?: Html | Promise<Html> | string
  /** The address that the browser opens next by itself. */
  goOn?: string
  /** Parts of the page with `data-live` update without a reload. */
  live?: boolean
  /** Without JavaScript the browser loads it again every two seconds. */
  reload?: boolean
  /** It is about the fault of the provider itself, so its bar says nothing of it. */
  showsFault?: boolean
  /** Uses the width of a large screen. */
  wide?: boolean
}

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
      ([href, name], place) =>
        html`<li class="${number > 0 && place === 0 ? 'group' : ''}"><a href="${href}" aria-current="${
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
