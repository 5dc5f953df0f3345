import type { Address, Customer } from '../contract/index.ts'

/** A personal field that an adapter reads, such as `customer.email` or `shipping_address.city`. */
export type Need =
  | `customer.${keyof Customer & string}`
  | `billing_address.${keyof Address & string}`
  | `shipping_address.${keyof Address & string}`

const defaultFields = ['country', 'region', 'zipcode'] as const
type DefaultField = (typeof defaultFields)[number]

/** What an adapter gets that declares nothing: enough for zones and taxes, nobody's name. */
export type DefaultNeed = `billing_address.${DefaultField}` | `shipping_address.${DefaultField}`

export const defaultNeeds: readonly DefaultNeed[] = defaultFields.flatMap(
  (field) => [`billing_address.${field}`, `shipping_address.${field}`] as const,
)

type FieldsOf<N extends Need, Part extends string> = N extends `${Part}.${infer Field}` ? Field : never
type Only<T, Fields> = Pick<T, Extract<keyof T, Fields>>

/** The personal parts of a message, cut down to what was declared. */
export interface PersonalData<N extends Need> {
  customer: Only<Customer, FieldsOf<N, 'customer'>>
  billing_address: Only<Address, FieldsOf<N, 'billing_address'>>
  shipping_address: Only<Address, FieldsOf<N, 'shipping_address'>>
}

/** Makes the function that cuts a message's personal parts down to the declared fields, leaving the rest as it is. */
export function onlyNeeded(needs: readonly Need[] = defaultNeeds) {
  const fields = {
    customer: [] as string[],
    billing_address: [] as string[],
    shipping_address: [] as string[],
  }
  for (const need of needs) {
    const [part, field] = need.split('.') as [keyof typeof fields, string]
    if (!fields[part] || !field)
      throw new TypeError(`needs names "${need}"; a need looks like "customer.email"`)
    fields[part].push(field)
  }
  return <T extends object>(message: T) => ({
    ...message,
    customer: pick((message as Parts).customer, fields.customer),
    billing_address: pick((message as Parts).billing_address, fields.billing_address),
    shipping_address: pick((message as Parts).shipping_address, fields.shipping_address),
  })
}

type Parts = Partial<Record<'customer' | 'billing_address' | 'shipping_address', object>>

function pick(part: object | undefined, fields: string[]) {
  const picked: Record<string, unknown> = {}
  for (const field of fields) {
    const value = (part as Record<string, unknown> | undefined)?.[field]
    if (value !== undefined) picked[field] = value
  }
  return picked
}
