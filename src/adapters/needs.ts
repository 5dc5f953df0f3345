import { type Address, address, type Customer, customer, type PersonalFields } from '../contract/index.ts'

/** An adapter's statement on the personal data that it passes on, for the merchant's privacy policy (spec 1). */
export interface Disclosure {
  /** The recipient, such as `Courier Ltd, Utrecht, the Netherlands`. */
  recipient: string
  /** The purpose, such as `to deliver the parcel`. */
  purpose?: string
  /** How long the recipient keeps it, such as `six months`. */
  keptFor?: string
}

/** A personal field that an adapter reads, such as `customer.email` or `shipping_address.city`. */
export type Need =
  | `customer.${keyof Customer & string}`
  | `billing_address.${keyof Address & string}`
  | `shipping_address.${keyof Address & string}`

const defaultFields = ['country', 'region', 'zipcode'] as const
type DefaultField = (typeof defaultFields)[number]

/** The fields of an adapter without `needs`: enough for zones and taxes, without names. */
export type DefaultNeed = `billing_address.${DefaultField}` | `shipping_address.${DefaultField}`

export const defaultNeeds: readonly DefaultNeed[] = defaultFields.flatMap(
  (field) => [`billing_address.${field}`, `shipping_address.${field}`] as const,
)

/** The fields that may distinguish two requests without identifying a person. */
const impersonal: readonly Need[] = [
  'customer.type',
  ...defaultNeeds,
  'billing_address.city',
  'shipping_address.city',
]

/** Fields that an adapter needs and that are never part of a cache key: the person and the exact address. */
export const personalNeeds = (needs: readonly Need[] = defaultNeeds): Need[] =>
  needs.filter((need) => !impersonal.includes(need))

/** The fields that an adapter may need, by part. The password of a customer is not one of them: no adapter gets it. */
export const needableFields: Fields = {
  customer: Object.keys(customer.shape).filter((field) => field !== 'password'),
  billing_address: Object.keys(address.shape),
  shipping_address: Object.keys(address.shape),
}

type FieldsOf<N extends Need, Part extends string> = N extends `${Part}.${infer Field}` ? Field : never
type Only<T, Fields> = Pick<T, Extract<keyof T, Fields>>

/** The personal parts of a message, reduced to the declared fields. */
export interface PersonalData<N extends Need> {
  customer: Only<Customer, FieldsOf<N, 'customer'>>
  billing_address: Only<Address, FieldsOf<N, 'billing_address'>>
  shipping_address: Only<Address, FieldsOf<N, 'shipping_address'>>
}

type Fields = Required<Record<keyof PersonalFields, readonly string[]>>

interface Needing {
  needs?: readonly Need[]
}

/** All personal fields that any of these adapters reads. Other customer fields are not read from a message. */
export function neededFields(adapters: readonly Needing[]): Fields {
  const needs = new Set<string>(adapters.flatMap(({ needs = defaultNeeds }) => needs))
  const wrong = [...needs].find((need) => !/^(?:customer|billing_address|shipping_address)\../.test(need))
  if (wrong !== undefined) throw new TypeError(`needs has "${wrong}"; a need looks like "customer.email"`)
  const of = (part: string) =>
    [...needs].flatMap((need) => (need.startsWith(`${part}.`) ? need.slice(part.length + 1) : []))
  return {
    customer: of('customer'),
    billing_address: of('billing_address'),
    shipping_address: of('shipping_address'),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what is left is what the adapter's own type parameter says
type Cut = (message: object) => any

/** Reduces messages that were read for all adapters of one kind to the fields of each. */
export class Cuts {
  readonly #all: readonly Needing[]
  readonly #cuts = new Map<Needing, Cut>()

  constructor(all: readonly Needing[]) {
    this.#all = all
  }

  of(adapter: Needing): Cut {
    const cut = this.#cuts.get(adapter) ?? onlyNeeded(adapter, neededFields(this.#all))
    this.#cuts.set(adapter, cut)
    return cut
  }
}

/**
 * Creates the function that reduces a message's personal parts to the fields that one adapter declared. `read` are the fields that the
 * message was read with: if the adapter declared all of them, nothing is removed.
 */
export function onlyNeeded(adapter: Needing, read: Fields) {
  const fields = neededFields([adapter])
  const parts = (Object.keys(fields) as (keyof Fields)[]).filter(
    (part) => fields[part].length < read[part].length,
  )
  return <T extends object>(message: T): T => {
    if (parts.length === 0) return message
    const cut = { ...message } as Record<string, unknown>
    for (const part of parts) cut[part] = pick(cut[part] as object | undefined, fields[part])
    return cut as T
  }
}

function pick(part: object | undefined, fields: readonly string[]) {
  const picked: Record<string, unknown> = {}
  for (const field of fields) {
    const value = (part as Record<string, unknown> | undefined)?.[field]
    if (value !== undefined) picked[field] = value
  }
  return picked
}
