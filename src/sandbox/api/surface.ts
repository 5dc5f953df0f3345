import { singularOf } from '../../platform/resource.ts'
import type { Table } from '../table.ts'
import { ApiError, type Asked, idOf } from './answers.ts'
import type { ApiRecord } from './records.ts'
import { ownerOf, type ResourceRow } from './resources/row.ts'

/** The caller's address, and the owner of the records: product 101 in `products/101/metafields`. */
export interface Asking extends Asked {
  owner: number | undefined
  /** Milliseconds since 1970, by the clock of the shop. */
  now: number
}

/** The records of a resource. Those without a writing member follow from the events in the shop. */
export interface Source {
  get(id: number): ApiRecord | undefined
  /** The records with a higher id, lowest first. */
  each(since: number): Iterable<ApiRecord>
  /** A part of those, and their number, without reading the others. */
  page?(part: { since: number; offset: number; limit: number }): ApiRecord[]
  count?(since: number): number
  single?(asking: Asking): ApiRecord | undefined
  create?(fields: Record<string, unknown>, asking: Asking): ApiRecord | Promise<ApiRecord>
  update?(record: ApiRecord, fields: Record<string, unknown>, asking: Asking): ApiRecord
  remove?(id: number): void
  /** Faults of sent fields by the rules of the shop, beside their kinds: by name, as `is a number above 0`. */
  faults?(fields: Record<string, unknown>): Record<string, string>
  /** A list that is asked for elsewhere, such as the methods of providers. */
  ask?(asking: Asking): Promise<Record<string, unknown>[]>
}

/** The records of a table. `ownerField` names the field that holds the owner of a nested one. */
export function tableSource(table: () => Table<ApiRecord>, ownerField?: string): Source {
  const write = (record: ApiRecord) => table().set(record)
  return {
    get: (id) => table().get(id),
    each: (since) => table().each(since),
    page: (part) => table().page(part),
    count: (since) => table().count(since),
    single: ({ owner }) => {
      for (const record of table().each(0))
        if (ownerField === undefined || owner === undefined || record[ownerField] === owner) return record
      return undefined
    },
    create: (fields) => write({ ...fields, id: table().nextId() }),
    update: (record, fields) => write({ ...record, ...fields }),
    remove: (id) => table().delete(id),
  }
}

/** Records that follow from what happens in the shop, from a function that lists them by id, lowest first. */
export const derivedSource = (all: () => readonly ApiRecord[]): Source => ({
  get: (id) => all().find((record) => record.id === id),
  each: (since) => all().filter(({ id }) => id > since),
})

/** The records of one source, and seeded ones beside them. A record of the first hides one with its id. */
export function withSeeds(source: Source, table: () => Table<ApiRecord>): Source {
  const seeded = tableSource(table)
  return {
    ...source,
    get: (id) => source.get(id) ?? seeded.get(id),
    *each(since) {
      const others = seeded.each(since)[Symbol.iterator]()
      let other = others.next()
      for (const record of source.each(since)) {
        for (; !other.done && other.value.id <= record.id; other = others.next())
          if (other.value.id < record.id) yield other.value
        yield record
      }
      for (; !other.done; other = others.next()) yield other.value
    },
    update(record, fields, asking) {
      const own = source.get(record.id) !== undefined
      return own ? source.update!(record, fields, asking) : seeded.update!(record, fields, asking)
    },
  }
}

/** One record that follows from what happens in the shop. */
export const singleSource = (record: (asking: Asking) => Record<string, unknown>): Source => ({
  get: () => undefined,
  each: () => [],
  single: (asking) => ({ id: 0, ...record(asking) }),
})

/** A source of an address that only does something: it has no records. */
export const actionSource = (members: Pick<Source, 'ask' | 'create'>): Source => ({
  get: () => undefined,
  each: () => [],
  ...members,
})

/** A resource with its records. */
export interface Resource {
  row: ResourceRow
  source: Source
  /** The field that holds the owner of a nested record. */
  ownerField?: string | undefined
}

/** The resource behind an address, and the record that it names. */
export interface Place {
  resource: Resource
  owner: number | undefined
  /** The id of a record, `count`, or `undefined` for the collection. */
  item: string | undefined
}

