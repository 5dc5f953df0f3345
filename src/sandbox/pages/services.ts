import { html } from 'hono/html'
import type { PlatformShop } from '../catalogue.ts'
import type { Service } from '../services.ts'
import { shopChoice } from './fields.ts'
import { type Html, messageBox, type Page } from './layout.ts'

export interface ServicesView {
  services: Service[]
  /** The shops of the platform. */
  shops: readonly PlatformShop[]
  api: { baseUrl: string; key: string; secret: string; appSecret: string }
  /** The reason why nothing was registered. */
  message?: string
  filledIn?: Record<string, unknown>
}

export const servicesPage = ({ services, shops, api, message, filledIn = {} }: ServicesView): Page => ({
  title: 'Services',
  live: true,
  content: html`${messageBox(message)}
<p class="hint">The providers that this shop calls in its cart and its checkout.</p>
<div id="services" data-live>${services.length === 0 ? html`<p>No service is registered.</p>` : services.map((service) => serviceCard(service, shops))}</div>
<div class="columns">
<section class="card"><h2>Register a service</h2>
<form method="post" action="/services">
<label>Type <select name="type">${(['shipment', 'payment'] as const).map((type) => html`<option value="${type}" ${filledIn.type === type ? 'selected' : ''}>${type}</option>`)}</select></label>
<label>Name <input name="name" value="${text(filledIn.name)}" maxlength="100" required autocomplete="off"></label>
<label>urlEndpoint <input name="urlEndpoint" type="url" value="${text(filledIn.urlEndpoint)}" required autocomplete="off" placeholder="https://provider.example/e/..."></label>
<p class="hint">https; here http is allowed for addresses of this machine only.</p>
${shopChoice(shops, 'Every shop', text(filledIn.shop))}
<label class="check"><input type="checkbox" name="rateEstimate" value="1"> Request estimates in the cart too</label>
<button>Register</button>
</form></section>
<section class="card"><h2>The API of this shop</h2>
<p>Programs register services and charges with these credentials, over HTTP Basic.</p>
<dl><dt>Address</dt><dd><code>${api.baseUrl}</code></dd><dt>Key</dt><dd><code>${api.key}</code></dd>
<dt>Secret</dt><dd><code>${api.secret}</code></dd><dt>Callbacks are signed with</dt><dd><code>${api.appSecret}</code></dd></dl></section>
</div>`,
})

const text = (value: unknown) => (typeof value === 'string' ? value : '')

const serviceCard = (
  { id, type, name, urlEndpoint, isActive, rateEstimate, shop }: Service,
  shops: readonly PlatformShop[],
): Html => html`<section class="card">
<h2>${name} <span class="badge">${type}</span> <span class="badge ${isActive ? 'good' : ''}">${isActive ? 'active' : 'not active'}</span></h2>
<dl><dt>Number</dt><dd>${id}</dd><dt>urlEndpoint</dt><dd><code>${urlEndpoint}</code></dd>
${shop === undefined ? '' : html`<dt>Shop</dt><dd>${shops.find((one) => one.id === shop)?.title ?? shop}</dd>`}
${type === 'shipment' ? html`<dt>Estimates</dt><dd>${rateEstimate ? 'requested in the cart' : 'not requested'}</dd>` : ''}</dl>
<div class="row">
${action(id, isActive ? 'deactivate' : 'activate', isActive ? 'Deactivate' : 'Activate', name)}
${type === 'shipment' ? action(id, rateEstimate ? 'estimates-off' : 'estimates-on', rateEstimate ? 'Stop estimates' : 'Ask for estimates', name) : ''}
${action(id, 'remove', 'Remove', name)}
</div></section>`

const action = (id: number, what: string, words: string, name: string): Html =>
  html`<form method="post" action="/services/${id}"><button class="quiet small" id="${what}-${id}" name="action" value="${what}" aria-label="${words}: ${name}">${words}</button></form>`
