import { z } from 'zod'
import { MAX_PRODUCTS, MAX_TAXES } from './lengths.ts'
import {
  amount,
  flag,
  id,
  instant,
  listOf,
  maybe,
  objectOf,
  optional,
  quantity,
  required,
  text,
  wire,
} from './values.ts'

/** spec 2.4 quote product */
export const quoteProduct = z
  .object({
    product_id: wire.id,
    variant_id: maybe(wire.id),
    title: wire.text('title'),
    fulltitle: wire.text('title'),
    variant: wire.text('title'),
    description: wire.text('description'),
    price_incl: wire.decimal,
    price_excl: wire.decimal,
    tax_rate: maybe(wire.decimal),
    quantity: wire.integer,
    article_code: wire.textOrInteger('code'),
    ean: wire.textOrInteger('code'),
    sku: wire.textOrInteger('code'),
    size_x: maybe(wire.decimal),
    size_y: maybe(wire.decimal),
    size_z: maybe(wire.decimal),
    weight: maybe(wire.integer),
    volume: maybe(wire.integer),
    colli: maybe(wire.integer),
    stock_available: maybe(wire.flag),
  })
  .meta({ id: 'QuoteProduct', description: 'One line of the cart.' })

/** spec 2.4 quote */
export const quote = z
  .object({
    id: wire.id,
    price_incl: wire.decimal,
    price_excl: wire.decimal,
    additional_cost: maybe(wire.flag),
    totals: maybe(
      z.object({
        sub_total: maybe(wire.decimal),
        taxes: z
          .array(z.object({ percentage: wire.decimal, amount: wire.decimal }))
          .max(MAX_TAXES)
          .optional(),
        grand_total: maybe(wire.decimal),
      }),
    ),
    vat_shifted: maybe(wire.flag),
    weight: maybe(wire.integer),
    volume: maybe(wire.integer),
    colli: maybe(wire.integer),
    products: z.array(quoteProduct).max(MAX_PRODUCTS),
    created_at: wire.timestamp,
    updated_at: wire.timestamp,
    additional_cost_price_incl: maybe(wire.decimal),
    additional_cost_price_excl: maybe(wire.decimal),
  })
  .meta({
    id: 'Quote',
    description: 'The cart: its lines, amounts, weight and volume.',
  })

const quoteProductReader = z.object({
  product_id: optional(id),
  variant_id: optional(id),
  title: optional(text('title')),
  fulltitle: optional(text('title')),
  variant: optional(text('title')),
  description: optional(text('description')),
  price_incl: optional(amount),
  price_excl: optional(amount),
  tax_rate: optional(amount),
  quantity: optional(quantity),
  article_code: optional(text('code')),
  ean: optional(text('code')),
  sku: optional(text('code')),
  size_x: optional(amount),
  size_y: optional(amount),
  size_z: optional(amount),
  weight: optional(quantity),
  volume: optional(quantity),
  colli: optional(quantity),
  stock_available: flag(),
})

/**
 * A cart as adapters see it. Amounts are decimals; `weight`, `volume` and `colli` are the totals in the shop's own units.
 *
 * A product's prices, weight, volume and colli are passed on unchanged: some platforms send the line's total, others the piece's, so never
 * multiply them by the quantity, and never add lines up to the total.
 */
export const quoteReader = z.object({
  id: optional(id),
  price_incl: required(amount),
  price_excl: required(amount),
  additional_cost: flag(),
  totals: objectOf({
    sub_total: optional(amount),
    taxes: listOf(z.object({ percentage: optional(amount), amount: optional(amount) }), MAX_TAXES),
    grand_total: optional(amount),
  }),
  vat_shifted: flag(),
  weight: optional(quantity),
  volume: optional(quantity),
  colli: optional(quantity),
  products: listOf(quoteProductReader, MAX_PRODUCTS),
  created_at: optional(instant),
  updated_at: optional(instant),
  additional_cost_price_incl: optional(amount),
  additional_cost_price_excl: optional(amount),
})

export type Quote = z.output<typeof quoteReader>
export type QuoteProduct = z.output<typeof quoteProductReader>
