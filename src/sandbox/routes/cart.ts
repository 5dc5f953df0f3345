import type { Request, Response, Router } from 'express'
import { z } from 'zod'
import { languages } from '../../messages/live.ts'
import { addressFields, customerFields, type DeliveryAddress, given } from '../../messages/options.ts'
import { isPersonName, people } from '../../messages/people.ts'
import { presetNames } from '../../messages/presets.ts'
import {
  emptyProduct,
  most,
  type Product,
  productFields,
  quantityRule,
  readProduct,
  readQuantity,
} from '../../messages/products.ts'
import { isCurrency, readDecimal } from '../../money/index.ts'
import { isCountry } from '../../rates/files/cells.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Checkout } from '../checkout.ts'
import { cartPage, type RefusedForm } from '../pages/cart.ts'
import type { CheckoutFields } from '../pages/checkout.ts'
import { form, sendPage } from '../pages/layout.ts'
import type { Shop } from '../shop.ts'

export const isLanguage = (code: unknown): code is string =>
  typeof code === 'string' && (languages as readonly string[]).includes(code)

const mostOfForm = (name: string) =>
  name.endsWith('zipcode') ? 20 : name === 'shipment' || name === 'payment' ? 200 : 100

/** The rules that the fields of a place break: their lengths, the country and the language. */
function placeFaults(fields: Record<string, string>): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields))
    if (value.length > mostOfForm(name)) faults[name] = `must be at most ${mostOfForm(name)} characters`
  if (!isCountry(fields.country ?? '')) faults.country = 'must be a country from the list'
  if (!isLanguage(fields.language)) faults.language = `must be one of ${languages.join(', ')}`
  return faults
}

/** The fields of a sent checkout, and the rules that they break. A billing address other than the `shown` one counts without its box too. */
export function readCheckoutForm(body: unknown, shown: CheckoutFields) {
  const fields = textOf(body)
  const isTyped = ([name, value]: [string, string]) =>
    name.startsWith('billing_') && value !== (shown[name] ?? '')
  fields.other ??= Object.entries(fields).some(isTyped) ? '1' : ''
  // Those that do not count follow the shipping address when the page is shown again.
  if (!fields.other) for (const name of addressFields) delete fields[`billing_${name}`]
  const faults = placeFaults(fields)
  if (fields.email && !z.email().safeParse(fields.email).success)
    faults.email = 'must be an address such as noor@customer.example, or empty'
  if (fields.other && !isCountry(fields.billing_country ?? ''))
    faults.billing_country = 'must be a country from the list'
  return Object.keys(faults).length > 0 ? { fields, faults } : { fields }
}

const pick = (fields: CheckoutFields, names: readonly string[], prefix = '') =>
  given(Object.fromEntries(names.map((name) => [name, fields[prefix + name]])))

export function checkoutOf(shop: Shop, fields: CheckoutFields): Checkout {
  const billing = pick(fields, addressFields, 'billing_') as Partial<DeliveryAddress>
  return shop.checkout({
    language: fields.language!,
    customer: filledIn(pick(fields, customerFields)),
    address: filledIn(pick(fields, addressFields)),
    billing: fields.other ? filledIn(billing) : undefined,
  })
}

/** Optional fields that stay empty keep the habits of live platforms, which have several kinds of no data. */
const optional = new Set(['phone', 'company', 'vatnumber', 'cocnumber', 'extension', 'region'])
const filledIn = <T extends object>(part: T): T =>
  Object.fromEntries(Object.entries(part).filter(([name, value]) => value !== '' || !optional.has(name))) as T

type Fields = Record<string, string>
type Refusal = Omit<RefusedForm, 'values'>

/** The fields of a form or a query as trimmed text; anything else is left out. */
export const textOf = (sent: unknown): Fields =>
  Object.fromEntries(
    Object.entries((sent ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.trim()]] : [],
    ),
  )

const currencyRule = 'must be a code of three letters, such as eur'

