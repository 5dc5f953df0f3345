import type { Table } from '../state.ts'
import { ApiError } from './answers.ts'
import type { Asked } from './fields.ts'
import { type ApiRecord, idIn, idOf } from './records.ts'
import { ownerFieldOf, ownerOf, type ResourceRow } from './resources.ts'

/** The caller's address, and the owner of the records: product 101 in `products/101/metafields`. */
export interface Asking extends Asked {
  owner: number | undefined
  /** Milliseconds since 1970, by the clock of the shop. */
  now: number
}

/** The records of a resource. Those without a writing member follow from the events in the shop. */
export interface Source {
  get(id: number): ApiRecord | undefined
  /** The records with a higher id, lowest first. `owner`: more than those of this owner need not be listed. */
  each(since: number, owner?: number): Iterable<ApiRecord>
  /** A part of those, and their number, without reading the others. */
  page?(part: { since: number; offset: number; limit: number }): ApiRecord[]
  count?(since: number): number
  single?(): ApiRecord | undefined
  create?(fields: Record<string, unknown>): ApiRecord
  update?(record: ApiRecord, fields: Record<string, unknown>): ApiRecord
  remove?(id: number): void
  /** Faults of sent fields by the rules of the shop, beside their kinds: by name, as `is a number above 0`. */
  faults?(fields: Record<string, unknown>): Record<string, string>
}

/** The records of a table, each as `whole` completes it. Default: as they are. */
export function tableSource(table: () => Table<ApiRecord>, whole = (record: ApiRecord) => record) {
  const page = (part: Parameters<Table<ApiRecord>['page']>[0]) => table().page(part).map(whole)
  return {
    get(id: number) {
      const record = table().get(id)
      return record && whole(record)
    },
    *each(since: number) {
      for (const record of table().each(since)) yield whole(record)
    },
    page,
    count: (since: number) => table().count(since),
    single: () => page({ since: 0, offset: 0, limit: 1 })[0],
    create: (fields) => whole(table().set({ ...fields, id: table().nextId() })),
    update: ({ id }, fields) => whole(table().set({ ...table().get(id)!, ...fields })),
    remove: (id: number) => table().delete(id),
  } satisfies Source
}

/** Records that follow from what happens in the shop, from a function that lists them by id, lowest first. Default: none. */
export const derivedSource = (members: Partial<Source>, all = (): readonly ApiRecord[] => []): Source => ({
  get: (id) => all().find((record) => record.id === id),
  each: (since) => all().filter(({ id }) => id > since),
  ...members,
})

/** Records that follow from those of a table. `of` makes those of one: one with its id, or where `owned` is set several with its id and two digits. */
export function followingSource<Parent extends { id: number }>(
  table: Table<Parent>,
  of: (parent: Parent) => readonly ApiRecord[],
  owned = false,
): Source {
  const digits = owned ? 100 : 1
  const below = (parent: number) => [table.get(parent) ?? []].flat().flatMap((one) => of(one as Parent))
  return {
    get: (id) => below(Math.floor(id / digits)).find((record) => record.id === id),
    *each(since, owner) {
      if (owned && owner !== undefined) return yield* below(owner).filter(({ id }) => id > since)
      for (const parent of table.each(Math.floor(since / digits) - 1))
        yield* of(parent).filter(({ id }) => id > since)
    },
  }
}

/** The records of one source, and seeded ones beside them. A record of the first hides one with its id. */
export function withSeeds(source: Source, table: () => Table<ApiRecord>): Source {
  const seeded: Source = tableSource(table)
  return {
    ...seeded,
    ...source,
    page: undefined,
    count: undefined,
    get: (id) => source.get(id) ?? seeded.get(id),
    *each(since) {
      const own = [...source.each(since)]
      for (const other of seeded.each(since)) {
        while (own[0] && own[0].id < other.id) yield own.shift()!
        if (own[0]?.id !== other.id) yield other
      }
      yield* own
    },
    update: (record, fields) => (source.get(record.id) ? source : seeded).update!(record, fields),
  }
}

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

export class Surface {
  readonly #resources = new Map<string, Resource>()

  add(row: ResourceRow, source: Source): void {
    this.#resources.set(row.path, { row, source, ownerField: ownerFieldOf(row.path) })
  }

  find(path: string): Resource | undefined {
    return this.#resources.get(path)
  }

  readonly exists = (path: string, id: number): boolean =>
    this.#resources.get(path)?.source.get(id) !== undefined

  /** The place of an address such as `products/101/metafields/3`. Throws a 404. */
  place(address: string): Place {
    const found = this.placed(address)
    if (!found) throw new ApiError(404, 'There is no such resource.')
    const ownerPath = ownerOf(found.resource.row.path)
    if (ownerPath !== undefined && found.owner !== undefined && !this.exists(ownerPath, found.owner))
      throw new ApiError(404, `There is no record ${found.owner} of ${ownerPath}.`)
    return found
  }

  /** The same, for an address that may not be played. `products/101/variants` lists what names this product, for any such relation. */
  placed(address: string): Place | undefined {
    const names = address.split('/')
    for (const item of [undefined, names.at(-1)]) {
      const own = item === undefined ? names : names.slice(0, -1)
      const exact = this.find(own.join('/'))
      if (exact && fits(exact, item)) return { resource: exact, owner: undefined, item }
      const [path = '', id, ...rest] = own
      const owner = idOf(id)
      const nested = this.find([path, '{id}', ...rest].join('/'))
      if (nested && owner >= 0 && fits(nested, item)) return { resource: nested, owner, item }
      const related = this.find(rest.join('/'))
      const fields = Object.entries(related?.row.fields ?? {})
      const ownerField = fields.find(([, { kind, of }]) => kind === 'one' && of === path)?.[0]
      if (related && ownerField !== undefined && this.exists(path, owner))
        return { resource: { ...related, ownerField }, owner, item }
    }
    return undefined
  }
}

/** A single record has no id. */
const fits = ({ row }: Resource, item: string | undefined) => item === undefined || !row.single

export const isOfOwner = (ownerField: string | undefined, record: ApiRecord, owner: number | undefined) =>
  owner === undefined || ownerField === undefined || idIn(record[ownerField]) === owner
