import { pricesOf } from '../../../messages/lines.ts'
import type { CheckoutOptions, LineOptions } from '../../../messages/options.ts'
import { readDecimal } from '../../../money/index.ts'
import type { Checkout } from '../../checkout.ts'
import { type OfferedMethod, type Order, plainMethod } from '../../orders.ts'
import type { Shop } from '../../shop.ts'
import { ApiError } from '../answers.ts'
import type { ApiRecord } from '../records.ts'
import { type Asking, actionSource, type Source, type Surface } from '../surface.ts'

type Find = (resource: string, id: number) => ApiRecord | undefined
type Fields = Record<string, unknown>

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const objectOf = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** Leaves out what has no data, so that the sandbox's own customer stands in. */
const given = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (text(value) === '' ? [] : [[name, text(value)]])),
  )

/** A checkout of the API becomes one of the shop: its providers are asked, as on the shop's pages. */
function checkoutOf(shop: Shop, find: Find, record: ApiRecord, lines: readonly Fields[]): Checkout {
  const { customer, shipping_address, billing_address, language } = record
  const { firstname, lastname, email, phone, company } = objectOf(customer)
  return shop.checkout({
    language: text(language) || 'en',
    customer: given({ firstname, lastname, email, phone, company }),
    address: addressIn(shipping_address),
    ...(Object.keys(addressIn(billing_address)).length > 0 && { billing: addressIn(billing_address) }),
    ...linesOf(find, lines),
  })
}

/** The same for a quote, whose lines are records of their own. */
function checkoutOfQuote(shop: Shop, find: Find, quote: ApiRecord, lines: readonly ApiRecord[]): Checkout {
  const { firstname, lastname, email, phone } = quote
  const named = (name: string) => quote[`addressShipping${name}`]
  const [address1, number, zipcode, city] = ['Street', 'Number', 'Zipcode', 'City'].map(named)
  const products = lines.map(({ product, quantity }) => ({ product_id: product, quantity }))
  return shop.checkout({
    language: text(quote.language) || 'en',
    customer: given({ firstname, lastname, email, phone }),
    address: given({ address1, number, zipcode, city }),
    ...linesOf(find, products),
  })
}

const addressIn = (value: unknown) => {
  const { address1, street, number, extension, zipcode, city, region, country } = objectOf(value)
  return given({ address1: address1 ?? street, number, extension, zipcode, city, region, country })
}

/** The lines that a client names by variant or product. Without any, the shop's own cart. */
function linesOf(find: Find, list: readonly Fields[]): Pick<CheckoutOptions, 'lines'> {
  if (list.length === 0) return {}
  const lines = list.map(({ variant_id, product_id, quantity = 1 }): LineOptions => {
    const record =
      variant_id === undefined ? find('products', Number(product_id)) : find('variants', Number(variant_id))
    if (!record) throw new ApiError(422, 'products must name a variant_id or a product_id of the shop.')
    const product = typeof record.product === 'number' ? find('products', record.product) : record
    return {
      title: text(product?.title) || 'Product',
      excl: Number(record.priceExcl ?? 0),
      taxRate: Number(record.taxRate ?? 0.21),
      weight: Number(record.weight ?? 0),
      articleCode: text(record.articleCode),
      ean: text(record.ean),
      sku: text(record.sku),
      quantity: Number(quantity),
    }
  })
  return { lines }
}

/** The methods of the providers as a client lists them. */
const methodRecords = (methods: readonly OfferedMethod[]): Fields[] =>
  methods.map(({ service, id, title, description, icon, price_incl, price_excl, data }) => ({
    id: `core|${service}|${id}`,
    title,
    description,
    icon,
    price_incl: Number(price_incl),
    price_excl: Number(price_excl),
    data,
  }))

/** The id of a shipping method that a client brings itself, with a title and a price. */
const clientsOwn = 'external'

/** Throws a 422 for a method without a title or a price. */
function ownShipment(given: unknown, currency: string): OfferedMethod | undefined {
  const { id, title, price_incl, tax_rate, data } = objectOf(given)
  if (id !== clientsOwn) return undefined
  const incl = readDecimal(price_incl)
  const taxRate = Number(tax_rate ?? 0)
  if (text(title) === '' || incl === undefined || incl.startsWith('-') || !(taxRate >= 0 && taxRate <= 1))
    throw new ApiError(422, 'shipment_method needs a title, a price_incl from 0 and a tax_rate from 0 to 1.')
  const { price_excl } = pricesOf({ incl, taxRate: String(taxRate), currency }, 'shipment_method')
  const own = { id: clientsOwn, title: text(title), price_incl: incl, price_excl, data: objectOf(data) }
  return { ...plainMethod, ...own }
}

