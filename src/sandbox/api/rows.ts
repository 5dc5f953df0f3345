import { envelopeOf, singularOf } from '../../platform/resource.ts'
import { type Fields, fieldsOf } from './fields.ts'

/** An operation that a client may do with a resource (spec 4.1). */
export type Verb = 'list' | 'count' | 'read' | 'create' | 'update' | 'delete'

/** One resource of the platform's API, as data. */
export interface ResourceRow {
  /** Its address behind the language, with `{id}` for the id of a record: `products/{id}/metafields`. */
  path: string
  /** The envelopes of one record and of a list. */
  one: string
  many: string
  verbs: readonly Verb[]
  fields: Fields
  /** Fields that a new record needs. Default: its title. */
  required: readonly string[]
  /** Fields that select the records of a list by equality, beside those that every list has. */
  filters: readonly string[]
  /** One record, without an id in its address and without a list. */
  single: boolean
  /** Records without `createdAt` and `updatedAt`. */
  undated: boolean
  /** Its address may stand without a language (spec 4.2). */
  anyLanguage: boolean
  /** Relations whose records stand in an event too. */
  embeds: readonly string[]
  /** The records of a new shop. */
  seeds: readonly Record<string, unknown>[]
}

const all: readonly Verb[] = ['list', 'count', 'read', 'create', 'update', 'delete']
export const readOnly: readonly Verb[] = ['list', 'count', 'read']
export const unchangeable: readonly Verb[] = ['list', 'count', 'read', 'create', 'delete']
export const changeable: readonly Verb[] = ['list', 'count', 'read', 'update']

type Traits = Partial<Omit<ResourceRow, 'path' | 'fields'>>

/**
 * A row. Default: every verb, a list, timestamps, no seeds, and a new record needs its title. The envelopes follow from the address where it
 * is regular, that of a list from the one of a record. A nested record names its owner last.
 */
export function row(path: string, given: string | Fields, traits: Traits = {}): ResourceRow {
  const owner = ownerOf(path)
  const own = typeof given === 'string' ? fieldsOf(path, given) : given
  const marked = (mark: 'required' | 'filter') => Object.keys(own).filter((name) => own[name]![mark])
  const titled = own.title && (traits.verbs ?? all).includes('create')
  const owned = owner === undefined ? {} : fieldsOf(path, `${singularOf(owner)}:one=${owner}`)
  return {
    path,
    one: envelopeOf(path),
    many: traits.one === undefined ? manyOf(path) : `${traits.one}s`,
    verbs: all,
    required: marked('required').length > 0 ? marked('required') : titled ? ['title'] : [],
    filters: marked('filter'),
    single: false,
    undated: false,
    anyLanguage: false,
    embeds: [],
    seeds: [],
    ...traits,
    fields: { ...own, ...owned },
  }
}

/** One record that can only be read. */
export const single = (path: string, fields: string, traits: Traits = {}): ResourceRow =>
  row(path, fields, { single: true, undated: true, verbs: ['read'], ...traits })

/** A list without timestamps that can only be read, unless its traits say otherwise. */
export const listed = (path: string, fields: string, traits: Traits = {}): ResourceRow =>
  row(path, fields, { undated: true, verbs: readOnly, ...traits })

/** A record that joins two others: it is made and removed, and never changed. */
export function joining(path: string, pair: [string, string], traits: Traits): ResourceRow {
  const names = pair.map(singularOf)
  const relations = pair.map((of, index) => `${names[index]}*#:one=${of}`)
  const fields = ['sortOrder:whole=1', ...relations].join(', ')
  return row(path, fields, { undated: true, verbs: unchangeable, ...traits })
}

/** Notes of apps about a record, about the account or the shop, or without any: `products/{id}/metafields`, `metafields`. */
export const metafields = (path: string, traits: Traits = {}): ResourceRow =>
  row(path, 'key*#, value', traits)

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
