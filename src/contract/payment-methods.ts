import { z } from 'zod'
import { checkoutFields, checkoutReader } from './checkout.ts'
import { field, readOf, wireOf } from './fields.ts'
import { freePriceFields, iconWire, methodFlag, methodTitle } from './method.ts'
import { icon, id, jsonData, maybe, required, wire, withDefault } from './values.ts'

/** spec 4.3 POST payment_methods */
export const paymentMethodsRequest = z
  .object({ rate_estimate: maybe(wire.flag), ...checkoutFields })
  .meta({ id: 'PaymentMethodsRequest', description: 'The checkout asks for payment methods.' })

const methodFields = {
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
  .object(wireOf(methodFields))
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
export const paymentMethodWriter = z.object(readOf(methodFields))
