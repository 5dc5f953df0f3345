import { variantIdOf } from '../../../messages/live.ts'
import { type Big, type Decimal, decimal } from '../../../money/index.ts'
import type { CreditItem, Invoice } from '../../order-book.ts'
import type { Order } from '../../orders.ts'
import type { Shop } from '../../shop.ts'
import { ApiError } from '../answers.ts'
import { type ApiRecord, timestamp } from '../records.ts'
import { actionSource, type Source } from '../surface.ts'

type Fields = Record<string, unknown>

/** The id of an order's line, which rises with its order. */
export const lineId = (order: Pick<Order, 'id'>, place: number): number => order.id * 100 + place

/**
 * `orders/{id}/credit`: makes a credit note of the named pieces and costs, or of everything that is left. It is an invoice with amounts below
 * 0.
 */
export const creditSource = (shop: Shop): Source =>
  actionSource({
    create(fields, { owner, now }) {
      const order = shop.order(owner!)
      const invoice = shop.invoices
        .all()
        .find(({ orderId, for: whom, credit }) => whom === 'customer' && orderId === owner && !credit)
      if (!order || !invoice) throw new ApiError(422, 'The order has no invoice yet that could be credited.')
      const items = itemsOf(order, creditedOf(shop.invoices.all(), order), fields)
      if (items.length === 0) throw new ApiError(422, 'Everything of this order is credited already.')
      const made = shop.invoices.add({
        for: 'customer',
        orderId: order.id,
        lines: items.map(({ title, price_incl: amount }) => ({ title: `Credit: ${title}`, amount })),
        status: 'not_paid',
        credit: { of: invoice.id, items },
        createdAt: now,
      })
      return recordOf(order, made, fields)
    },
  })

/** The items of earlier credit notes of an order. */
export const creditedOf = (invoices: readonly Invoice[], { id }: Pick<Order, 'id'>): CreditItem[] =>
  invoices.flatMap(({ orderId, credit }) => (credit && orderId === id ? credit.items : []))

/** The pieces of a line that were credited. */
export const piecesOf = (credited: readonly CreditItem[], place: number): number =>
  credited.reduce((sum, { of, quantity }) => (of === place ? sum + quantity : sum), 0)

function itemsOf(order: Order, credited: readonly CreditItem[], fields: Fields): CreditItem[] {
  const { products, shippingCosts, paymentCosts } = fields
  const named = Array.isArray(products) && products.length > 0
  const all = !named && typeof shippingCosts !== 'number' && typeof paymentCosts !== 'number'
  const left = (place: number) => order.lines[place]!.quantity - piecesOf(credited, place)
  const lines = named
    ? products.map((product, at) => lineNamed(order, product, { at, left }))
    : all
      ? order.lines.map((_, place) => ({ place, quantity: left(place) }))
      : []
  return [
    ...lines.map(({ place, quantity }) => pieces(order, place, quantity, credited)),
    ...costs(order, 'shipment', credited, all ? 'all' : shippingCosts),
    ...costs(order, 'payment', credited, all ? 'all' : paymentCosts),
  ].filter(({ price_incl, quantity }) => quantity > 0 && Number(price_incl) !== 0)
}

/** A line of the order by the id of its record, its variant or its product. Throws a 422. */
function lineNamed(
  order: Order,
  product: unknown,
  { at, left }: { at: number; left: (place: number) => number },
): { place: number; quantity: number } {
  const { id, variant, product: ofLine, quantity } = (product ?? {}) as Fields
  const place = order.lines.findIndex(
    ({ productId }, line) =>
      (id !== undefined && String(id) === String(lineId(order, line))) ||
      (variant !== undefined && String(variant) === String(variantIdOf(productId))) ||
      (ofLine !== undefined && String(ofLine) === String(productId)),
  )
  if (place === -1)
    throw new ApiError(422, `products[${at}] names no product of the order by its id, variant or product.`)
  const many = quantity === undefined ? left(place) : Number(quantity)
  if (Number.isSafeInteger(many) && many >= 1 && many <= left(place)) return { place, quantity: many }
  throw new ApiError(422, `products[${at}].quantity must be a whole number from 1 to ${left(place)}.`)
}

function pieces(order: Order, place: number, quantity: number, credited: readonly CreditItem[]): CreditItem {
  const line = order.lines[place]!
  const before = credited.filter(({ of }) => of === place)
  const isRest = quantity === line.quantity - piecesOf(credited, place)
  const part = (name: 'price_excl' | 'price_incl') =>
    // The last pieces take the cents that earlier ones were rounded by.
    isRest
      ? before.reduce((sum, item) => sum.plus(item[name]), decimal(line[name]))
      : decimal(line[name]).times(quantity).div(line.quantity)
  const [price_excl, price_incl] = [below0(part('price_excl')), below0(part('price_incl'))]
  return { title: line.title, of: place, quantity, price_excl, price_incl }
}

/** The costs of a method, with VAT: an amount, or `all` that is left of them. Throws a 422 for more than that. */
function costs(
  order: Order,
  kind: 'shipment' | 'payment',
  credited: readonly CreditItem[],
  wanted: unknown,
): CreditItem[] {
  const method = kind === 'shipment' ? order.shipmentMethod : order.paymentMethod
  const before = credited.filter(({ of }) => of === kind)
  const whole = decimal(method?.price_incl ?? '0')
  const left = before.reduce((sum, { price_incl }) => sum.plus(price_incl), whole)
  const incl = wanted === 'all' ? left : decimal(String(typeof wanted === 'number' ? wanted : 0))
  if (incl.lt(0) || incl.gt(left)) {
    const name = kind === 'shipment' ? 'shippingCosts' : 'paymentCosts'
    throw new ApiError(422, `${name} must be an amount from 0 to ${left.toFixed(2)}.`)
  }
  if (!method || incl.eq(0)) return []
  const excl = incl.times(method.price_excl).div(method.price_incl)
  const prices = { price_excl: below0(excl), price_incl: below0(incl) }
  return [{ title: method.title, of: kind, quantity: 1, ...prices }]
}

const below0 = (amount: Big): Decimal => amount.times(-1).toFixed(2)

function recordOf(order: Order, made: Invoice, fields: Fields): ApiRecord {
  const { id, number, total, createdAt, credit } = made
  const items = credit?.items ?? []
  const given = (kind: CreditItem['of']) =>
    -items.reduce((sum, item) => (item.of === kind ? sum + Number(item.price_incl) : sum), 0)
  const at = timestamp(createdAt)
  return {
    id,
    createdAt: at,
    updatedAt: at,
    number,
    priceExcl: exclOf(items),
    priceIncl: Number(total),
    products: items.flatMap(({ of, quantity }) =>
      typeof of === 'number' ? [{ id: lineId(order, of), quantity }] : [],
    ),
    shippingCosts: given('shipment'),
    paymentCosts: given('payment'),
    memo: fields.memo ?? '',
    invoice: id,
    order: order.id,
  }
}

/** The total of a credit note without VAT, below 0. */
export const exclOf = (items: readonly CreditItem[]): number =>
  Number(items.reduce((sum, { price_excl }) => sum.plus(price_excl), decimal(0)).toFixed(4))