export function cartRoutes(router: Router, shop: Shop): void {
  const { catalogue } = shop

  router.get('/', (req, res) => show(shop, res, textOf(req.query)))

  /** Back to the cart with the same customer and destination, or to the form with its faults. */
  const onForm = (path: string, change: (fields: Fields, id: number) => Refusal | undefined) =>
    router.post(`/cart/${path}`, form, async (req: Request, res: Response) => {
      const fields = textOf(req.body)
      const refusal = change(fields, Number(req.params.id))
      if (refusal) return show(shop, res, visitOf(fields), { ...refusal, values: fields })
      res.redirect(303, `/?${new URLSearchParams(visitOf(fields))}`)
    })

  onForm('preset', (fields) => {
    const preset = presetNames.find((name) => name === fields.preset)
    if (preset) catalogue.fill(preset)
  })

  onForm('products', (fields) => saveProduct(catalogue, fields, undefined))

  onForm('products/:id', (fields, id) => {
    const product = catalogue.find(id)
    if (!product) return
    if (fields.action !== 'remove') return saveProduct(catalogue, fields, product)
    catalogue.put(id, 0)
  })

  onForm('add', ({ product }) => void catalogue.put(Number(product), 1))

  onForm('shop', ({ currency = '', shop: chosen }) => {
    if (!isCurrency(currency)) return { place: 'shop', faults: { currency: currencyRule } }
    const other = Number(chosen)
    // The currency on the page is that of the shop before.
    if (other === catalogue.shop.id) catalogue.setCurrency(currency.toLowerCase())
    else catalogue.visit(other)
  })

  onForm('shops', ({ title = '', currency = '' }) => {
    const faults = {
      ...((title === '' || title.length > 100) && { title: 'must be text of 1 to 100 characters' }),
      ...(!isCurrency(currency) && { currency: currencyRule }),
    }
    if (Object.keys(faults).length > 0) return { place: 'another-shop', faults }
    catalogue.visit(catalogue.addShop(title, currency.toLowerCase()).id)
  })
}

/** Asks for an estimate where the query has a destination, and no form was refused. */
async function show(shop: Shop, res: Response, query: Fields, refused?: RefusedForm): Promise<void> {
  const { catalogue } = shop
  const person = isPersonName(query.customer) ? query.customer : 'nl'
  const { address } = people[person]
  const { zipcode = address.zipcode, country = address.country } = query
  const { language: asked = 'en' } = query
  const language = isLanguage(asked) ? asked : 'en'
  const read = { zipcode, country: country.toLowerCase() }
  const faults = placeFaults({ zipcode, language: asked, country: read.country })
  const isRight = Object.keys(faults).length === 0
  const where: RefusedForm = { place: 'where', values: { zipcode, country }, faults }
  const estimates = isRight && query.zipcode !== undefined
  const page = cartPage({
    catalogue,
    destination: isRight ? read : { zipcode: address.zipcode, country: address.country },
    language,
    person,
    estimates,
    isEstimated: shop.services.active('shipment', catalogue.shop.id).some(({ rateEstimate }) => rateEstimate),
    estimate: estimates && !refused ? await shop.estimate(read, language) : undefined,
    refused: refused ?? (isRight ? undefined : where),
  })
  sendPage(res, page.faulty ? 422 : 200, page)
}

function saveProduct(catalogue: Catalogue, fields: Fields, before: Product | undefined): Refusal | undefined {
  const { product, quantity, faults } = productIn(fields)
  if (!before && catalogue.items().length >= most.lines)
    faults.title = `cannot be added: the cart holds ${most.lines} products`
  if (Object.keys(faults).length > 0) return { place: before ? String(before.id) : 'new', faults }
  const saved = catalogue.save({ ...emptyProduct, ...before, ...product })
  catalogue.put(saved.id, quantity!)
}

const visitOf = (fields: Fields) =>
  pick(fields, ['customer', 'language', 'zipcode', 'country'], 'at-') as Fields

/** Reads a product's form. The tax is in percent, and a size of 0 is refused: no product has one. */
function productIn({ quantity, tax = '', ...sent }: Fields) {
  const known = pick(sent, productFields)
  const { product, faults: found } = readProduct(known)
  const faults: Record<string, string | undefined> = { ...found }
  for (const name of ['sizeX', 'sizeY', 'sizeZ'] as const)
    if (known[name] !== '' && product[name] === 0)
      faults[name] = 'must be a number above 0; leave it empty if there is none'
  const percent = readDecimal(tax)
  if (percent === undefined || Number(percent) < 0 || Number(percent) > 100)
    faults.tax = 'must be a number from 0 to 100, such as 21'
  else if (Number(percent) > 0 && Number(percent) < 1)
    faults.tax = `must be a percentage: did you mean ${Number((Number(percent) * 100).toFixed(4))}?`
  else product.taxRate = String(Number((Number(percent) / 100).toFixed(6)))
  const pieces = readQuantity(quantity)
  if (pieces === undefined) faults.quantity = quantityRule
  return { product, quantity: pieces, faults }
}
