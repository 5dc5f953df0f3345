import { z } from 'zod'
import { field, flagField, readOf, textField, wireOf } from './fields.ts'
import { id, maybe, objectOf, oneOf, only, optional, plainDate, wire } from './values.ts'

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
