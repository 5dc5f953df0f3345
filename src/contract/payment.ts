import { z } from 'zod'
import { amountField, field, maybe, type PersonalFields, readOf, textField, wire, wireOf } from './fields.ts'
import { address, addressReader, customer, customerReader, shop } from './parties.ts'
import { Fault, isNoData, objectOf, optional, readBy, required } from './plain-read.ts'
import {
  amountFromZero,
  currencyCode,
  id,
  isShortData,
  languageCode,
  longData,
  MAX_DATA_LENGTH,
  text,
  address as urlAddress,
} from './values.ts'

const orderFields = {
  id: field(wire.id, required(id)),
  number: field(wire.requiredText('orderNumber'), optional(text('orderNumber'))),
  price_incl: field(wire.decimalFromZero, required(amountFromZero)),
  price_excl: amountField,
  price_tax: amountField,
  currency: field(wire.currency, required(currencyCode)),
}

/** spec 2.4 order */
export const order = z
  .object(wireOf(orderFields))
  .meta({ id: 'Order', description: 'The finalised order to pay.' })

/** Values that belong to the method and pass through as they are, up to 65,536 characters as JSON. */
const freeData = () =>
  readBy<Record<string, unknown>>((value) => {
    if (isNoData(value)) return {}
    const isObject = typeof value === 'object' && !Array.isArray(value)
    return isObject && isShortData(value) ? value : new Fault(longData)
  })

const methodData = z
  .record(z.string(), z.unknown())
  .refine(isShortData, longData)
  .meta({ description: `Has at most ${MAX_DATA_LENGTH} characters as JSON.` })

const chosenFields = {
  id: field(wire.identifier, optional(id)),
  method: field(maybe(wire.identifier), optional(id)),
  title: textField('title'),
  data: field(
    z.union([methodData, z.tuple([]), z.literal(''), z.null(), z.literal(false)]).optional(),
    freeData(),
  ),
}

/** spec 2.4 payment_method in the payment call. `id` and `method` can differ; either may name the chosen method. */
export const chosenPaymentMethod = z.object(wireOf(chosenFields)).meta({
  id: 'ChosenPaymentMethod',
  description: 'The method that the customer chose, with the data they entered for it.',
})

/** spec 4.3 POST payment. `shop` and the addresses are sent by some platforms only. */
export const paymentStartRequest = z
  .object({
    order,
    customer,
    payment_method: chosenPaymentMethod,
    redirect_url: wire.url,
    webhook_url: wire.url,
    shop: shop.optional(),
    billing_address: address.optional(),
    shipping_address: address.optional(),
  })
  .meta({ id: 'PaymentStartRequest', description: 'The customer has finalised the order and wants to pay.' })

/** spec 4.3 answer of POST payment, status 201. Without a `payment_url` the customer goes to the thank-you page. */
export const paymentStartAnswer = z
  .object({ payment_url: z.union([z.string().regex(/^https?:\/\/\S+$/), z.null()]).optional() })
  .meta({ id: 'PaymentStartAnswer', description: 'Where the customer pays.' })

const chosenReader = z
  .object(readOf(chosenFields))
  .refine(
    (chosen) => chosen.id !== undefined || chosen.method !== undefined,
    'names no method: id and method are empty',
  )

/** `needed` names the personal fields to read. Default: all. */
export const paymentStartReader = (needed: PersonalFields = {}) =>
  z.object({
    order: z.object(readOf(orderFields)),
    customer: customerReader(needed.customer),
    payment_method: chosenReader,
    redirect_url: required(urlAddress),
    webhook_url: required(urlAddress),
    shop: objectOf({ id: optional(id), language: optional(languageCode) }),
    billing_address: addressReader(needed.billing_address),
    shipping_address: addressReader(needed.shipping_address),
  })

/** The body of `POST payment` after it was read. */
export type PaymentStartRequest = z.output<ReturnType<typeof paymentStartReader>>

/** The order of a payment start. Amounts are decimal text. */
export type Order = PaymentStartRequest['order']

/** The payment method that the customer chose. */
export type ChosenPaymentMethod = PaymentStartRequest['payment_method']

/** spec 3.1 */
export const paymentStatuses = ['paid', 'pending', 'expired', 'cancelled'] as const

/** The status of a payment. `paid` is final. */
export type PaymentStatus = (typeof paymentStatuses)[number]

/** spec 4.3 answer of GET payment/{order_id}, status 200 */
export const paymentStatusAnswer = z
  .object({ status: z.enum(paymentStatuses) })
  .meta({ id: 'PaymentStatusAnswer', description: 'The payment status of the order.' })

/** The body of the call to `webhook_url` (spec 4.3 return flow is silent): the order, and no status, as the platform reads that itself. */
export const webhookBody = z
  .object({ order_id: wire.identifier })
  .meta({ id: 'WebhookBody', description: 'Asks the platform to read the payment of this order again.' })

/** An order id that came as a number goes back as one. */
export function writeWebhookBody(orderId: string): z.output<typeof webhookBody> {
  const number = Number(orderId)
  return {
    order_id: Number.isSafeInteger(number) && number >= 0 && String(number) === orderId ? number : orderId,
  }
}