/** Every resource of the API, by its address. */
export class Surface {
  readonly #resources = new Map<string, Resource>()

  add(row: ResourceRow, source: Source): void {
    this.#resources.set(row.path, { row, source, ownerField: ownerFieldOf(row.path) })
  }

  all(): Resource[] {
    return [...this.#resources.values()]
  }

  find(path: string): Resource | undefined {
    return this.#resources.get(path)
  }

  readonly exists = (path: string, id: number): boolean => this.record(path, id) !== undefined

  record(path: string, id: number): ApiRecord | undefined {
    return this.#resources.get(path)?.source.get(id)
  }

  /** The place of an address such as `products/101/metafields/3`. Throws a 404 that says how far the address is known. */
  place(address: string): Place {
    const names = address.split('/')
    const found =
      this.#place(names, undefined) ?? this.#place(names.slice(0, -1), names.at(-1)) ?? this.#related(names)
    if (!found) throw this.#unknown(names)
    const ownerPath = ownerOf(found.resource.row.path)
    if (ownerPath !== undefined && found.owner !== undefined && !this.exists(ownerPath, found.owner))
      throw new ApiError(404, `There is no record ${found.owner} of ${ownerPath}.`)
    return found
  }

  #place(names: string[], item: string | undefined): Place | undefined {
    if (names.length === 0) return undefined
    const exact = this.#resources.get(names.join('/'))
    if (exact) return itemFits(exact, item) ? { resource: exact, owner: undefined, item } : undefined
    for (let at = 1; at < names.length - 1; at++) {
      const path = [...names.slice(0, at), '{id}', ...names.slice(at + 1)].join('/')
      const resource = this.#resources.get(path)
      if (resource && isId(names[at]!) && itemFits(resource, item))
        return { resource, owner: Number(names[at]), item }
    }
    return undefined
  }

  /** `products/101/variants` is the list of the variants that name this product, for any resource with such a relation. */
  #related(names: string[]): Place | undefined {
    for (const item of [undefined, names.at(-1)]) {
      const [owner = '', id = '', ...rest] = item === undefined ? names : names.slice(0, -1)
      const resource = this.#resources.get(rest.join('/'))
      if (!resource || !isId(id) || resource.row.single) continue
      const fields = Object.entries(resource.row.fields)
      const field = fields.find(([, one]) => one.kind === 'one' && one.of === owner)?.[0]
      if (field === undefined || !this.exists(owner, Number(id))) continue
      return { resource: { ...resource, ownerField: field }, owner: Number(id), item }
    }
    return undefined
  }

  #unknown(names: string[]): ApiError {
    for (let length = names.length - 1; length > 0; length--) {
      const known = names.slice(0, length).join('/')
      const below = this.#below(names.slice(0, length))
      if (below.length === 0 && !this.#resources.has(known)) continue
      const nested = this.#below([...names.slice(0, length), '1'])
      const list =
        below.length > 0
          ? `It has ${below.join(', ')}`
          : nested.length > 0
            ? `Each of its records has ${nested.join(', ')}`
            : 'It has nothing below it'
      return new ApiError(404, `There is no "${names.slice(length).join('/')}" under ${known}. ${list}.`)
    }
    return new ApiError(404, 'There is no such resource.')
  }

  #below(names: string[]): string[] {
    const start = `${names.map((name) => (isId(name) ? '{id}' : name)).join('/')}/`
    return [...this.#resources.keys()].flatMap((path) => {
      const rest = path.startsWith(start) ? path.slice(start.length) : ''
      return rest !== '' && !rest.includes('/') && rest !== '{id}' ? [rest] : []
    })
  }
}

const isId = (text: string) => idOf(text) >= 0

/** A single record has no id. A word in place of an id is an unknown record only where nothing lies below. */
const itemFits = ({ row }: Resource, item: string | undefined) => item === undefined || !row.single

/** The field of a nested record that holds its owner: `product` in `products/{id}/metafields`. */
export function ownerFieldOf(path: string): string | undefined {
  const owner = ownerOf(path)
  return owner === undefined ? undefined : singularOf(owner.split('/').at(-1)!)
}
