import type { Request } from 'express'
import type { State } from '../state.ts'
import type { RecordAction } from '../table.ts'
import { ApiError, idOf, notAllowed, notFound } from './answers.ts'
import { type ApiRecord, timestamp } from './records.ts'
import type { ResourceRow } from './resources/row.ts'
import type { Asking, Resource, Surface } from './surface.ts'
import { readWritten } from './written.ts'

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

type Fields = Record<string, unknown>

/** A call with its surroundings. `note` adds a sentence to the log. */
export interface Call {
  req: Request
  asking: Asking
  surface: Surface
  note: (text: string) => void
}

/** Makes a record of the sent fields. Rejects with a 422 that says what is wrong. */
export async function make(resource: Resource, call: Call, sent: Fields): Promise<ApiRecord> {
  const { row, source, ownerField } = resource
  if (!source.create) return notAllowed('GET')
  const { owner, now } = call.asking
  const given = read(resource, call, sent)
  const missing = row.required.filter((name) => isMissing(given[name]) && name !== ownerField)
  if (missing.length > 0) throw new ApiError(422, `${missing.join(', ')} is required.`)
  const times = timesOf(row, timestamp(now), ['createdAt', 'updatedAt'])
  const belongs = ownerField !== undefined && owner !== undefined ? { [ownerField]: owner } : {}
  return source.create({ ...given, ...times, ...belongs }, call.asking)
}

/** Changes the sent fields of a record. Throws a 422 that says what is wrong. */
export function change(resource: Resource, record: ApiRecord, call: Call, sent: Fields): ApiRecord {
  const { row, source } = resource
  if (!source.update) return notAllowed('GET')
  const given = read(resource, call, sent)
  const emptied = row.required.filter((name) => name in given && isMissing(given[name]))
  if (emptied.length > 0) throw new ApiError(422, `${emptied.join(', ')} is required.`)
  const times = timesOf(row, timestamp(call.asking.now), ['updatedAt'])
  return source.update(record, { ...given, ...times }, call.asking)
}

const timesOf = ({ undated }: ResourceRow, at: string, names: string[]) =>
  undated ? {} : Object.fromEntries(names.map((name) => [name, at]))

/** The record with this id, below the owner that the address names. Throws a 404. */
export function recordOf(resource: Resource, { asking }: Call, id: unknown): ApiRecord {
  const record = resource.source.get(idOf(id))
  if (!record || !isOfOwner(resource, record, asking)) throw notFound()
  return record
}

/** Whether a record belongs to the owner that an address names. */
export const isOfOwner = ({ ownerField }: Resource, record: ApiRecord, { owner }: Asking): boolean =>
  owner === undefined || ownerField === undefined || record[ownerField] === owner

const isMissing = (value: unknown) => value === undefined || value === '' || value === false

function read({ row, source }: Resource, { surface, note }: Call, sent: Fields): Fields {
  const { fields, ignored, faults } = readWritten(row.fields, sent, {
    exists: surface.exists,
    everything: Object.keys(row.fields).length === 0,
  })
  const wrong = Object.entries({ ...faults, ...source.faults?.(sent) })
  if (wrong.length > 0) throw new ApiError(422, `${wrong.map((fault) => fault.join(' ')).join('; ')}.`)
  for (const name of ignored) note(`${row.path} has no field ${name}: ignored`)
  return fields
}
