import { z } from 'zod'
import { field, maybe, type PersonalFields, readOf, wire, wireOf } from './fields.ts'
import { isIcon } from './icons.ts'
import {
  address,
  addressReader,
  customer,
  customerReader,
  estimateAddress,
  estimateAddressReader,
  shop,
  shopReader,
} from './parties.ts'
import { isNoData, optional, plainly, type Read, required, withDefault } from './plain-read.ts'
import { quote, quoteReader } from './quote.ts'
import { amountOnWire, amountOrDiscount, anyText, flag, id } from './values.ts'

/** The checkout's request for methods of either kind (spec 4.3). */
const checkoutFields = {
  checkout_id: maybe(wire.id),
  shop,
  customer,
  billing_address: address,
  shipping_address: address,
  quote,
}

/** `needed` names the personal fields to read. Default: all. */
const checkoutReader = (needed: PersonalFields = {}) =>
  plainly(
    z.object({
      checkout_id: optional(id),
      shop: shopReader,
      customer: customerReader(needed.customer),
      billing_address: addressReader(needed.billing_address),
      shipping_address: addressReader(needed.shipping_address),
      quote: quoteReader,
    }),
  )

// The fields that shipping and payment methods share.

/**
 * The three price fields of spec 2.5 and 2.6. `price_excl` and `tax_rate` are missing in known answers of providers. The
 * spec names no least price of a shipping method: below 0 it is a discount.
 */
const priceFields = {
  price_incl: field(wire.decimal, required(amountOrDiscount)),
  price_excl: field(wire.decimal.optional(), required(amountOrDiscount)),
  tax_rate: field(wire.decimalFromZero.optional(), required(amountOnWire)),
}
const free = withDefault(amountOnWire, 0)
/** Most payment methods are free and have no price fields. */
const freePriceFields = {
  price_incl: field(wire.decimalFromZero, free),
  price_excl: field(wire.decimalFromZero.optional(), free),
  tax_rate: field(wire.decimalFromZero.optional(), free),
}

const methodTitle = field(z.string().min(1), required(anyText))
const methodFlag = field(wire.flag.optional(), flag())

/** An icon that cannot be used is no data: it must not cost the customer the method. */
const icon: Read<string> = (value) => (typeof value === 'string' && isIcon(value) ? value : undefined)

const iconWire = z
  .union([z.string().regex(/^[a-z0-9_-]+$/), z.string().regex(/^https:\/\/\S+$/)])
  .meta({ description: 'A known icon name, or the https address of an image of 50 by 32 pixels.' })

/** Free data to be written to JSON. */
const jsonData = () =>
  z
    .preprocess((value) => (isNoData(value) ? {} : value), z.record(z.string(), z.unknown()))
    .refine(isWritable, 'cannot be written to JSON')

function isWritable(data: unknown): boolean {
  try {
    JSON.stringify(data)
    return true
  } catch {
    return false
  }
}

/** spec 4.3 POST payment_methods */
export const paymentMethodsRequest = z
  .object({ rate_estimate: maybe(wire.flag), ...checkoutFields })
  .meta({ id: 'PaymentMethodsRequest', description: 'The checkout asks for payment methods.' })

const paymentMethodFields = {
  id: field(wire.identifier, required(id)),
  title: methodTitle,
  ...freePriceFields,
  icon: field(z.union([iconWire, z.literal(''), z.null()]).optional(), withDefault(icon, '')),
  post_payment: methodFlag,
  invoice_external: methodFlag,
  data: field(z.union([z.record(z.string(), z.unknown()), z.tuple([]), z.null()]).optional(), jsonData()),
}

/** spec 2.6 */
export const paymentMethod = z
  .object(wireOf(paymentMethodFields))
  .meta({ id: 'PaymentMethod', description: 'One way to pay, with the price the provider adds for it.' })

/** spec 4.3 answer of POST payment_methods, status 201 */
export const paymentMethodsAnswer = z
  .object({ payment_methods: z.array(paymentMethod) })
  .meta({ id: 'PaymentMethodsAnswer', description: 'The payment methods the customer may choose from.' })

/** A payment method as it is sent to the platform. */
export type WirePaymentMethod = z.output<typeof paymentMethod>

/** Reads the body of `POST payment_methods`. */
export const paymentMethodsReader = checkoutReader

/** The body of `POST payment_methods` after it was read. */
export type PaymentMethodsRequest = z.output<ReturnType<typeof paymentMethodsReader>>

/** Turns an adapter's payment method into its wire form: prices as numbers, flags as booleans. */
export const paymentMethodWriter = z.object(readOf(paymentMethodFields))

/** spec 4.3 POST shipment_methods, checkout step */
export const shipmentMethodsRequest = z
  .object({ rate_estimate: maybe(z.union([z.literal(false), z.literal(0)])), ...checkoutFields })
  .meta({ id: 'ShipmentMethodsRequest', description: 'The checkout asks for shipping methods.' })

/** spec 4.3 POST shipment_methods, cart rate estimate */
export const shipmentEstimateRequest = z
  .object({
    rate_estimate: z.union([z.literal(true), z.literal(1)]),
    shop,
    shipping_address: estimateAddress,
    quote,
  })
  .meta({ id: 'ShipmentEstimateRequest', description: 'The cart asks for a quick estimate.' })

const shipmentMethodFields = {
  id: field(wire.identifier.optional(), optional(id)),
  title: methodTitle,
  description: field(z.string().optional(), withDefault(anyText, '')),
  address: field(z.string().optional(), optional(anyText)),
  ...priceFields,
  is_pickup: methodFlag,
  is_servicepoint: methodFlag,
  is_cash_on_delivery: methodFlag,
}

/** spec 2.5 */
export const shipmentMethod = z
  .object(wireOf(shipmentMethodFields))
  .meta({ id: 'ShipmentMethod', description: 'One way to ship the cart, with its price.' })

/** spec 4.3 answer of POST shipment_methods, status 201 */
export const shipmentMethodsAnswer = z
  .object({ shipment_methods: z.array(shipmentMethod) })
  .meta({ id: 'ShipmentMethodsAnswer', description: 'The shipping methods the customer may choose from.' })

/** A shipping method as it is sent to the platform. */
export type WireShipmentMethod = z.output<typeof shipmentMethod>

/** Reads the body of `POST shipment_methods` from a checkout. */
export const shipmentMethodsReader = checkoutReader

/** Reads the body of `POST shipment_methods` from a cart. */
export const shipmentEstimateReader = plainly(
  z.object({ shop: shopReader, shipping_address: estimateAddressReader, quote: quoteReader }),
)

/** The body of `POST shipment_methods` from a checkout, after it was read. */
export type ShipmentMethodsRequest = z.output<ReturnType<typeof shipmentMethodsReader>>

/** The body of `POST shipment_methods` from a cart, after it was read. */
export type ShipmentEstimateRequest = z.output<typeof shipmentEstimateReader>

/** Turns an adapter's shipping method into its wire form: prices as numbers, flags as booleans. */
export const shipmentMethodWriter = plainly(z.object(readOf(shipmentMethodFields)))
