import { z } from 'zod'
import { flag, id, maybe, objectOf, oneOf, only, optional, plainDate, text, wire } from './values.ts'

/** spec 2.4 customer. `id`, `fulllastname` and `fullname` come with the payment call only. */
export const customer = z
  .object({
    id: maybe(wire.id),
    gender: maybe(z.enum(['male', 'female'])),
    birthdate: maybe(z.union([z.string().regex(/^\d{4}-\d{2}-\d{2}$/), z.string().regex(/^-?\d{1,10}$/)])),
    phone: wire.text,
    mobile: wire.text,
    national_id: wire.text,
    email: wire.text,
    password: wire.text,
    firstname: wire.text,
    middlename: wire.text,
    lastname: wire.text,
    fulllastname: wire.text,
    fullname: wire.text,
    type: maybe(z.enum(['private', 'company'])),
    company: wire.text,
    vatnumber: wire.text,
    cocnumber: wire.text,
    sameaddress: maybe(wire.flag),
  })
  .meta({
    id: 'Customer',
    description: 'The customer, as far as the shop knows them.',
  })

/**
 * A customer as adapters see it: every field may be missing, `birthdate` is a plain `YYYY-MM-DD`. The password that the
 * platform sends is not among the fields, so it ends here.
 */
export const customerReader = (timeZone: string, names?: readonly string[]) =>
  objectOf(
    only(
      {
        id: optional(id),
        gender: optional(oneOf('male', 'female')),
        birthdate: optional(plainDate(timeZone)),
        phone: optional(text),
        mobile: optional(text),
        national_id: optional(text),
        email: optional(text),
        firstname: optional(text),
        middlename: optional(text),
        lastname: optional(text),
        fulllastname: optional(text),
        fullname: optional(text),
        type: optional(oneOf('private', 'company')),
        company: optional(text),
        vatnumber: optional(text),
        cocnumber: optional(text),
        sameaddress: flag(),
      },
      names,
    ),
  )

export type Customer = z.output<ReturnType<typeof customerReader>>
