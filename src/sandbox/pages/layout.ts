import { html, raw } from 'hono/html'

export type Html = ReturnType<typeof html>

const style = `
:root { color-scheme: light; font: 1rem/1.5 system-ui, sans-serif; color: #1c1f24; background: #f6f5f2; }
* { box-sizing: border-box; }
body { margin: 0; }
.banner { background: #1c1f24; color: #fff; font-size: .875rem; margin: 0; padding: .375rem 1rem; text-align: center; }
header { background: #fff; border-bottom: 1px solid #dcd8d0; }
header > div { max-width: 60rem; margin: auto; padding: .75rem 1rem; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; }
header strong { font-size: 1.125rem; margin-right: auto; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.125rem; margin: 0 0 .75rem; }
a { color: #0a4f8f; }
.columns { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.card { background: #fff; border: 1px solid #dcd8d0; border-radius: .75rem; padding: 1.25rem; min-width: 0; }
.card + .card { margin-top: 1.25rem; }
.columns > .card { margin-top: 0; }
table { width: 100%; border-collapse: collapse; }
td .badge { font-weight: 400; }
th, td { text-align: left; padding: .5rem .5rem .5rem 0; border-bottom: 1px solid #e8e5df; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot th, tfoot td { border: 0; font-weight: 700; }
form { display: grid; gap: .875rem; margin: 0; }
.pair { display: grid; gap: .875rem; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); }
label { display: grid; gap: .25rem; font-weight: 600; }
input:not([type=radio], [type=checkbox]), select { font: inherit; font-weight: 400; padding: .5rem .625rem; border: 1px solid #77716a; border-radius: .5rem; width: 100%; background: #fff; min-height: 2.75rem; }
fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: .5rem; min-width: 0; }
legend { font-size: 1.125rem; font-weight: 700; padding: 0; margin-bottom: .5rem; }
.option { display: grid; grid-template-columns: auto 1fr auto; gap: 0 .75rem; align-items: center; border: 1px solid #c9c4bb; border-radius: .5rem; padding: .625rem .75rem; font-weight: 400; cursor: pointer; }
.option:has(:checked) { border-color: #0a4f8f; background: #eef5fc; }
.option small { grid-column: 2 / -1; }
.icon { display: inline-grid; place-items: center; width: 50px; height: 32px; margin-right: .5rem; vertical-align: middle; border: 1px solid #c9c4bb; border-radius: .25rem; background: #fff; color: #57524b; font-size: .625rem; line-height: 1.1; overflow: hidden; overflow-wrap: anywhere; text-align: center; }
button, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .5rem; border: 1px solid #0a4f8f; background: #0a4f8f; color: #fff; cursor: pointer; text-decoration: none; text-align: center; display: inline-block; }
button.quiet { background: #fff; color: #0a4f8f; }
button:hover, .button:hover { filter: brightness(.93); }
:focus-visible { outline: 3px solid #d97706; outline-offset: 2px; }
.hint, small { color: #57524b; font-size: .9375rem; }
.message { border-left: 4px solid #b45309; background: #fdf5e8; padding: .625rem .875rem; margin: 0 0 1rem; }
.faults { margin: .5rem 0; padding-left: 1.25rem; color: #8c1d18; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { background: #f6f5f2; border-radius: .5rem; padding: .75rem; overflow: auto; max-height: 24rem; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; }
.call { border-top: 1px solid #e8e5df; padding: .875rem 0; }
.call:first-of-type { border-top: 0; }
.call h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; font-weight: 600; }
form + div[role=status], form + .message { margin: 1.25rem 0 0; }
.call h3 { font-size: 1rem; margin: .75rem 0 0; font-weight: 600; }
.call h3 small { font-weight: 400; }
.call h3 + ul { margin: .25rem 0 .5rem; padding-left: 1.25rem; }
ul.plain { list-style: none; padding: 0; margin: 0; display: grid; gap: .75rem; }
.scroll { overflow-x: auto; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .125rem .25rem; padding: 0; margin: 0; align-items: center; }
nav a { display: inline-block; padding: .375rem .5rem; border-radius: .375rem; text-decoration: none; color: #1c1f24; }
nav a:hover { background: #f0eee9; }
nav a[aria-current="page"] { background: #eef5fc; color: #0a4f8f; font-weight: 600; }
nav .group { border-left: 1px solid #c9c4bb; margin-left: .25rem; padding-left: .375rem; }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .5rem; font-size: .875rem; white-space: nowrap; color: #57524b; background: #fff; }
.badge.good { color: #1d6b35; background: #eef8f0; }
.badge.bad { color: #8c1d18; background: #fdf0ef; }
.badge.wait { color: #7a4300; background: #fdf5e8; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.row form { display: inline-flex; }
button.small { min-height: 2.25rem; padding: .25rem .75rem; font-size: .9375rem; }
.timeline { list-style: none; margin: 0; padding: 0; }
.timeline > li { border-left: 3px solid #c9c4bb; padding: 0 0 1.25rem 1rem; position: relative; }
.timeline > li:last-child { padding-bottom: 0; }
.timeline > li::before { content: ''; position: absolute; left: -9px; top: .375rem; width: .75rem; height: .75rem; border-radius: 50%; background: #0a4f8f; border: 1.5px solid #fff; }
.timeline > li.in::before { background: #1d6b35; }
.timeline > li.wrong::before { background: #b3261e; }
.timeline h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; font-weight: 600; }
.timeline p { margin: .375rem 0; }
.timeline details { margin-top: .25rem; }
.date { white-space: nowrap; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem .875rem; margin: 0 0 .75rem; }
dt { color: #57524b; } dd { margin: 0; overflow-wrap: anywhere; }
section.card > h2 + p, #status > p:first-child { margin-top: 0; }
.card > :last-child, .card > [data-live] > :last-child { margin-bottom: 0; }
[data-live] + .columns { margin-top: 1.25rem; }
form > .hint { margin: -.5rem 0 0; }
.check { display: flex; gap: .625rem; align-items: center; font-weight: 400; }
.check input { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; }
@media (prefers-reduced-motion: no-preference) { .badge { transition: background .2s; } }
`

