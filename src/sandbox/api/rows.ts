import { envelopeOf, singularOf } from '../../platform/resource.ts'
import { type Fields, fieldsOf } from './fields.ts'

export type ResourceRow = ReturnType<typeof rowOf>

/**
 * A row from text such as `taxes/{id}/overrides | LNR | undated one=taxOverride | country, rate`, with a seed on each line behind `+`. The
 * envelopes follow from the address where it is regular, that of a list from the one of a record. A nested record names its owner last.
 */
export function rowOf(text: string) {
  const [given = '', ...seeds] = text.split(/\n\s+\+ /)
  const [path = '', letters = '', traits = '', fields = ''] = given.split(/ *\| /)
  const trait = (name: string) => new RegExp(`\\b${name}(?:=(\\S+))?`).exec(traits)
  const owner = ownerOf(path)
  const own: Fields = fields === '' ? {} : fieldsOf(path, fields)
  const marked = (mark: 'required' | 'filter') => Object.keys(own).filter((name) => own[name]![mark])
  const required = marked('required')
  const one = trait('one')?.[1]
  return {
    /** Its address behind the language, with `{id}` for the id of a record: `products/{id}/metafields`. */
    path,
    /** The envelopes of one record and of a list. */
    one: one ?? envelopeOf(path),
    many: trait('many')?.[1] ?? (one === undefined ? manyOf(path) : `${one}s`),
    /** Its operations (spec 4.1): List, couNt, Read, Create, Update, Delete. */
    verbs: letters,
    /** Fields that a new record needs. Default: its title. */
    required: required.length === 0 && own.title && letters.includes('C') ? ['title'] : required,
    /** Fields that select the records of a list by equality, beside those that every list has. */
    filters: marked('filter'),
    /** One record, without an id in its address and without a list. */
    single: trait('single') !== null,
    /** Records without `createdAt` and `updatedAt`. */
    undated: trait('undated') !== null,
    /** Its address may stand without a language (spec 4.2). */
    anyLanguage: trait('anyLanguage') !== null,
    /** Relations whose records stand in an event too. */
    embeds: trait('embeds')?.[1]?.split(',') ?? [],
    /** The records of a new shop. */
    seeds: seeds.map((seed): Record<string, unknown> => JSON.parse(seed)),
    fields: owner === undefined ? own : { ...own, ...fieldsOf(path, `${ownerFieldOf(path)}:one=${owner}`) },
  }
}

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

/** The field of a nested record that holds its owner: `product` in `products/{id}/metafields`. */
export function ownerFieldOf(path: string): string | undefined {
  const owner = ownerOf(path)
  return owner === undefined ? undefined : singularOf(owner.split('/').at(-1)!)
}
