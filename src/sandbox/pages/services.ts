import { html } from 'hono/html'
import { serviceTypes } from '../../contract/index.ts'
import { empty, facts, pill } from '../../http/pages/parts/facts.ts'
import { optionList } from '../../http/pages/parts/forms.ts'
import type { Content, Html } from '../../http/pages/parts/frame.ts'
import { type Row, table } from '../../http/pages/parts/table.ts'
import type { PlatformShop } from '../catalogue.ts'
import type { Charge, ChargeStatus, Invoice } from '../charges.ts'
import type { Shop } from '../shop.ts'
import type { Service } from '../state.ts'
import { money } from './cart.ts'
import { shopChoice } from './fields.ts'
import { copied, type Page } from './layout.ts'

export type Credentials = Record<'key' | 'secret' | 'appSecret', string>

/** `message`: why nothing was registered; `filledIn`: the form as it was sent. */
export const servicesPage = (
  { services, catalogue, apiUrl }: Shop,
  api: Credentials,
  { message, filledIn = {} }: { message?: string; filledIn?: Record<string, unknown> },
): Page => ({
  title: 'Services',
  facts: 'The providers that this shop calls in its cart and its checkout.',
  live: true,
  alert: message === undefined ? undefined : { look: 'bad', words: `Nothing is registered. ${message}` },
  content: html`<div id="services" data-live>${table(
    'Services',
    { Service: 'first', State: 'state', Type: '', Shop: 'text', Estimates: '', Change: 'plain' },
    services.all().map((service) => serviceRow(service, catalogue.allShops())),
    {
      none: empty(
        'No service is registered, so the checkout has no shipping, and a payment of its own.',
        'Register the address of a provider below, or through the API.',
      ),
    },
  )}</div>
<div class="columns below">
<section aria-labelledby="register"><h2 id="register">Register a service</h2>
<form method="post" action="/services">
<label class="field">Type <select name="type">${optionList(types, filledIn.type)}</select></label>
<label class="field">Name <input name="name" value="${text(filledIn.name)}" maxlength="100" required autocomplete="off"></label>
<div class="field"><label for="endpoint">Address (urlEndpoint)</label><input id="endpoint" name="urlEndpoint" type="url" value="${text(filledIn.urlEndpoint)}" required autocomplete="off" placeholder="https://provider.example/e/..." aria-describedby="endpoint-hint">
<small id="endpoint-hint">An https address. Here http is allowed too, for addresses of this machine.</small></div>
${shopChoice(catalogue.allShops(), 'Every shop', text(filledIn.shop))}
<label class="choice"><input type="checkbox" name="rateEstimate" value="1"> <span>Request estimates in the cart too</span></label>
<div class="row"><button>Register</button></div>
</form></section>
<section aria-labelledby="api"><h2 id="api">The API of this shop</h2>
<p>Programs register services and charges with these credentials, over HTTP Basic.</p>
${facts({ Address: copied(apiUrl), Key: copied(api.key), Secret: copied(api.secret), 'Secret of callbacks': copied(api.appSecret) })}</section>
</div>`,
})

const types = serviceTypes.map((type) => [type, type] as const)
const text = (value: unknown) => (typeof value === 'string' ? value : '')

function serviceRow(service: Service, shops: readonly PlatformShop[]): Row {
  const { id, type, name, urlEndpoint, isActive, rateEstimate, shop } = service
  const action = ([what, words]: readonly [string, string]) =>
    html`<button class="quiet small" id="${what}-${id}" name="action" value="${what}" aria-label="${words}: ${name}">${words}</button>`
  const rates = type === 'shipment'
  const cells = [
    html`<strong>${name}</strong> <small>Number ${id}</small>`,
    pill(isActive ? 'good' : '', isActive ? 'Active' : 'Not active'),
    type,
    shop === undefined ? 'every shop' : (shops.find((one) => one.id === shop)?.title ?? String(shop)),
    rates ? (rateEstimate ? 'requested in the cart' : 'not requested') : '',
    html`<form method="post" action="/services/${id}" class="row">${action(isActive ? ['deactivate', 'Deactivate'] : ['activate', 'Activate'])}${rates ? action(rateEstimate ? ['estimates-off', 'Stop estimates'] : ['estimates-on', 'Ask for estimates']) : ''}${action(['remove', 'Remove'])}</form>`,
  ]
  return { cells, under: copied(urlEndpoint) }
}

const words = {
  pending: ['wait', 'Waits for you'],
  active: ['good', 'Active'],
  cancelled: ['', 'Cancelled'],
  expired: ['', 'Expired'],
} as const satisfies Record<ChargeStatus, unknown>

const per = ({ type, price }: Charge) => `${money(price)} ${type === 'recurring' ? 'a month' : 'once'}`

export const chargesPage = (charges: Charge[]): Page => ({
  title: 'Charges',
  facts: 'Apps charge the merchant. Nothing is billed before the merchant approves it.',
  live: true,
  content: html`<div id="charges" data-live>${table(
    'Charges',
    { Charge: 'first', Status: 'state', Price: '', Next: 'plain' },
    charges.toReversed().map(chargeCells),
    {
      none: empty(
        'There are no charges yet.',
        html`Create the first one through the <a href="/services">API of this shop</a>, or with <code>purveyor charges create</code>.`,
      ),
    },
  )}</div>`,
})

const chargeCells = (charge: Charge): Content[] => {
  const { id, title, token, upgradeFrom, status } = charge
  return [
    html`${title}${upgradeFrom === undefined ? '' : html` <small>instead of charge ${upgradeFrom}</small>`}`,
    pill(words[status][0], words[status][1]),
    per(charge),
    status === 'pending'
      ? html`<a href="/charges/${id}/approval?token=${token}" aria-label="Decide on ${title}">Decide</a>`
      : '',
  ]
}

export const approvalPage = (charge: Charge, app: string): Page => ({
  title: charge.status === 'pending' ? 'Approve this charge?' : `This charge is ${charge.status}`,
  content: html`<section class="sheet slim"><h2>${charge.title}</h2>
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
  facts: 'The shop bills its customers, and the platform bills the merchant.',
  live: true,
  content: html`<div id="invoices" data-live>
<section><h2>To customers</h2>${invoiceTable(
    'Invoices to customers',
    invoices.filter((invoice) => invoice.for === 'customer'),
    empty(
      'No customer has an invoice yet.',
      html`An order gets one when it is confirmed, unless its payment method sends its own. <a href="/checkout">Place an order</a>.`,
    ),
  )}</section>
<section class="below"><h2>To the merchant</h2>${invoiceTable(
    'Invoices to the merchant',
    invoices.filter((invoice) => invoice.for !== 'customer'),
    empty(
      'The merchant has no invoice yet.',
      html`Active charges are billed at the end of each month: <a href="/switches">move the clock</a>.`,
    ),
  )}</section></div>`,
})

const invoiceTable = (label: string, invoices: Invoice[], none: Html): Html =>
  table(
    label,
    { Invoice: 'first', Status: 'state', Date: '', For: 'text', Total: 'right' },
    invoices
      .toReversed()
      .map(({ number, createdAt, lines, total, status }) => [
        html`<span class="whole">${number}</span>`,
        pill(status === 'paid' ? 'good' : '', status === 'paid' ? 'Paid' : 'Not paid'),
        html`<span class="whole">${new Date(createdAt).toISOString().slice(0, 10)}</span>`,
        lines
          .map(({ title, amount }) => (lines.length === 1 ? title : `${title}: ${money(amount)}`))
          .join(', '),
        money(total),
      ]),
    { none },
  )
