import { envelopeOf, singularOf } from '../../../platform/resource.ts'

// Used as `f.text()`, as the functions of zod are as `z.string()`.

/** The kind of a field and its value in a record that says nothing about it. */
export type Field = { readonly?: boolean } & (
  | { kind: 'text'; empty: string | false }
  | { kind: 'flag'; empty: boolean }
  | { kind: 'whole' | 'decimal'; empty: number | false }
  | { kind: 'choice'; of: readonly string[]; empty: string | false }
  | { kind: 'time'; empty: false }
  /** An object with `id`, `code`, `code3` and `title`. */
  | { kind: 'country' | 'language'; empty: string | false }
  /** A relation: `false`, or the id of a record of the resource `of`. */
  | { kind: 'one'; of: string; empty: false }
  /** A relation to a list. `of` is its address, with `{id}` for the id of the record. */
  | { kind: 'many'; of: string; empty: false }
  /** An https address; http for this machine only. */
  | { kind: 'endpoint'; empty: '' }
  /** Base64 or an address, which is written and never shown. `src` and `size` of the row follow from it. */
  | { kind: 'upload'; empty: '' }
  /** An address. One of this shop has a path alone. */
  | { kind: 'link'; empty: '' }
  /** Any JSON. */
  | { kind: 'data'; empty: unknown }
)

// Most records hold '' for no text, and false for no relation, no date and no figure.
export const text = (empty: string | false = ''): Field => ({ kind: 'text', empty })
export const flag = (empty = false): Field => ({ kind: 'flag', empty })
export const whole = (empty: number | false = 0): Field => ({ kind: 'whole', empty })
/** Up to four decimals. */
export const decimal = (empty: number | false = 0): Field => ({ kind: 'decimal', empty })
export const choice = (first: string, ...others: string[]): Field => ({
  kind: 'choice',
  of: [first, ...others],
  empty: first,
})
export const time = (): Field => ({ kind: 'time', empty: false })
export const country = (empty: string | false = false): Field => ({ kind: 'country', empty })
export const language = (empty: string | false = 'en'): Field => ({ kind: 'language', empty })
export const one = (of: string): Field => ({ kind: 'one', of, empty: false })
export const many = (of: string): Field => ({ kind: 'many', of, empty: false, readonly: true })
export const endpoint = (): Field => ({ kind: 'endpoint', empty: '' })
export const upload = (): Field => ({ kind: 'upload', empty: '' })
export const link = (): Field => ({ kind: 'link', empty: '' })
export const data = (empty: unknown = {}): Field => ({ kind: 'data', empty })
/** A field that follows from others: what a client sends for it is ignored. */
export const fixed = (field: Field): Field => ({ ...field, readonly: true })

export type Fields = Readonly<Record<string, Field>>

const named = (field: Field, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, field]))
export const texts = (...names: string[]): Fields => named(text(), names)
export const wholes = (...names: string[]): Fields => named(whole(), names)
export const decimals = (...names: string[]): Fields => named(decimal(), names)
/** Relations, each with the name of a record of its resource: `brand` for `brands`. */
export const ones = (...resources: string[]): Fields =>
  Object.fromEntries(resources.map((path) => [singularOf(path.split('/').at(-1)!), one(path)]))
/** Lists and records below a single record, such as `shop/domains`. */
export const parts = (resource: string, ...names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, many(`${resource}/${name}`)]))
/** Lists below a record, such as `products/{id}/images`. */
export const below = (resource: string, ...names: string[]) => parts(`${resource}/{id}`, ...names)
/** Lists of the records that name this one: `reviews?product={id}`. */
export const naming = (field: string, ...resources: string[]): Fields =>
  Object.fromEntries(resources.map((path) => [path.split('/').at(-1), many(`${path}?${field}={id}`)]))
export const allFixed = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fixed(field)]))
/** Fields whose names begin with a kind: `addressBillingStreet`. */
export const prefixed = (kind: string, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [kind + name, field]))

/** An operation that a client may do with a resource (spec 4.1). */
export type Verb = 'list' | 'count' | 'read' | 'create' | 'update' | 'delete'

/** One resource of the platform's API, as data. */
export interface ResourceRow {
  /** Its address behind the language, with `{id}` for the id of a record: `products/{id}/metafields`. */
  path: string
  /** The envelopes of one record and of a list. */
  one: string
  many: string
  /** Another envelope that clients in the field write one record in. */
  alsoOne?: string
  verbs: readonly Verb[]
  fields: Fields
  /** Fields that a new record needs. */
  required: readonly string[]
  /** Fields that select the records of a list by equality, beside those that every list has. */
  filters: readonly string[]
  /** One record, without an id in its address and without a list. */
  single: boolean
  /** Records without `createdAt` and `updatedAt`. */
  undated: boolean
  /** The records of a new shop. */
  seeds: readonly Record<string, unknown>[]
}

const all: readonly Verb[] = ['list', 'count', 'read', 'create', 'update', 'delete']
export const readOnly: readonly Verb[] = ['list', 'count', 'read']
export const changeable: readonly Verb[] = ['list', 'count', 'read', 'update']

type Traits = Partial<Omit<ResourceRow, 'path'>>

/**
 * A row. Default: every verb, a list, timestamps, no seeds, and a new record needs its title. The envelopes follow from the address where it is regular, that of a list from
 * the one of a record. A nested record names its owner last.
 */
export function row(path: string, { fields = {}, ...traits }: Traits = {}): ResourceRow {
  const owner = ownerOf(path)
  const owned = owner !== undefined ? ones(owner) : {}
  return {
    path,
    one: envelopeOf(path),
    many: traits.one === undefined ? manyOf(path) : `${traits.one}s`,
    verbs: all,
    required: (traits.verbs ?? all).includes('create') && fields.title ? ['title'] : [],
    filters: [],
    single: false,
    undated: false,
    seeds: [],
    ...traits,
    fields: { ...fields, ...owned, ...fields },
  }
}

/** One record that can only be read, unless its traits say otherwise. */
export const single = (path: string, traits: Traits): ResourceRow =>
  row(path, { single: true, undated: true, verbs: ['read'], ...traits })

/** A list without timestamps that can only be read. */
export const listed = (path: string, traits: Traits): ResourceRow =>
  row(path, { undated: true, verbs: readOnly, ...traits })

/** A record that joins two others: it is made and removed, and never changed. */
export function joining(path: string, [first, second]: [string, string], traits: Traits): ResourceRow {
  const relations = ones(first, second)
  const names = Object.keys(relations)
  const fields = { ...traits.fields, ...relations }
  const verbs: Verb[] = ['list', 'count', 'read', 'create', 'delete']
  return row(path, { undated: true, verbs, required: names, filters: names, ...traits, fields })
}

/** Notes of apps about a record, about the account or the shop, or without any: `products/{id}/metafields`, `metafields`. */
export const metafields = (path: string, traits: Traits = {}): ResourceRow =>
  row(path, { fields: texts('key', 'value'), required: ['key'], filters: ['key'], ...traits })

function manyOf(path: string): string {
  const names = path.split('/').filter((part) => part !== '{id}')
  const [first = '', ...others] = [...names.slice(0, -1).map(singularOf), names.at(-1)!]
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The row of the record that a nested one belongs to, as its address: `products` of `products/{id}/metafields`. */
export function ownerOf(path: string): string | undefined {
  const place = path.lastIndexOf('/{id}/')
  return place === -1 ? undefined : path.slice(0, place)
}
