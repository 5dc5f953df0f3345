import { z } from 'zod'
import {
  amountField,
  field,
  flagField,
  maybe,
  quantityField,
  readOf,
  textField,
  wire,
  wireOf,
} from './fields.ts'
import { listOf, objectOf, optional, required, withDefault } from './plain-read.ts'
import { amount, id, instant, MAX_PRODUCTS, MAX_TAXES, quantity, text } from './values.ts'

const codeField = field(wire.textOrInteger('code'), optional(text('code')))
const timeField = field(wire.timestamp, optional(instant))

const productFields = {
  product_id: field(wire.id, optional(id)),
  variant_id: field(maybe(wire.id), optional(id)),
  title: textField('title'),
  fulltitle: textField('title'),
  variant: textField('title'),
  description: textField('description'),
  price_incl: field(wire.decimal, withDefault(amount, '0')),
  price_excl: field(wire.decimal, withDefault(amount, '0')),
  tax_rate: amountField,
  quantity: field(wire.integer, withDefault(quantity, 1)),
  article_code: codeField,
  ean: codeField,
  sku: codeField,
  size_x: amountField,
  size_y: amountField,
  size_z: amountField,
  weight: quantityField,
  volume: quantityField,
  colli: quantityField,
  stock_available: flagField,
}

/** spec 2.4 quote product */
export const quoteProduct = z
  .object(wireOf(productFields))
  .meta({ id: 'QuoteProduct', description: 'One line of the cart.' })

const quoteProductReader = z.object(readOf(productFields))

const taxFields = {
  percentage: field(wire.decimal, optional(amount)),
  amount: field(wire.decimal, optional(amount)),
}

const totalsFields = {
  sub_total: amountField,
  taxes: field(
    z
      .array(z.object(wireOf(taxFields)))
      .max(MAX_TAXES)
      .optional(),
    listOf(z.object(readOf(taxFields)), MAX_TAXES),
  ),
  grand_total: amountField,
}

const quoteFields = {
  id: field(wire.id, optional(id)),
  price_incl: field(wire.decimal, required(amount)),
  price_excl: field(wire.decimal, required(amount)),
  additional_cost: flagField,
  totals: field(maybe(z.object(wireOf(totalsFields))), objectOf(readOf(totalsFields))),
  vat_shifted: flagField,
  weight: quantityField,
  volume: quantityField,
  colli: quantityField,
  products: field(z.array(quoteProduct).max(MAX_PRODUCTS), listOf(quoteProductReader, MAX_PRODUCTS)),
  created_at: timeField,
  updated_at: timeField,
  additional_cost_price_incl: amountField,
  additional_cost_price_excl: amountField,
}

/** spec 2.4 quote */
export const quote = z
  .object(wireOf(quoteFields))
  .meta({ id: 'Quote', description: 'The cart: its lines, amounts, weight and volume.' })

/**
 * A cart as adapters see it. Amounts are decimals; `weight`, `volume` and `colli` are the totals in the shop's own units.
 *
 * A product's prices, weight, volume and colli are passed on unchanged. Some platforms send the line's total, others the piece's. So never
 * multiply them by the quantity, and never add lines up to the total.
 */
export const quoteReader = z.object(readOf(quoteFields))

/** The cart of a request. Prices are decimal text; weight and volume have the units of the shop. */
export type Quote = z.output<typeof quoteReader>

/** One line of a cart. On known platforms its prices are those of the whole line. Without data a price is `'0'` and the quantity 1. */
export type QuoteProduct = z.output<typeof quoteProductReader>