export interface Page {
  title: string
  content: Html | Promise<Html>
  /** The address that the browser opens next by itself. */
  goOn?: string
  /** Parts of the page with `data-live` update without a reload. */
  live?: boolean
}

/** The reason why something was not done, read out at once. */
export const messageBox = (message: string | undefined): Html | string =>
  message === undefined ? '' : html`<p class="message" role="alert">${message}</p>`

/** A table that a narrow screen scrolls sideways, with the keyboard too. */
export const scrolling = (label: string, table: Html): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`

/** Fetches the page again after each change, and replaces its `data-live` parts. */
const follow = `
let busy = false, again = false
async function refresh() {
  if (busy) { again = true; return }
  busy = true
  try {
    const text = await (await fetch(location.href)).text()
    // Without its style, which this page already has and the policy forbids twice.
    const page = new DOMParser().parseFromString(text.replace(/<style[^]*?<\\/style>/, ''), 'text/html')
    for (const region of document.querySelectorAll('[data-live]')) {
      const next = page.getElementById(region.id)
      if (!next || next.innerHTML === region.innerHTML) continue
      const open = [...region.querySelectorAll('details[open]')].map(({ id }) => id)
      const focused = region.contains(document.activeElement) ? document.activeElement.id : ''
      region.replaceChildren(...next.childNodes)
      for (const id of open) if (id) document.getElementById(id)?.setAttribute('open', '')
      if (focused) document.getElementById(focused)?.focus()
    }
    document.title = page.title
  } catch { /* The next change tries again. */ }
  busy = false
  if (again) { again = false; refresh() }
}
const events = new EventSource('/events')
events.onmessage = refresh
events.onopen = refresh
addEventListener('click', async ({ target }) => {
  const source = target.closest?.('[data-copy]')
  if (!source) return
  const text = await (await fetch(source.dataset.copy)).text()
  await navigator.clipboard.writeText(text)
  source.textContent = 'Copied'
})`

const groups = [
  [
    ['/', 'Cart'],
    ['/checkout', 'Checkout'],
  ],
  [
    ['/orders', 'Orders'],
    ['/services', 'Services'],
    ['/charges', 'Charges'],
    ['/invoices', 'Invoices'],
  ],
  [
    ['/log', 'Log'],
    ['/scenarios', 'Scenarios'],
    ['/switches', 'Switches'],
  ],
] as const

const navigation = (path: string): Html =>
  html`<nav aria-label="Shop"><ul>${groups.map((group, number) =>
    group.map(
      ([href, name], place) =>
        html`<li class="${number > 0 && place === 0 ? 'group' : ''}"><a href="${href}" aria-current="${
          isWithin(path, href) ? 'page' : 'false'
        }">${name}</a></li>`,
    ),
  )}</ul></nav>`

const isWithin = (path: string, href: string) =>
  path === href || (href !== '/' && path.startsWith(`${href}/`))

/** `nonce` allows only this page's own style and script. */
export const layout = ({ title, content, goOn, live }: Page, nonce: string, path = '') => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
${goOn === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${goOn}">`}
<title>${title} - Sandbox shop</title>
<style nonce="${nonce}">${raw(style)}</style>
</head>
<body>
<header>
<p class="banner">A shop on your own machine. No money moves.</p>
<div>
<strong>Sandbox shop</strong>
${navigation(path)}
</div></header>
<main>
<h1 id="title" ${live ? 'data-live' : ''}>${title}</h1>
${content as never}
</main>
${live ? html`<script nonce="${nonce}">${raw(follow)}</script>` : ''}
</body>
</html>`
