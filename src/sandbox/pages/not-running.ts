import { html } from 'hono/html'
import type { ProviderFault } from '../calls/provider-calls.ts'
import { faultDetails } from './fault.ts'
import type { Page } from './layout.ts'

/** The page in the place of one that needs the provider, while that does not run. It gives way to it by itself. */
export const notRunningPage = (fault: ProviderFault): Page => ({
  title: 'The provider is not running',
  live: true,
  reload: true,
  showsFault: true,
  content: html`<div class="card" id="not-running" data-live data-gone="reload" role="alert">${faultDetails(fault)}
<p class="hint">Save the file with the repair: this page then shows the shop by itself.</p></div>`,
})
