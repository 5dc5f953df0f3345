import { html } from 'hono/html'
import { type CartLine, total } from '../../messages/lines.ts'
import type { Destination } from '../../messages/options.ts'
import { type PersonName, people, personNames } from '../../messages/people.ts'
import { presetNames, presets } from '../../messages/presets.ts'
import { emptyProduct, type Product } from '../../messages/products.ts'
import { currencyDigits, type Decimal, decimal, formatMoney } from '../../money/index.ts'
import type { CartItem, PlatformShop } from '../catalogue.ts'
import type { Method } from '../offered-method.ts'
import { countrySelect, type Faults, languageSelect, selectField, textField } from './fields.ts'
import { messageBox, scrolling } from './layout.ts'
import type { Html, Page } from './page.ts'

export const money = (amount: string, currency = 'eur') => formatMoney(amount, currency, 'en')

/** The whole number that the script of the checkout adds up. */
export const inMinor = (amount: Decimal, currency: string): string =>
  decimal(amount)
    .times(10 ** currencyDigits(currency))
    .toFixed(0)

type Added = Pick<Method, 'title' | 'price_incl' | 'price_excl'> & { name?: string }

/**
 * The products of a cart, what is added to them, and the total. Its row has the `name` of the choice that adds a method, if it may change. On
 * a phone a name stands above its figures; the roles keep it a table for screen readers there.
 */
export const cartTable = (lines: readonly CartLine[], currency: string, ...added: Added[]): Html =>
  scrolling(
    'Products with their prices',
    html`<table role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Product</th><th scope="col" role="columnheader" class="amount">Quantity</th><th scope="col" role="columnheader" class="amount">Weight</th><th scope="col" role="columnheader" class="amount">Price</th></tr></thead>
<tbody role="rowgroup">
${lines.length === 0 ? html`<tr role="row"><td role="cell" colspan="4">The cart is empty.</td></tr>` : ''}
${lines.map((line) => html`<tr role="row"><td role="cell">${line.title}</td><td role="cell" class="amount">${line.quantity}</td><td role="cell" class="amount">${line.weight}</td><td role="cell" class="amount">${money(line.price_incl, currency)}</td></tr>`)}
${added.map(({ name = '', ...method }) => html`<tr role="row" data-chosen="${name}"><td role="cell">${method.title}</td><td role="cell"></td><td role="cell"></td><td role="cell" class="amount">${money(method.price_incl, currency)}</td></tr>`)}
</tbody>
<tfoot role="rowgroup"><tr role="row"><th scope="row" role="rowheader" colspan="2">Total with VAT</th><td role="cell" class="amount">${lines.reduce((all, { weight }) => all + weight, 0)}</td><td role="cell" class="amount" data-total="${inMinor(total(currency, ...lines).incl, currency)}" data-currency="${currency}" data-digits="${currencyDigits(currency)}">${money(total(currency, ...lines, ...added).incl, currency)}</td></tr></tfoot>
</table><p class="hint">Weights are in the unit of the shop; the presets use grams.</p>`,
  )

/** A form that was refused: its place on the page, what was filled in, and the rules that it breaks. */
export interface RefusedForm {
  /** `new`, `shop`, `where`, or the id of a product. */
  place: string
  values: Readonly<Record<string, string>>
  faults: Faults
}

export interface CartView {
  items: readonly CartItem[]
  lines: readonly CartLine[]
  others: readonly Product[]
  shop: PlatformShop
  shops: readonly PlatformShop[]
  destination: Destination
  language: string
  person: PersonName
  /** Whether the customer has asked for an estimate, which each change makes anew. */
  estimates: boolean
  /** The provider's estimate; not set before the request. */
  estimate?: Method[] | undefined
  refused?: RefusedForm | undefined
  /** Whether a service is registered that is asked for an estimate. */
  isEstimated: boolean
  /** The reason why something was not done. */
  message?: string | undefined
}

