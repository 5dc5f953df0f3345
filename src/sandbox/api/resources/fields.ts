import { singularOf } from '../../../platform/resource.ts'

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
