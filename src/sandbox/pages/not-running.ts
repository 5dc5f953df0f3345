import { html } from 'hono/html'
import type { SourceLine } from '../../observability/source-faults/source-lines.ts'
import type { ProviderFault } from '../provider-state.ts'
import type { Html } from './html.ts'
import type { Page } from './layout.ts'

/** The page of the cart and the checkout while the provider does not run. It gives way to them by itself. */
export const notRunningPage = (fault: ProviderFault): Page => ({
  title: 'The provider is not running',
  live: true,
  reload: true,
  content: html`<div class="card" id="not-running" data-live data-gone="reload" role="alert">${faultDetails(fault)}
<p class="hint">Save the file with the repair: this page then shows the shop by itself.</p></div>`,
})

/** The message of a fault, its lines in the files, and its remedy. */
const faultDetails = ({ message, lines, remedy, frames }: ProviderFault): Html => {
  const [first] = lines
  const said = lines.length === 1 && first?.message && !/\n\s/.test(message) ? first.message : message
  return html`<p><strong>${said}</strong></p>
${lines.map((line) => html`<h2>${line.file}:${line.line}${lines.length > 1 && line.message ? html` <small>${line.message}</small>` : ''}</h2>${lineOfCode(line)}`)}
${remedy === undefined ? '' : html`<p>${remedy}</p>`}
${frames.length < 2 ? '' : html`<details><summary>Calls in your code</summary><ol>${frames.map((frame) => html`<li><code>${frame}</code></li>`)}</ol></details>`}`
}

/** A line of code with a mark below its column. */
export const lineOfCode = ({ line, column, text }: SourceLine): Html | string =>
  text === undefined
    ? ''
    : html`<pre class="source" tabindex="0">${`${line} | ${text}`}${column === undefined ? '' : `\n${' '.repeat(String(line).length)} | ${' '.repeat(column - 1)}^`}</pre>`
