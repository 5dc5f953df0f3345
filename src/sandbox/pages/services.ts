import { html } from 'hono/html'
import type { PlatformShop } from '../catalogue.ts'
import type { Charge, ChargeStatus } from '../charges.ts'
import type { Invoice } from '../order-book.ts'
import type { Service } from '../state.ts'
import { money } from './cart.ts'
import { shopChoice } from './fields.ts'
import { messageBox } from './layout.ts'
import { dataTable } from './log.ts'
import type { Html, Page } from './page.ts'

export interface ServicesView {
  services: Service[]
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

const words: Record<ChargeStatus, [text: string, look: string]> = {
  pending: ['waits for you', 'wait'],
  active: ['active', 'good'],
  cancelled: ['cancelled', 'bad'],
  expired: ['expired', 'bad'],
}

const per = ({ type, price }: Charge) => `${money(price)} ${type === 'recurring' ? 'a month' : 'once'}`

export const chargesPage = (charges: Charge[]): Page => ({
  title: 'Charges',
  live: true,
  content: html`<p class="hint">Charges by apps to the merchant. Nothing is billed before it is approved.</p>
<div id="charges" data-live>${
    charges.length === 0
      ? html`<p>There are no charges. Apps create them through the <a href="/services">API</a>.</p>`
      : html`<div class="card">${dataTable('Charges', { Charge: '', Price: '', Status: '', Next: '' }, charges.toReversed().map(chargeCells))}</div>`
  }</div>`,
})

function chargeCells(charge: Charge): (Html | string)[] {
  const [text, look] = words[charge.status]
  const { id, title, token, upgradeFrom, status } = charge
  return [
    html`${title}${upgradeFrom === undefined ? '' : html` <small>instead of charge ${upgradeFrom}</small>`}`,
    per(charge),
    html`<span class="badge ${look}">${text}</span>`,
    status === 'pending'
      ? html`<a href="/charges/${id}/approval?token=${token}" aria-label="Decide on ${title}">Decide</a>`
      : '',
  ]
}

export const approvalPage = (charge: Charge, app: string): Page => ({
  title: charge.status === 'pending' ? 'Approve this charge?' : `This charge is ${charge.status}`,
  content: html`<section class="card"><h2>${charge.title}</h2>
<p>The app at <strong>${app}</strong> asks for <strong>${per(charge)}</strong>.
${charge.upgradeFrom === undefined ? '' : `It replaces charge ${charge.upgradeFrom}, which stays active until you approve.`}</p>
${
  charge.status === 'pending'
    ? html`<form method="post" action="/charges/${charge.id}/approval?token=${charge.token}"><div class="row">
<button name="decision" value="approve">Approve</button><button class="quiet" name="decision" value="decline">Decline</button></div></form>`
    : html`<p><a href="/charges">All charges</a></p>`
}</section>`,
})

/** The page on the way back to the app. A page of our own: browsers may block a form's redirect to another host. */
export const backToAppPage = (charge: Charge, callbackUrl: string): Page => ({
  title: `The charge is ${charge.status}`,
  content: html`<p><a class="button" href="${callbackUrl}">Back to the app</a></p>`,
  goOn: callbackUrl,
})

export const invoicesPage = (invoices: Invoice[]): Page => ({
  title: 'Invoices',
  live: true,
  content: html`<div id="invoices" data-live class="columns">
<section class="card"><h2>To customers</h2>${invoiceTable(
    'Invoices to customers',
    invoices.filter((invoice) => invoice.for === 'customer'),
    'None yet. An order gets one when it is confirmed, unless its payment method sends its own.',
  )}</section>
<section class="card"><h2>To the merchant</h2>${invoiceTable(
    'Invoices to the merchant',
    invoices.filter((invoice) => invoice.for !== 'customer'),
    html`None yet. Active charges are billed at the end of each month: <a href="/switches">move the clock</a>.`,
  )}</section></div>`,
})

const invoiceTable = (label: string, invoices: Invoice[], none: Html | string): Html =>
  invoices.length === 0
    ? html`<p class="hint">${none}</p>`
    : dataTable(
        label,
        { Invoice: 'whole', Date: 'whole', For: '', Total: 'amount' },
        invoices
          .toReversed()
          .map(({ number, createdAt, lines, total, status }) => [
            html`${number}<br><span class="badge ${status === 'paid' ? 'good' : ''}">${status.replace('_', ' ')}</span>`,
            new Date(createdAt).toISOString().slice(0, 10),
            html`${lines.map(({ title, amount }) => html`${title}: ${money(amount)}<br>`)}`,
            money(total),
          ]),
      )
