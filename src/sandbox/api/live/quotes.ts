import type { CheckoutOptions, LineOptions } from '../../../messages/options.ts'
import type { Checkout } from '../../checkout.ts'
import type { OfferedMethod } from '../../orders.ts'
import type { Shop } from '../../shop.ts'
import { ApiError } from '../answers.ts'
import { codeIn } from '../fields.ts'
import { type ApiRecord, idIn } from '../records.ts'
import { type Asking, actionSource, type Surface } from '../surface.ts'

type Fields = Record<string, unknown>

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Leaves out what has no data, so that the sandbox's own customer stands in. */
const given = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (text(value) === '' ? [] : [[name, text(value)]])),
  )

/** A quote of the API becomes a checkout of the shop: its providers are asked, as on the shop's pages. */
function checkoutOf(shop: Shop, quote: ApiRecord, lines: readonly ApiRecord[]): Checkout {
  const { firstname, lastname, email, phone } = quote
  const named = (name: string) => quote[`addressShipping${name}`]
  const [address1, number, zipcode, city] = ['Street', 'Number', 'Zipcode', 'City'].map(named)
  const country = codeIn(named('Country'))
  return shop.checkout({
    language: text(codeIn(quote.language)) || 'en',
    customer: given({ firstname, lastname, email, phone }),
    address: given({ address1, number, zipcode, city, country }),
    ...linesOf(shop, lines),
  })
}

/** The lines of a quote. Without any, the shop's own cart. */
function linesOf({ catalogue }: Shop, list: readonly ApiRecord[]): Pick<CheckoutOptions, 'lines'> {
  if (list.length === 0) return {}
  const lines = list.map(({ product: id, quantity = 1 }): LineOptions => {
    const product = catalogue.find(idIn(id))
    if (!product) throw new ApiError(422, 'A line of the quote must name a product of the shop.')
    const { id: _, priceExcl: excl, stockLevel: __, ...piece } = product
    return { ...piece, excl, quantity: Number(quantity) }
  })
  return { lines }
}

const methodRecords = async (methods: Promise<OfferedMethod[]>): Promise<Fields[]> =>
  (await methods).map(({ service, id, title, price_incl, price_excl }) => ({
    ...{ id: `core|${service}|${id}`, title },
    ...{ priceExcl: Number(price_excl), priceIncl: Number(price_incl) },
  }))

const methodId = (given: unknown) => text(given).replace(/^core\|(\d+)\|/, '$1:') || undefined

/** Lets quotes of the API become orders of the shop. */
export function addQuotes(surface: Surface, shop: Shop): void {
  const checkout = ({ owner }: Asking) => {
    const lines = [...surface.find('quotes/{id}/products')!.source.each(0)]
    const ofQuote = lines.filter(({ quote }) => idIn(quote) === owner)
    return checkoutOf(shop, surface.record('quotes', owner!)!, ofQuote)
  }
  const listing = (path: string, methods: (of: Checkout) => Promise<OfferedMethod[]>) =>
    surface.replace(path, actionSource({ ask: (asking) => methodRecords(methods(checkout(asking))) }))
  listing('quotes/{id}/paymentmethods', (of) => of.paymentMethods())
  listing('quotes/{id}/shippingmethods', (of) => of.shipmentMethods())
  surface.replace(
    'quotes/{id}/convert',
    actionSource({
      async create({ shipmentId, paymentId }, asking) {
        const record = surface.record('quotes', asking.owner!)!
        if (record.status === 'converted') throw new ApiError(422, 'This quote has its order already.')
        // Its payment is started, as the customer would.
        const chosen = given({ shipmentMethod: methodId(shipmentId), paymentMethod: methodId(paymentId) })
        const order = await checkout(asking).placeOrder(chosen)
        surface.find('quotes')!.source.update!(record, { status: 'converted', order: order.id }, asking)
        const placed = surface.record('orders', order.id)!
        return surface.find('orders')!.source.update!(placed, { quote: record.id }, asking)
      },
    }),
  )
}
