import { html } from 'hono/html'
import { formatMoney } from '../../money/index.ts'
import { cart, currency, total } from '../cart.ts'
import type { Method } from '../offered-method.ts'
import { countries, type Destination, languages } from '../payloads.ts'
import { type Html, messageBox, type Page, scrolling } from './layout.ts'

export const money = (amount: string) => formatMoney(amount, currency, 'en')

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const countryNames = new Intl.DisplayNames('en', { type: 'region' })

export const countrySelect = (chosen: string) => html`<label>Country
<select name="country" autocomplete="country">${countries.map(
  (country) =>
    html`<option value="${country}" ${country === chosen ? 'selected' : ''}>${countryNames.of(country.toUpperCase())}</option>`,
)}</select></label>`

export const languageSelect = (chosen: string) => html`<label>Language of the shop
<select name="language">${languages.map(
  (language) =>
    html`<option value="${language}" ${language === chosen ? 'selected' : ''}>${languageNames.of(language)}</option>`,
)}</select></label>`

/** The lines of the cart, what is added to them, and the total. */
export const cartTable = (...added: Method[]): Html =>
  scrolling(
    'Products with their prices',
    html`<table>
<thead><tr><th scope="col">Product</th><th scope="col" class="amount">Number</th><th scope="col" class="amount">Price</th></tr></thead>
<tbody>
${cart.map((line) => html`<tr><td>${line.title}</td><td class="amount">${line.quantity}</td><td class="amount">${money(line.price_incl)}</td></tr>`)}
${added.map((method) => html`<tr><td>${method.title}</td><td></td><td class="amount">${money(method.price_incl)}</td></tr>`)}
</tbody>
<tfoot><tr><th scope="row" colspan="2">Total with VAT</th><td class="amount">${money(total(...added).incl)}</td></tr></tfoot>
</table>`,
  )

export interface CartView {
  destination: Destination
  language: string
  /** The provider's estimate; not set before the request. */
  estimate?: Method[]
  /** The reason why no request was made. */
  message?: string
}

export const cartPage = ({ destination, language, estimate, message }: CartView): Page => ({
  title: 'Your cart',
  content: html`${messageBox(message)}<div class="columns">
<section class="card" aria-labelledby="products"><h2 id="products">Products</h2>${cartTable()}</section>
<section class="card" aria-labelledby="shipping"><h2 id="shipping">Shipping</h2>
<form method="get" action="/">
<div class="pair">
<label>Zipcode <input name="zipcode" value="${destination.zipcode}" autocomplete="postal-code" maxlength="20" required></label>
${countrySelect(destination.country)}
</div>
${languageSelect(language)}
<button class="quiet">Estimate shipping</button>
<button formaction="/checkout">Checkout</button>
</form>
${estimate === undefined ? '' : estimated(estimate)}
</section>
</div>`,
})

const estimated = (methods: Method[]): Html =>
  methods.length === 0
    ? html`<p class="message" role="status">The provider estimates no shipping there. The <a href="/log">log</a> says why.</p>`
    : html`<div role="status"><ul class="plain">${methods.map(
        (method) =>
          html`<li><strong>${method.title}</strong> ${money(method.price_incl)}<br><small>${method.description}</small></li>`,
      )}</ul></div>`
