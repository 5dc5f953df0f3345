import { z } from 'zod'
import { field, readOf, textField, wireOf } from './fields.ts'
import { countryCode, objectOf, only, optional, text, wire } from './values.ts'

const destinationFields = {
  zipcode: textField('zipcode'),
  country: field(wire.country, optional(countryCode)),
}

const addressFields = {
  name: textField('name'),
  company: textField('name'),
  address1: textField('line'),
  address2: textField('line'),
  number: field(wire.textOrInteger('line'), optional(text('line'))),
  extension: field(wire.textOrInteger('line'), optional(text('line'))),
  zipcode: destinationFields.zipcode,
  city: textField('name'),
  region: textField('name'),
  country: destinationFields.country,
}

/** spec 2.4 billing_address, shipping_address */
export const address = z
  .object(wireOf(addressFields))
  .meta({ id: 'Address', description: 'A billing or shipping address.' })

/** An address as adapters see it: every field may be missing, `country` is two lower-case letters. */
export const addressReader = (names?: readonly string[]) => objectOf(only(readOf(addressFields), names))

/** A billing or shipping address as an adapter gets it. A field without data is `undefined`. */
export type Address = z.output<ReturnType<typeof addressReader>>

/** spec 4.3 rate estimate: nothing but zipcode and country is known of the customer. */
export const estimateAddress = z
  .object(wireOf(destinationFields))
  .meta({ id: 'EstimateAddress', description: 'The part of the destination that a cart knows.' })

/** Reads the destination of a cart. */
export const estimateAddressReader = objectOf(readOf(destinationFields))

/** The destination of a cart: zipcode and country. */
export type EstimateAddress = z.output<typeof estimateAddressReader>
