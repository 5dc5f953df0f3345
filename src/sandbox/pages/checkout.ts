import { html } from 'hono/html'
import type { ServiceType } from '../../contract/index.ts'
import { keyOf } from '../checkout.ts'
import type { OfferedMethod } from '../orders.ts'
import type { Customer, DeliveryAddress } from '../payloads.ts'
import { cartTable, countrySelect, languageSelect, money } from './cart.ts'
import { type Html, messageBox, type Page } from './layout.ts'

export interface CheckoutView {
  id: string
  customer: Customer
  address: DeliveryAddress
  language: string
  shipmentMethods: OfferedMethod[]
  paymentMethods: OfferedMethod[]
  services: readonly ServiceType[]
  /** The reason why the order was not placed. */
  message?: string
}

export const checkoutPage = (view: CheckoutView): Page => ({
  title: 'Checkout',
  content: html`${messageBox(view.message)}
<form method="post" action="/checkout/${view.id}/order">
<div class="columns">
<section class="card"><fieldset><legend>Address</legend>
<div class="pair">${field('First name', 'firstname', view.customer.firstname, 'given-name')}${field('Last name', 'lastname', view.customer.lastname, 'family-name')}</div>
${field('E-mail', 'email', view.customer.email, 'email', 'email')}
<div class="pair">${field('Street', 'address1', view.address.address1, 'address-line1')}${field('House number', 'number', view.address.number, 'off')}</div>
<div class="pair">${field('Zipcode', 'zipcode', view.address.zipcode, 'postal-code')}${field('City', 'city', view.address.city, 'address-level2')}</div>
${countrySelect(view.address.country)}
${languageSelect(view.language)}
<button class="quiet" formaction="/checkout/${view.id}/address">Update methods</button>
</fieldset></section>
<div>
<section class="card">${methodChoice('Shipping', 'shipment', view.shipmentMethods, view.services)}</section>
<section class="card">${methodChoice('Payment', 'payment', view.paymentMethods, view.services)}</section>
<section class="card"><h2>Your order</h2>${cartTable()}
<p class="hint">The chosen methods are added to the total.</p>
<p><button ${view.paymentMethods.length === 0 ? 'disabled' : ''}>Place order</button></p></section>
</div>
</div>
</form>`,
})

const field = (label: string, name: string, value: string, autocomplete: string, type = 'text'): Html =>
  html`<label>${label} <input type="${type}" name="${name}" value="${value}" autocomplete="${autocomplete}" maxlength="100" required></label>`

/** A named icon would be the platform's own picture, 50 by 32 pixels (spec 2.6); an address is the provider's. */
function icon(name: string): Html | string {
  if (name === '') return ''
  return name.startsWith('https://')
    ? html`<img class="icon" src="${name}" alt="" width="50" height="32">`
    : html`<span class="icon" aria-hidden="true">${name}</span>`
}

function methodChoice(
  legend: string,
  name: ServiceType,
  methods: OfferedMethod[],
  services: readonly ServiceType[],
): Html {
  if (!services.includes(name)) {
    return html`<h2>${legend}</h2><p class="hint">No <a href="/services">service</a> is registered for ${name}.</p>`
  }
  if (methods.length === 0) {
    return html`<h2>${legend}</h2><p class="message">The provider offers no ${legend.toLowerCase()} method for this address. The <a href="/log">log</a> says why.</p>`
  }
  return html`<fieldset><legend>${legend}</legend>${methods.map(
    (method, place) => html`<label class="option">
<input type="radio" name="${name}" value="${keyOf(method)}" ${place === 0 ? 'checked' : ''} required>
<span>${icon(method.icon)} ${method.title}</span><span class="amount">${money(method.price_incl)}</span>
${method.description || method.address ? html`<small>${[method.description, method.address].filter(Boolean).join(' - ')}</small>` : ''}
</label>`,
  )}</fieldset>`
}
