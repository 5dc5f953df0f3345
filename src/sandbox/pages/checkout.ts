import { html } from 'hono/html'
import { type ServiceType, serviceTypes } from '../../contract/index.ts'
import { servedBy } from '../../contract/served.ts'
import { hashedFile } from '../../http/pages/assets.ts'
import { note } from '../../http/pages/parts/facts.ts'
import type { Html } from '../../http/pages/parts/frame.ts'
import { roundToCurrency } from '../../money/index.ts'
import { type Checkout, keyOf } from '../checkout.ts'
import type { OfferedMethod } from '../orders.ts'
import { cartTable, inMinor, money, totalOf } from './cart.ts'
import { type Faults, Fields, refusal } from './fields.ts'
import type { Page } from './layout.ts'

export type CheckoutFields = Readonly<Record<string, string>>

export interface CheckoutView {
  checkout: Pick<Checkout, 'id' | 'currency' | 'lines'>
  fields: CheckoutFields
  faults?: Faults | undefined
  methods: Record<ServiceType, OfferedMethod[]>
  services: readonly ServiceType[]
  alert?: Page['alert']
}

/** The fields of a checkout's form. Those of the billing address start with `billing_`. */
export function fieldsOfCheckout({ customer, address, billing, language }: Checkout): CheckoutFields {
  const billed = Object.entries(billing ?? address).map(([name, value]) => [`billing_${name}`, value])
  return { ...customer, ...address, language, other: billing ? '1' : '', ...Object.fromEntries(billed) }
}

export const totalScript = hashedFile(
  'total',
  '.js',
  Buffer.from(`addEventListener('change', ({ target }) => {
const { adds, title } = target.dataset
if (!adds) return
const { currency, digits } = document.querySelector('[data-total]').dataset
const written = (minor) =>
new Intl.NumberFormat('en', { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(minor / 10 ** digits)
const { cells } = document.querySelector('[data-chosen="' + target.name + '"]')
cells[0].textContent = title
cells[3].textContent = written(adds)
for (const sum of document.querySelectorAll('[data-total]'))
sum.textContent = written([...document.querySelectorAll('[data-adds]:checked')].reduce((all, one) => all + Number(one.dataset.adds), Number(sum.dataset.total)))
})
`),
)

const rare = ['phone', 'company', 'vatnumber', 'cocnumber', 'region', 'extension']

export function checkoutPage(view: CheckoutView): Page {
  const { id, currency, lines } = view.checkout
  const isPayable = view.methods.payment.length > 0
  const fields = new Fields('field', view.fields, view.faults)
  const one = (label: string, name: string, autocomplete = 'off', inputmode?: 'email' | 'tel') =>
    fields.text(label, name, { autocomplete, inputmode })
  const place = (
    prefix: string,
    kind: string,
  ) => html`${one('Street', `${prefix}address1`, `${kind} address-line1`)}
<div class="pair">${one('House number', `${prefix}number`)}${one('Zipcode', `${prefix}zipcode`, `${kind} postal-code`)}${one('City', `${prefix}city`, `${kind} address-level2`)}</div>
${fields.country(`${prefix}country`)}`
  const more = (prefix: string, kind: string) =>
    html`<div class="pair">${one('Addition', `${prefix}extension`)}${one('Region', `${prefix}region`, `${kind} address-level1`)}</div>`
  const isOpen = (open: unknown) => (open ? ' open' : '')
  const form = html`<form method="post" action="/checkout/${id}/order" class="checkout">
<div class="steps"><fieldset class="sheet"><legend>Address</legend>
<div class="pair">${one('First name', 'firstname', 'given-name')}${one('Last name', 'lastname', 'family-name')}</div>
${one('E-mail', 'email', 'email', 'email')}
${place('', 'shipping')}
<details${isOpen(fields.uses(...rare))}><summary>Telephone, company, region</summary><div class="field">
<div class="pair">${one('Telephone', 'phone', 'tel', 'tel')}${one('Company', 'company', 'organization')}</div>
<div class="pair">${one('VAT number', 'vatnumber')}${one('Company ID', 'cocnumber')}</div>${more('', 'shipping')}</div></details>
<label class="choice"><input type="checkbox" name="other" value="1"${view.fields.other ? ' checked' : ''}> <span>Bill to another address</span></label>
<details${isOpen(view.fields.other)}><summary>Billing address</summary>
<fieldset class="field"><legend class="hint">Used if the box is checked, or if you change it</legend>${place('billing_', 'billing')}${more('billing_', 'billing')}</fieldset></details>
${fields.language()}
<div class="row"><button class="quiet" formaction="/checkout/${id}/address">Update methods</button></div>
</fieldset>
${methodChoice('Shipping', 'shipment', view)}
${methodChoice('Payment', 'payment', view)}</div>
<section class="sheet" aria-labelledby="order"><h2 id="order">Your order</h2>${cartTable(lines, currency, ...chosenIn(view))}
<noscript><p class="hint">"Update methods" shows the total with other methods.</p></noscript></section>
<div class="place"><p>Total <strong>${totalOf(lines, currency, chosenIn(view))}</strong>${isPayable ? '' : html`<br><small>There is no way to pay: see Payment.</small>`}</p><button${isPayable ? '' : ' disabled'}>Place order</button></div>
</form>`
  const errors = refusal('The order is not placed. Correct these fields', fields)
  return {
    title: 'Checkout',
    faulty: errors !== '',
    alert: view.alert,
    script: totalScript.name,
    front: {
      content: html`${errors}${form}`,
      below: html`<p class="hint">An empty field is sent to the provider as no data. The <a href="/log">log</a> shows its calls.</p>`,
    },
  }
}

/** A named icon would be the platform's own picture (spec 2.6); an address is the provider's. */
function icon(name: string): Html | string {
  if (name === '') return ''
  return name.startsWith('https://')
    ? html`<img class="icon" src="${name}" alt="" width="50" height="32">`
    : html`<small class="icon" aria-hidden="true">${name}</small>`
}

const chosenOf = (name: ServiceType, { methods: { [name]: methods }, fields }: CheckoutView) =>
  methods.find((method) => keyOf(method) === fields[name]) ?? methods[0]

const chosenIn = (view: CheckoutView) =>
  serviceTypes.flatMap((name) => {
    const method = chosenOf(name, view)
    return method ? [{ ...method, name }] : []
  })

function methodChoice(legend: string, name: ServiceType, view: CheckoutView): Html {
  const methods = view.methods[name]
  if (methods.length === 0)
    return html`<section class="sheet"><h2>${legend}</h2>${
      view.services.includes(name)
        ? note(
            'wait',
            `The provider offers no ${legend.toLowerCase()} method for this address`,
            html`The <a href="/log">log</a> says why.`,
          )
        : html`<p class="hint">No <a href="/services">service</a> is registered for ${servedBy[name]}.</p>`
    }</section>`
  const chosen = chosenOf(name, view)
  const { currency } = view.checkout
  return html`<fieldset class="sheet"><legend>${legend}</legend><div class="choices">${methods.map(
    (
      method,
    ) => html`<label class="choice"><input type="radio" name="${name}" value="${keyOf(method)}"${method === chosen ? ' checked' : ''} required data-adds="${inMinor(roundToCurrency(method.price_incl, currency), currency)}" data-title="${method.title}">
<span>${icon(method.icon)} ${method.title}${[method.description, method.address].filter(Boolean).map((words) => html`<small>${words}</small>`)}</span> <b class="num">${money(method.price_incl, currency)}</b></label>`,
  )}</div></fieldset>`
}
