import type { Table } from '../table.ts'
import type { Asked } from './answers.ts'
import type { ApiRecord } from './records.ts'
import type { ResourceRow } from './resources/row.ts'

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
export const actionSource = (members: Pick<Source, 'ask' | 'create' | 'single'>): Source => ({
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
