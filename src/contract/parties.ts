import { z } from 'zod'
import { field, flagField, maybe, only, readOf, textField, wire, wireOf } from './fields.ts'
import { objectOf, optional, required, withDefault } from './plain-read.ts'
import { countryCode, currencyCode, id, languageCode, oneOf, plainDate, text } from './values.ts'

/** spec 2.4 shop */
export const shop = z
  .object({ id: wire.id, language: wire.language, currency: wire.currency })
  .meta({ id: 'Shop', description: 'The shop in whose checkout the call is made.' })

/** A shop as adapters see it. `language` is two lower-case letters, `en` when the platform sends none. */
export const shopReader = z.object({
  id: optional(id),
  language: withDefault(languageCode, 'en'),
  currency: required(currencyCode),
})

/** The shop that a message names: its id on the platform, and the language and currency of the customer. */
export type ShopDetails = z.output<typeof shopReader>

const birthdate = maybe(z.union([z.string().regex(/^\d{4}-\d{2}-\d{2}$/), z.string().regex(/^-?\d{1,10}$/)]))

const personFields = {
  id: field(maybe(wire.id), optional(id)),
  gender: field(maybe(z.enum(['male', 'female'])), optional(oneOf('male', 'female'))),
}

const contactFields = {
  phone: textField('name'),
  mobile: textField('name'),
  national_id: textField('registration'),
  email: textField('email'),
}

const nameFields = {
  firstname: textField('name'),
  middlename: textField('name'),
  lastname: textField('name'),
  fulllastname: textField('name'),
  fullname: textField('name'),
  type: field(maybe(z.enum(['private', 'company'])), optional(oneOf('private', 'company'))),
  company: textField('name'),
  vatnumber: textField('registration'),
  cocnumber: textField('registration'),
  sameaddress: flagField,
}

/** spec 2.4 customer. `id`, `fulllastname` and `fullname` come with the payment call only. */
export const customer = z
  .object({
    ...wireOf(personFields),
    birthdate,
    ...wireOf(contactFields),
    password: wire.text('name'),
    ...wireOf(nameFields),
  })
  .meta({ id: 'Customer', description: 'The customer, as far as the shop knows them.' })

/** A customer as adapters see it: any field may be missing, `birthdate` is `YYYY-MM-DD`. The password of the wire is dropped here. */
export const customerReader = (names?: readonly string[]) => {
  const birthday = { birthdate: optional(plainDate) }
  const fields = { ...readOf(personFields), ...birthday, ...readOf(contactFields), ...readOf(nameFields) }
  return objectOf(only(fields, names))
}

/** The customer of a checkout. A field without data is `undefined`; a password is dropped. */
export type Customer = z.output<ReturnType<typeof customerReader>>

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
