import { html } from 'hono/html'
import { codeLines } from '../../observability/source-faults/source-fault.ts'
import type { SourceLine } from '../../observability/source-faults/source-lines.ts'
import { counted } from '../../printable.ts'
import type { ProviderFault } from '../calls/provider-calls.ts'
import type { Html, Page } from './page.ts'

/** The message of a fault, all of its lines in the files, and its remedy. */
const faultDetails = (fault: ProviderFault): Html => {
  const { lines, remedy, frames } = fault
  return html`<p><strong>${saidOf(fault)}</strong></p>
${lines.map((line) => html`<h2>${line.file}:${line.line}${lines.length > 1 && line.message ? html` <small>${line.message}</small>` : ''}</h2>${lineOfCode(line)}`)}
${remedy === undefined ? '' : html`<p>${remedy}</p>`}
${frames.length < 2 ? '' : html`<details><summary>Calls in your code</summary><ol>${frames.map((frame) => html`<li><code>${frame}</code></li>`)}</ol></details>`}`
}

/** The message of a fault, its first line in the files, and its remedy: for pages that are about something else. */
export const faultBar = (fault: ProviderFault): Html => {
  const [first, ...others] = fault.lines
  const said = first?.message ?? fault.message.split('\n')[0]
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more line')}`
  return html`<div class="banner stopped" role="alert"><p><strong>The provider is not running:</strong> ${said}${first ? html` <code>${first.file}:${first.line}</code>` : ''}${more}</p>
${first ? lineOfCode(first) : ''}
${fault.remedy === undefined ? '' : html`<p>${fault.remedy}</p>`}</div>`
}

const saidOf = ({ message, lines }: ProviderFault): string => {
  const [first] = lines
  return lines.length === 1 && first?.message && !/\n\s/.test(message) ? first.message : message
}

/** A line of code with a mark below its column, and those around it. */
export const lineOfCode = (line: SourceLine): Html | string =>
  line.text === undefined ? '' : html`<pre class="source" tabindex="0">${codeLines(line).join('\n')}</pre>`

/** The page in the place of one that needs the provider, while that does not run. It gives way to it by itself. */
export const notRunningPage = (fault: ProviderFault): Page => ({
  title: 'The provider is not running',
  live: true,
  reload: true,
  showsFault: true,
  content: html`<div class="card" id="not-running" data-live data-gone="reload" role="alert">${faultDetails(fault)}
<p class="hint">Save the file with the repair: this page then shows the shop by itself.</p></div>`,
})
