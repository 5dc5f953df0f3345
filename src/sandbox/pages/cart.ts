import { html } from 'hono/html'
import { note } from '../../http/pages/parts/facts.ts'
import type { Html } from '../../http/pages/parts/frame.ts'
import { table } from '../../http/pages/parts/table.ts'
import { type CartLine, total } from '../../messages/lines.ts'
import type { Destination } from '../../messages/options.ts'
import { type PersonName, people, personNames } from '../../messages/people.ts'
import { presetNames, presets } from '../../messages/presets.ts'
import { emptyProduct, type Product } from '../../messages/products.ts'
import { currencyDigits, type Decimal, decimal, formatMoney } from '../../money/index.ts'
import type { Method } from '../calls/answers.ts'
import type { Catalogue } from '../catalogue.ts'
import { type Faults, Fields, refusal } from './fields.ts'
import type { Page } from './layout.ts'

export const money = (amount: string, currency = 'eur') => formatMoney(amount, currency, 'en')

/** In the unit that the shop's own API names for its products. */
const weight = (grams: number) => `${grams.toLocaleString('en')} g`

/** The whole number that the script of the checkout adds up. */
export const inMinor = (amount: Decimal, currency: string): string =>
  decimal(amount)
    .times(10 ** currencyDigits(currency))
    .toFixed(0)

type Added = Pick<Method, 'title' | 'price_incl' | 'price_excl'> & { name?: string }

/** The total with its sum without the methods, to which the script of the checkout adds those that are chosen. */
export const totalOf = (lines: readonly CartLine[], currency: string, added: readonly Added[]): Html =>
  html`<span class="num" data-total="${inMinor(total(currency, ...lines).incl, currency)}" data-currency="${currency}" data-digits="${currencyDigits(currency)}">${money(total(currency, ...lines, ...added).incl, currency)}</span>`

/** The products of a cart, what is added to them, and the total. A row that may change has the `name` of the choice that changes it. */
export const cartTable = (lines: readonly CartLine[], currency: string, ...added: Added[]): Html =>
  lines.length === 0 && added.length === 0
    ? html`<p>The cart is empty.</p>`
    : table(
        'Products with their prices',
        { Product: 'first', Quantity: 'right', Weight: 'right', Price: 'sum' },
        [
          ...lines.map((line) => [
            line.title,
            String(line.quantity),
            weight(line.weight),
            money(line.price_incl, currency),
          ]),
          ...added.map(({ name = '', ...method }) => ({
            cells: [method.title, '', '', money(method.price_incl, currency)],
            attributes: html`data-chosen="${name}"`,
          })),
        ],
        {
          foot: html`<tfoot role="rowgroup"><tr role="row"><th scope="row" role="rowheader" colspan="2" class="first">Total with VAT</th><td role="cell" class="right" data-label="Weight">${weight(lines.reduce((all, line) => all + line.weight, 0))}</td><td role="cell" class="right state-cell">${totalOf(lines, currency, added)}</td></tr></tfoot>`,
        },
      )

/** A form that was refused: its place on the page, what was filled in, and the rules that it breaks. */
export interface RefusedForm {
  /** `new`, `shop`, `another-shop`, `where`, or the id of a product. */
  place: string
  values: Readonly<Record<string, string>>
  faults: Faults
}

export interface CartView {
  catalogue: Catalogue
  destination: Destination
  language: string
  person: PersonName
  /** Whether the customer has asked for an estimate, which each change makes anew. */
  estimates: boolean
  /** The provider's estimate; not set before the request. */
  estimate?: Method[] | undefined
  refused?: RefusedForm | undefined
  isEstimated: boolean
}

export function cartPage(view: CartView): Page {
  const { catalogue, destination, language, person } = view
  const forms = new CartForms(view)
  const where = forms.fields('where', 'where', { ...destination })
  const content = html`<div class="sheet">${cartTable(catalogue.lines(), catalogue.shop.currency)}</div>
<form class="sheet" method="get" action="/"><input type="hidden" name="customer" value="${person}"><input type="hidden" name="language" value="${language}">
<h2>Shipping</h2>
<div class="pair long">${where.text('Zipcode', 'zipcode', { autocomplete: 'postal-code' })}${where.country()}</div>
${view.estimate === undefined ? '' : estimated(view)}
<div class="row ends"><button class="quiet">Estimate shipping</button><button formaction="/checkout">Checkout</button></div>
</form>`
  const beside = html`${cartTools(view, forms)}${customerTools(view)}${shopTools(view, forms)}`
  const errors = refusal('Nothing was saved. Correct these fields', ...forms.all)
  return {
    title: 'Your cart',
    faulty: errors !== '',
    front: { content: html`${errors}${content}`, beside },
  }
}

/** The forms of the page. After a change the shop returns to the same customer, and makes the estimate anew if there was one. */
class CartForms {
  readonly all: Fields[] = []
  readonly back: Html[]
  readonly #refused: RefusedForm | undefined

  constructor({ person, language, estimates, destination, refused }: CartView) {
    this.#refused = refused
    const visit = { customer: person, language, ...(estimates && destination) }
    this.back = Object.entries(visit).map(
      ([name, value]) => html`<input type="hidden" name="at-${name}" value="${value}">`,
    )
  }

  /** The fields of a form, filled in as it was sent if it was refused. */
  fields(place: string, name: string, values: Readonly<Record<string, string>>): Fields {
    const sent = this.#refused?.place === place ? this.#refused : undefined
    const made = new Fields(name, { ...values, ...sent?.values }, sent?.faults)
    this.all.push(made)
    return made
  }

