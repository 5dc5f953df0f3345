import { type ApiRecord, timestamp } from './api/records.ts'
import type { Collection, State } from './state.ts'

/** Initial records of each resource, by its name. `cart` holds products with their quantity: `{ product: 101, quantity: 2 }`. */
export type Seeds = Record<string, Record<string, unknown>[]>

/** The records of a resource. An empty store is filled with `records`; those without an id get one. */
export function seededCollection(
  state: State,
  name: string,
  records: readonly Record<string, unknown>[],
  { now, firstId }: { now: number; firstId?: number },
): Collection<ApiRecord> {
  const collection = state.collection<ApiRecord>(`resource ${name}`, firstId)
  const at = timestamp(now)
  if (collection.size === 0) {
    for (const record of records) {
      const id = Number(record.id ?? collection.nextId())
      collection.set({ createdAt: at, updatedAt: at, ...record, id })
    }
  }
  return collection
}