export const cartPage = (view: CartView): Page => ({
  title: 'Your cart',
  content: html`${messageBox(view.message)}<div class="columns">
<section class="card" aria-labelledby="products"><h2 id="products">Products</h2>${cartTable(view.lines, view.shop.currency)}
<form method="post" action="/cart/preset">${back(view)}${selectField({
    label: 'Fill the cart with',
    name: 'preset',
    value: 'usual',
    form: 'preset',
    options: presetNames.map((name) => [name, presets[name].title]),
  })}<button class="quiet">Fill the cart</button></form>
${view.items.map((item) => productForm(view, item))}
${newForm(view)}
${view.others.length === 0 ? '' : addForm(view)}
</section>
<div>
<section class="card" aria-labelledby="shipping"><h2 id="shipping">Shipping</h2>
${personForm(view)}
${destinationForm(view)}
${view.estimate === undefined ? '' : estimated(view)}
</section>
${shopCard(view)}
</div>
</div>`,
})

/** Where the shop returns to after a change: the same customer, and the estimate anew if there was one. */
const back = ({ destination, language, person, estimates }: CartView): Html =>
  html`<input type="hidden" name="at-customer" value="${person}"><input type="hidden" name="at-language" value="${language}">${
    !estimates
      ? ''
      : html`<input type="hidden" name="at-zipcode" value="${destination.zipcode}"><input type="hidden" name="at-country" value="${destination.country}">`
  }`

const refusedAt = ({ refused }: CartView, place: string) => (refused?.place === place ? refused : undefined)

function productForm(view: CartView, { product, quantity }: CartItem): Html {
  const refused = refusedAt(view, String(product.id))
  const values = refused?.values ?? valuesOf(product, quantity)
  return html`<details class="call" id="product-${product.id}" ${refused ? 'open' : ''}><summary>Edit or remove ${product.title}</summary>
<form method="post" action="/cart/products/${product.id}">${back(view)}${fieldsOf(`p${product.id}`, values, refused?.faults)}
<div class="row"><button name="action" value="save" aria-label="Save ${product.title}">Save</button><button class="quiet" name="action" value="remove" aria-label="Remove ${product.title}">Remove</button></div></form></details>`
}

function newForm(view: CartView): Html {
  const refused = refusedAt(view, 'new')
  const values = refused?.values ?? valuesOf({ ...emptyProduct, priceExcl: '10.00' }, 1)
  return html`<details class="call" id="product-new" ${refused ? 'open' : ''}><summary>Add a product</summary>
<form method="post" action="/cart/products">${back(view)}${fieldsOf('new', values, refused?.faults)}
<div class="row"><button>Add to the cart</button></div></form></details>`
}

const addForm = (view: CartView): Html =>
  html`<details class="call" id="product-other"><summary>Add one of the shop's other products</summary>
<form method="post" action="/cart/add">${back(view)}${selectField({
    label: 'Product',
    name: 'product',
    value: '',
    form: 'other',
    options: view.others.map(({ id, title }) => [String(id), `${title} (${id})`]),
  })}<div class="row"><button>Add it to the cart</button></div></form></details>`

/** The fields of a product's form. Figures of 0 that are no data are empty. */
const valuesOf = (product: Omit<Product, 'id'>, quantity: number): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(product).map(([name, value]) => [
      name,
      value === 0 && emptyIfZero.has(name) ? '' : String(value),
    ]),
  ),
  tax: String(Number((Number(product.taxRate) * 100).toFixed(4))),
  quantity: String(quantity),
})

const emptyIfZero = new Set(['volume', 'colli', 'sizeX', 'sizeY', 'sizeZ'])

