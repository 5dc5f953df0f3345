import { html } from 'hono/html'
import type { Html } from '../../http/pages/parts/frame.ts'
import { codeLines } from '../../observability/source-faults/source-fault.ts'
import type { SourceLine } from '../../observability/source-faults/source-lines.ts'
import { counted } from '../../printable.ts'
import type { ProviderFault } from '../calls/provider-calls.ts'
import type { Page } from './page.ts'

/** The message of a fault, its first line in the files, and its remedy: on top of pages that are about something else. */
export function faultNote({ lines: [first, ...others], message, remedy }: ProviderFault): Html {
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