  /** A form that is folded away, unless it was refused. */
  folded(id: string, title: string, action: string, content: Html, button: Html): Html {
    const open = [id, id.replace('product-', '')].includes(this.#refused?.place ?? '')
    return html`<details id="${id}"${open ? ' open' : ''}><summary>${title}</summary>
<form method="post" action="/cart/${action}">${this.back}${content}<div class="row">${button}</div></form></details>`
  }
}

const titled = (list: readonly { id: number; title: string }[]) =>
  list.map(({ id, title }) => [String(id), `${title} (${id})`] as const)

function cartTools({ catalogue }: CartView, forms: CartForms): Html {
  const items = catalogue.items()
  const others = catalogue.all().filter(({ id }) => !items.some(({ product }) => product.id === id))
  const preset = new Fields('preset', { preset: 'usual' })
  const fillings = presetNames.map((name) => [name, presets[name].title] as const)
  const fresh = forms.fields('new', 'new', valuesOf({ ...emptyProduct, priceExcl: '10.00' }, 1))
  return html`<h2>Change the cart</h2>
<form method="post" action="/cart/preset">${forms.back}${preset.select('Fill the cart with', 'preset', fillings)}<div class="row"><button class="quiet small">Fill the cart</button></div></form>
${items.map(({ product: { id, title, ...product }, quantity }) =>
  forms.folded(
    `product-${id}`,
    `Edit or remove ${title}`,
    `products/${id}`,
    productFields(forms.fields(String(id), `p${id}`, valuesOf({ title, ...product }, quantity))),
    html`<button class="quiet small" name="action" value="save" aria-label="Save ${title}">Save</button><button class="quiet small" name="action" value="remove" aria-label="Remove ${title}">Remove</button>`,
  ),
)}
${forms.folded('product-new', 'Add a product', 'products', productFields(fresh), html`<button class="small">Add to the cart</button>`)}
${others.length === 0 ? '' : forms.folded('product-other', "Add one of the shop's other products", 'add', new Fields('other', {}).select('Product', 'product', titled(others)), html`<button class="small">Add it to the cart</button>`)}`
}

const customerTools = ({ person, language }: CartView): Html => {
  const fields = new Fields('person', { customer: person, language })
  const known = personNames.map((name) => [name, people[name].title] as const)
  return html`<h2>Change the customer</h2>
<form method="get" action="/">${fields.select('Customer', 'customer', known)}${fields.language()}<div class="row"><button class="quiet small">Use this customer</button></div></form>`
}

function shopTools({ catalogue }: CartView, forms: CartForms): Html {
  const { shop } = catalogue
  const own = forms.fields('shop', 'shop', { shop: String(shop.id), currency: shop.currency })
  const another = forms.fields('another-shop', 'another', { currency: 'eur' })
  const chosen = html`${own.select('Shop', 'shop', titled(catalogue.allShops()))}${own.text('Currency', 'currency')}
<p class="hint">Its id, language and currency go into every call. <a href="/switches">Switches</a> say how fields without data are written.</p>`
  const added = html`<div class="pair">${another.text('Name', 'title')}${another.text('Currency', 'currency')}</div>
<p class="hint">An endpoint belongs to one shop. Register one for the new shop under <a href="/services">Services</a>.</p>`
  const use = html`<button class="quiet small">Use this shop</button>`
  return html`<h2>Change the shop</h2>
${forms.folded('shop', `Change ${shop.title}, in ${shop.currency.toUpperCase()}`, 'shop', chosen, use)}
${forms.folded('another-shop', 'Add another shop of the platform', 'shops', added, html`<button class="small">Add the shop</button>`)}`
}

/** The fields of a product's form. Figures of 0 that are no data are empty. */
const valuesOf = (product: Omit<Product, 'id'>, quantity: number): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(product).map(([name, value]) => [name, written(name, value)])),
  tax: String(Number((Number(product.taxRate) * 100).toFixed(4))),
  quantity: String(quantity),
})

const written = (name: string, value: string | number) =>
  value === 0 && /^(volume|colli|size[XYZ])$/.test(name) ? '' : String(value)

function productFields(fields: Fields): Html {
  const one = (label: string, name: string, inputmode?: 'decimal' | 'numeric') =>
    fields.text(label, name, { inputmode })
  return html`${one('Title', 'title')}
<div class="pair">${one('Quantity', 'quantity', 'numeric')}${one('Price without tax', 'priceExcl', 'decimal')}${one('Tax in %', 'tax', 'decimal')}${one('Weight', 'weight', 'numeric')}</div>
<p class="hint">Figures are of one piece: grams, millilitres and centimetres. Empty fields are sent as no data.</p>
<div class="pair">${one('Length', 'sizeX', 'decimal')}${one('Width', 'sizeY', 'decimal')}${one('Height', 'sizeZ', 'decimal')}${one('Volume', 'volume', 'numeric')}${one('Colli', 'colli', 'numeric')}${one('Stock', 'stockLevel', 'numeric')}${one('Article code', 'articleCode')}</div>
<div class="pair long">${one('EAN', 'ean')}${one('SKU', 'sku')}</div>
${one('Description', 'description')}`
}

function estimated({ estimate: methods = [], isEstimated, catalogue }: CartView): Html {
  if (!isEstimated)
    return html`<div role="status">${note('wait', 'No service is registered that estimates shipping', html`So the shop asks nobody. <a href="/services">Register one</a> to try it.`)}</div>`
  if (methods.length === 0)
    return html`<div role="status">${note('wait', 'The provider estimates no shipping there', html`The <a href="/log">log</a> says why.`)}</div>`
  return html`<div role="status"><dl class="sum">${methods.map(
    (method) =>
      html`<div><dt>${method.title}${method.description === '' ? '' : html` <small>${method.description}</small>`}</dt><dd class="num">${money(method.price_incl, catalogue.shop.currency)}</dd></div>`,
  )}</dl></div>`
}
