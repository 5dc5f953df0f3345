import { z } from 'zod'
import { estimateAddress, estimateAddressReader } from './address.ts'
import { checkoutFields, checkoutReader } from './checkout.ts'
import { field, readOf, wireOf } from './fields.ts'
import { methodFlag, methodTitle, priceFields } from './method.ts'
import { plainly } from './plain-read.ts'
import { quote, quoteReader } from './quote.ts'
import { shop, shopReader } from './shop.ts'
import { anyText, id, isSet, maybe, optional, wire, withDefault } from './values.ts'

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

const methodFields = {
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
  .object(wireOf(methodFields))
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
export const shipmentMethodWriter = plainly(z.object(readOf(methodFields)))

/** Whether a POST shipment_methods comes from the cart (spec 4.3 rate estimate). A missing flag means the checkout. */
export const isRateEstimate = (body: unknown): boolean =>
  isSet((body as { rate_estimate?: unknown } | null)?.rate_estimate)
