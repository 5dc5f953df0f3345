import { z } from 'zod'
import { address, addressReader } from './address.ts'
import { customer, customerReader } from './customer.ts'
import { plainly } from './plain-read.ts'
import { quote, quoteReader } from './quote.ts'
import { shop, shopReader } from './shop.ts'
import { id, maybe, optional, type PersonalFields, wire } from './values.ts'

/** The checkout's request for methods of either kind (spec 4.3). */
export const checkoutFields = {
  checkout_id: maybe(wire.id),
  shop,
  customer,
  billing_address: address,
  shipping_address: address,
  quote,
}

/** `needed` names the personal fields to read. Default: all. */
export const checkoutReader = (needed: PersonalFields = {}) =>
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
