import { html } from 'hono/html'
import type { ServiceType } from '../../contract/index.ts'
import { servedBy } from '../../contract/served.ts'
import type { CartLine } from '../../messages/lines.ts'
import { roundToCurrency } from '../../money/index.ts'
import { type Checkout, keyOf } from '../checkout.ts'
import type { OfferedMethod } from '../orders.ts'
import { cartTable, inMinor, money } from './cart.ts'
import { countrySelect, type Faults, languageSelect, textField } from './fields.ts'
import { messageBox } from './layout.ts'
import type { Html, Page } from './page.ts'

/** The values of the checkout's form, by the name of the field. */
export type CheckoutFields = Readonly<Record<string, string>>

export interface CheckoutView {
  id: string
  fields: CheckoutFields
  faults?: Faults | undefined
  currency: string
  lines: readonly CartLine[]
  shipmentMethods: OfferedMethod[]
  paymentMethods: OfferedMethod[]
  services: readonly ServiceType[]
  /** The reason why the order was not placed. */
  message?: string | undefined
}

/** The fields of a checkout's form. Those of the billing address start with `billing_`. */
export function fieldsOfCheckout({ customer, address, billing, language }: Checkout): CheckoutFields {
  const billed = Object.entries(billing ?? address).map(([name, value]) => [`billing_${name}`, value])
  return { ...customer, ...address, language, other: billing ? '1' : '', ...Object.fromEntries(billed) }
}

export function checkoutPage(view: CheckoutView): Page {
  const { fields, faults } = view
  const one = (label: string, name: string, autocomplete = 'off', inputmode?: 'email' | 'tel') =>
    textField({ label, name, value: fields[name] ?? '', autocomplete, faults, inputmode })
  const place = (prefix: string, kind: string) => html`
${one('Street', `${prefix}address1`, `${kind} address-line1`)}
<div class="pair">${one('House number', `${prefix}number`)}${one('Addition', `${prefix}extension`)}</div>
<div class="pair">${one('Zipcode', `${prefix}zipcode`, `${kind} postal-code`)}${one('City', `${prefix}city`, `${kind} address-level2`)}${one('Region', `${prefix}region`, `${kind} address-level1`)}</div>
${countrySelect(fields[`${prefix}country`] ?? '', { name: `${prefix}country`, faults })}`
  return {
    title: 'Checkout',
    content: html`${messageBox(view.message)}
<form method="post" action="/checkout/${view.id}/order">
<div class="columns">
<section class="card"><fieldset><legend>Address</legend>
<p class="hint">Leave a field empty to try a customer without it: the provider gets no data there.</p>
<div class="pair">${one('First name', 'firstname', 'given-name')}${one('Last name', 'lastname', 'family-name')}</div>
<div class="pair long">${one('E-mail', 'email', 'email', 'email')}${one('Telephone', 'phone', 'tel', 'tel')}</div>
${place('', 'shipping')}
${one('Company', 'company', 'organization')}
<div class="pair long">${one('VAT number', 'vatnumber')}${one('Company ID', 'cocnumber')}</div>
<label class="check"><input type="checkbox" name="other" value="1" ${fields.other ? 'checked' : ''}> Bill to another address</label>
<details ${fields.other ? 'open' : ''}><summary>Billing address</summary>
<fieldset><legend class="hint">Used if the box is checked, or if you change it</legend>${place('billing_', 'billing')}</fieldset></details>
${languageSelect(fields.language ?? 'en', { faults })}
<button class="quiet" formaction="/checkout/${view.id}/address">Update methods</button>
</fieldset></section>
<div>
<section class="card">${methodChoice('Shipping', 'shipment', view)}</section>
<section class="card">${methodChoice('Payment', 'payment', view)}</section>
<section class="card"><h2>Your order</h2>${cartTable(view.lines, view.currency, ...chosenIn(view))}
<noscript><p class="hint">"Update methods" shows the total with other methods.</p></noscript>
<p><button ${view.paymentMethods.length === 0 ? 'disabled' : ''}>Place order</button></p></section>
</div>
</div>
</form>`,
  }
}

/** A named icon would be the platform's own picture, 50 by 32 pixels (spec 2.6); an address is the provider's. */
function icon(name: string): Html | string {
  if (name === '') return ''
  return name.startsWith('https://')
    ? html`<img class="icon" src="${name}" alt="" width="50" height="32">`
    : html`<span class="icon" aria-hidden="true">${name}</span>`
}

const methodsOf = (name: ServiceType, view: CheckoutView) =>
  name === 'shipment' ? view.shipmentMethods : view.paymentMethods

/** The method that the form names, or the first of the list. */
function chosenOf(name: ServiceType, view: CheckoutView): OfferedMethod | undefined {
  const methods = methodsOf(name, view)
  return methods.find((method) => keyOf(method) === view.fields[name]) ?? methods[0]
}

const chosenIn = (view: CheckoutView) =>
  (['shipment', 'payment'] as const).flatMap((name) => {
    const method = chosenOf(name, view)
    return method ? [{ ...method, name }] : []
  })

function methodChoice(legend: string, name: ServiceType, view: CheckoutView): Html {
  const methods = methodsOf(name, view)
  if (!view.services.includes(name) && methods.length === 0)
    return html`<h2>${legend}</h2><p class="hint">No <a href="/services">service</a> is registered for ${servedBy[name]}.</p>`
  if (methods.length === 0)
    return html`<h2>${legend}</h2><p class="message">The provider offers no ${legend.toLowerCase()} method for this address. The <a href="/log">log</a> says why.</p>`
  const chosen = chosenOf(name, view)
  return html`<fieldset><legend>${legend}</legend>${methods.map(
    (method) => html`<label class="option">
<input type="radio" name="${name}" value="${keyOf(method)}" ${method === chosen ? 'checked' : ''} required data-adds="${inMinor(roundToCurrency(method.price_incl, view.currency), view.currency)}" data-title="${method.title}">
<span>${icon(method.icon)} ${method.title}</span><span class="amount">${money(method.price_incl, view.currency)}</span>
${method.description || method.address ? html`<small>${[method.description, method.address].filter(Boolean).join(' - ')}</small>` : ''}
</label>`,
  )}</fieldset>`
}