function fieldsOf(form: string, values: Readonly<Record<string, string>>, faults: Faults | undefined): Html {
  const one = (label: string, name: string, inputmode?: 'decimal' | 'numeric') =>
    textField({ label, name, value: values[name] ?? '', form, faults, inputmode })
  return html`${one('Title', 'title')}
<div class="pair">${one('Quantity', 'quantity', 'numeric')}${one('Price without tax', 'priceExcl', 'decimal')}${one('Tax in %', 'tax', 'decimal')}</div>
<p class="hint">Figures are of one piece. Empty fields are sent as no data.</p>
<div class="pair">${one('Weight', 'weight', 'numeric')}${one('Volume', 'volume', 'numeric')}${one('Colli', 'colli', 'numeric')}</div>
<div class="pair">${one('Length', 'sizeX', 'decimal')}${one('Width', 'sizeY', 'decimal')}${one('Height', 'sizeZ', 'decimal')}</div>
<div class="pair">${one('Stock', 'stockLevel', 'numeric')}${one('Article code', 'articleCode')}</div>
<div class="pair long">${one('EAN', 'ean')}${one('SKU', 'sku')}</div>
${one('Description', 'description')}`
}

const personForm = (view: CartView): Html =>
  html`<form method="get" action="/"><input type="hidden" name="language" value="${view.language}">${selectField(
    {
      label: 'Customer',
      name: 'customer',
      value: view.person,
      form: 'person',
      options: personNames.map((name) => [name, people[name].title]),
    },
  )}<button class="quiet">Use this customer</button></form>`

function destinationForm(view: CartView): Html {
  const refused = refusedAt(view, 'where')
  const { zipcode, country } = { ...view.destination, ...refused?.values }
  const rest = { form: 'where', faults: refused?.faults }
  return html`<form method="get" action="/"><input type="hidden" name="customer" value="${view.person}">
<div class="pair long">${textField({ label: 'Zipcode', name: 'zipcode', value: zipcode, autocomplete: 'postal-code', ...rest })}${countrySelect(country, rest)}</div>
${languageSelect(view.language, rest)}
<button class="quiet">Estimate shipping</button>
<button formaction="/checkout">Checkout</button>
</form>`
}

function shopCard(view: CartView): Html {
  const { shop, shops } = view
  const refused = refusedAt(view, 'shop')
  const added = refusedAt(view, 'another-shop')
  return html`<section class="card" aria-labelledby="shop"><h2 id="shop">Shop</h2>
<form method="post" action="/cart/shop">${back(view)}
<div class="pair long">${selectField({
    label: 'Shop',
    name: 'shop',
    value: String(shop.id),
    form: 'shop',
    options: shops.map(({ id, title }) => [String(id), `${title} (${id})`]),
  })}${textField({ label: 'Currency', name: 'currency', value: refused?.values.currency ?? shop.currency, form: 'shop', faults: refused?.faults })}</div>
<p class="hint">Its id, language and currency go into every call. <a href="/switches">Switches</a> say how fields without data are written.</p>
<button class="quiet">Use this shop</button></form>
<details class="call" id="another-shop" ${added ? 'open' : ''}><summary>Add another shop of the platform</summary>
<form method="post" action="/cart/shops">${back(view)}
<div class="pair">${textField({ label: 'Name', name: 'title', value: added?.values.title ?? '', form: 'another', faults: added?.faults })}${textField({ label: 'Currency', name: 'currency', value: added?.values.currency ?? 'eur', form: 'another', faults: added?.faults })}</div>
<p class="hint">An endpoint belongs to one shop. Register one for the new shop under <a href="/services">Services</a>.</p>
<div class="row"><button>Add the shop</button></div></form></details></section>`
}

function estimated({ estimate: methods = [], isEstimated, shop: { currency } }: CartView): Html {
  if (!isEstimated)
    return html`<p class="message" role="status">No <a href="/services">service</a> is registered that estimates shipping, so the shop asks nobody.</p>`
  if (methods.length === 0)
    return html`<p class="message" role="status">The provider estimates no shipping there. The <a href="/log">log</a> says why.</p>`
  return html`<div role="status"><ul class="plain">${methods.map(
    (method) =>
      html`<li><strong>${method.title}</strong> ${money(method.price_incl, currency)}<br><small>${method.description}</small></li>`,
  )}</ul></div>`
}
