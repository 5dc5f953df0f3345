import { z } from 'zod'
import { countryCode, objectOf, only, optional, text, wire } from './values.ts'

/** spec 2.4 billing_address, shipping_address */
export const address = z
  .object({
    name: wire.text('name'),
    company: wire.text('name'),
    address1: wire.text('line'),
    address2: wire.text('line'),
    number: wire.textOrInteger('line'),
    extension: wire.textOrInteger('line'),
    zipcode: wire.text('zipcode'),
    city: wire.text('name'),
    region: wire.text('name'),
    country: wire.country,
  })
  .meta({ id: 'Address', description: 'A billing or shipping address.' })

const addressFields = {
  name: optional(text('name')),
  company: optional(text('name')),
  address1: optional(text('line')),
  address2: optional(text('line')),
  number: optional(text('line')),
  extension: optional(text('line')),
  zipcode: optional(text('zipcode')),
  city: optional(text('name')),
  region: optional(text('name')),
  country: optional(countryCode),
}

/** An address as adapters see it: every field may be missing, `country` is two lower-case letters. */
export const addressReader = (names?: readonly string[]) => objectOf(only(addressFields, names))

export type Address = z.output<ReturnType<typeof addressReader>>

/** spec 4.3 rate estimate: nothing but zipcode and country is known of the customer. */
export const estimateAddress = z.object({ zipcode: wire.text('zipcode'), country: wire.country }).meta({
  id: 'EstimateAddress',
  description: 'What a cart knows of the destination.',
})

export const estimateAddressReader = objectOf({
  zipcode: optional(text('zipcode')),
  country: optional(countryCode),
})

export type EstimateAddress = z.output<typeof estimateAddressReader>
