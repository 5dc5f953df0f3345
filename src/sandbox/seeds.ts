import { type ApiRecord, timestamp } from './api/records.ts'
import type { Collection, State } from './state.ts'
import type { Table } from './table.ts'

/** Initial records of each resource, by its address. `cart` holds products with their quantity: `{ product: 101, quantity: 2 }`. */
export type Seeds = Record<string, Iterable<Record<string, unknown>>>

interface SeedOptions {
  /** Milliseconds since 1970, by the clock of the shop. */
  now: number
  firstId?: number
}

/** The records of a resource. An empty store is filled with `records`; those without an id get one. */
export function seededCollection(
  state: State,
  name: string,
  records: Iterable<Record<string, unknown>>,
  { now, firstId }: SeedOptions,
): Collection<ApiRecord> {
  const collection = state.collection<ApiRecord>(`resource ${name}`, firstId)
  if (collection.size === 0) for (const record of recordsOf(records, collection, now)) collection.set(record)
  return collection
}

/** The same on disk, for resources that can have a million records. */
export function seededTable(
  state: State,
  name: string,
  records: Iterable<Record<string, unknown>>,
  { now, firstId }: SeedOptions,
): Table<ApiRecord> {
  const table = state.table<ApiRecord>(`resource ${name}`, firstId)
  if (table.size === 0) table.fill(recordsOf(records, table, now))
  return table
}

function* recordsOf(
  records: Iterable<Record<string, unknown>>,
  ids: { nextId(): number },
  now: number,
): IterableIterator<ApiRecord> {
  const at = timestamp(now)
  for (const record of records) {
    yield { createdAt: at, updatedAt: at, ...record, id: Number(record.id ?? ids.nextId()) }
  }
}
