import { z } from 'zod'
import { countryCode, objectOf, only, optional, text, wire } from './values.ts'

/** spec 2.4 billing_address, shipping_address */
export const address = z
  .object({
    name: wire.text,
    company: wire.text,
    address1: wire.text,
    address2: wire.text,
    number: wire.textOrInteger,
    extension: wire.textOrInteger,
    zipcode: wire.text,
    city: wire.text,
    region: wire.text,
    country: wire.country,
  })
  .meta({ id: 'Address', description: 'A billing or shipping address.' })

const addressFields = {
  name: optional(text),
  company: optional(text),
  address1: optional(text),
  address2: optional(text),
  number: optional(text),
  extension: optional(text),
  zipcode: optional(text),
  city: optional(text),
  region: optional(text),
  country: optional(countryCode),
}

/** An address as adapters see it: every field may be missing, `country` is two lower-case letters. */
export const addressReader = (names?: readonly string[]) => objectOf(only(addressFields, names))

export type Address = z.output<ReturnType<typeof addressReader>>

/** spec 4.3 rate estimate: nothing but zipcode and country is known of the customer. */
export const estimateAddress = z.object({ zipcode: wire.text, country: wire.country }).meta({
  id: 'EstimateAddress',
  description: 'What a cart knows of the destination.',
})

export const estimateAddressReader = objectOf({ zipcode: optional(text), country: optional(countryCode) })

export type EstimateAddress = z.output<typeof estimateAddressReader>
