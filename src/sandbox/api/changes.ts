import type { State } from '../state.ts'
import type { RecordAction } from '../table.ts'
import type { ApiRecord } from './records.ts'
import type { Resource } from './source.ts'
import type { Surface } from './surface.ts'

/** One change of one record, by the pages or the API. `record` has only its id if the record is deleted. */
export interface ResourceChange {
  resource: Resource
  action: RecordAction
  record: ApiRecord
}

const kindsOfShop: Record<string, readonly string[]> = {
  order: ['orders', 'shipments'],
  invoice: ['invoices'],
}

/** Calls back once for each change of a record of the API, after it is saved. Returns how to stop. */
export function followChanges(
  state: State,
  surface: Surface,
  listener: (change: ResourceChange) => void,
): () => void {
  const follow = (kind: string, id: number, action: RecordAction) => {
    const paths = kind.startsWith('resource ') ? [kind.slice('resource '.length)] : (kindsOfShop[kind] ?? [])
    for (const path of paths) {
      const resource = surface.find(path)
      const record = action === 'deleted' ? { id } : resource?.source.get(id)
      if (resource && record) listener({ resource, action, record })
    }
  }
  state.changes.on('change', follow)
  return () => state.changes.off('change', follow)
}