/** Places the order and starts its payment, as the customer would. Rejects with a 422 without a payment method. */
async function place(checkout: Checkout, chosen: { shipment?: unknown; payment?: unknown }): Promise<Order> {
  const id = (value: unknown) =>
    text(objectOf(value).id ?? value).replace(/^core\|(\d+)\|/, '$1:') || undefined
  const [shipmentMethod, paymentMethod] = [id(chosen.shipment), id(chosen.payment)]
  return checkout.placeOrder({
    ...given({ shipmentMethod, paymentMethod }),
    ownShipment: ownShipment(chosen.shipment, checkout.currency),
    data: objectOf(objectOf(chosen.payment).data),
  })
}

/** Lets checkouts and quotes of the API become orders of the shop. */
export function addCheckouts(surface: Surface, shop: Shop): void {
  const replace = (path: string, source: Source) => surface.add(surface.find(path)!.row, source)
  const find: Find = (resource, id) => surface.record(resource, id)
  const owned = (resource: string, { owner }: Asking): ApiRecord => find(resource, owner!)!
  const linesBelow = (path: string, owner: string, { owner: id }: Asking): ApiRecord[] =>
    [...surface.find(path)!.source.each(0)].filter((line) => line[owner] === id)
  // Clients send the products with the checkout, or one by one afterwards.
  const productsOf = (asking: Asking): Fields[] => {
    const { products } = owned('checkouts', asking)
    const own = Array.isArray(products) ? products.map(objectOf) : []
    return [...own, ...linesBelow('checkouts/{id}/products', 'checkout', asking)]
  }
  const checkout = (asking: Asking) => checkoutOf(shop, find, owned('checkouts', asking), productsOf(asking))
  const quote = (asking: Asking) =>
    checkoutOfQuote(shop, find, owned('quotes', asking), linesBelow('quotes/{id}/products', 'quote', asking))
  const ofQuote = async (methods: Promise<OfferedMethod[]>) =>
    methodRecords(await methods).map(({ id, title, price_excl, price_incl }) => ({
      id,
      title,
      priceExcl: price_excl,
      priceIncl: price_incl,
    }))

  const listing: Record<string, (asking: Asking) => Promise<Fields[]>> = {
    'checkouts/{id}/payment_methods': async (asking) =>
      methodRecords(await checkout(asking).paymentMethods()),
    'checkouts/{id}/shipment_methods': async (asking) =>
      methodRecords(await checkout(asking).shipmentMethods()),
    'quotes/{id}/paymentmethods': (asking) => ofQuote(quote(asking).paymentMethods()),
    'quotes/{id}/shippingmethods': (asking) => ofQuote(quote(asking).shipmentMethods()),
  }
  for (const [path, ask] of Object.entries(listing)) replace(path, actionSource({ ask }))

  replace(
    'checkouts/{id}/validate',
    actionSource({
      single(asking) {
        const { customer, shipping_address } = owned('checkouts', asking)
        const errors = [
          ...(productsOf(asking).length > 0 ? [] : ['products is empty']),
          ...(text(objectOf(customer).email) === '' ? ['customer.email is missing'] : []),
          ...(text(objectOf(shipping_address).zipcode) === '' ? ['shipping_address.zipcode is missing'] : []),
        ]
        return { id: asking.owner!, validated: errors.length === 0, errors }
      },
    }),
  )
  replace(
    'checkouts/{id}/order',
    actionSource({
      async create(_fields, asking) {
        const record = owned('checkouts', asking)
        if (typeof record.order_id === 'number')
          throw new ApiError(422, 'This checkout has its order already.')
        const { shipment_method: shipment, payment_method: payment } = record
        const order = await place(checkout(asking), { shipment, payment })
        surface.find('checkouts')!.source.update!(record, { order_id: order.id }, asking)
        const { id, number, paymentUrl } = order
        return { id, order_id: id, number, payment_url: paymentUrl ?? false }
      },
    }),
  )
  replace(
    'quotes/{id}/convert',
    actionSource({
      async create({ shipmentId: shipment, paymentId: payment }, asking) {
        const record = owned('quotes', asking)
        if (record.status === 'converted') throw new ApiError(422, 'This quote has its order already.')
        const order = await place(quote(asking), { shipment, payment })
        surface.find('quotes')!.source.update!(record, { status: 'converted', order: order.id }, asking)
        return find('orders', order.id)!
      },
    }),
  )
}
