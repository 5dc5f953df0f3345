import { z } from 'zod'
import { flag, id, maybe, objectOf, oneOf, only, optional, plainDate, text, wire } from './values.ts'

/** spec 2.4 customer. `id`, `fulllastname` and `fullname` come with the payment call only. */
export const customer = z
  .object({
    id: maybe(wire.id),
    gender: maybe(z.enum(['male', 'female'])),
    birthdate: maybe(z.union([z.string().regex(/^\d{4}-\d{2}-\d{2}$/), z.string().regex(/^-?\d{1,10}$/)])),
    phone: wire.text('name'),
    mobile: wire.text('name'),
    national_id: wire.text('registration'),
    email: wire.text('email'),
    password: wire.text('name'),
    firstname: wire.text('name'),
    middlename: wire.text('name'),
    lastname: wire.text('name'),
    fulllastname: wire.text('name'),
    fullname: wire.text('name'),
    type: maybe(z.enum(['private', 'company'])),
    company: wire.text('name'),
    vatnumber: wire.text('registration'),
    cocnumber: wire.text('registration'),
    sameaddress: maybe(wire.flag),
  })
  .meta({
    id: 'Customer',
    description: 'The customer, as far as the shop knows them.',
  })

/**
 * A customer as adapters see it: every field may be missing, `birthdate` is a plain `YYYY-MM-DD`. The password that the platform sends is
 * not one of the fields, so it is dropped here.
 */
export const customerReader = (timeZone: string, names?: readonly string[]) =>
  objectOf(
    only(
      {
        id: optional(id),
        gender: optional(oneOf('male', 'female')),
        birthdate: optional(plainDate(timeZone)),
        phone: optional(text('name')),
        mobile: optional(text('name')),
        national_id: optional(text('registration')),
        email: optional(text('email')),
        firstname: optional(text('name')),
        middlename: optional(text('name')),
        lastname: optional(text('name')),
        fulllastname: optional(text('name')),
        fullname: optional(text('name')),
        type: optional(oneOf('private', 'company')),
        company: optional(text('name')),
        vatnumber: optional(text('registration')),
        cocnumber: optional(text('registration')),
        sameaddress: flag(),
      },
      names,
    ),
  )

export type Customer = z.output<ReturnType<typeof customerReader>>
