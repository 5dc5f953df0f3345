import type { Request } from 'express'
import { type Answer, created, fine, notAllowed, notFound } from './answers.ts'
import { ApiError } from './api-error.ts'
import { fieldsOf } from './body.ts'
import { type Selection, selectionOf, withFields } from './filters.ts'
import { type ApiRecord, timestamp } from './records.ts'
import type { Verb } from './resources/row.ts'
import { shown } from './shown.ts'
import type { Asking, Resource } from './source.ts'
import type { Place, Surface } from './surface.ts'
import { readWritten } from './written.ts'

/** A call with its surroundings. `note` adds a sentence to the log. */
export interface Call {
  req: Request
  asking: Asking
  surface: Surface
  note: (text: string) => void
}

type Operation = (resource: Resource, call: Call) => Answer | Promise<Answer>

/** Answers a call to any resource by the traits of its row (spec 4.1). Throws an `ApiError`. */
export function resourceApi({ resource, item }: Place, call: Call): Answer | Promise<Answer> {
  if (item === undefined) return byMethod(resource, call, resource.row.single ? ofSingle : ofCollection)
  if (item === 'count') return byMethod(resource, call, { GET: ['count', count] })
  const id = /^\d{1,15}$/.test(item) ? Number(item) : Number.NaN
  const record = resource.source.get(id)
  if (!record || !isOfOwner(resource, record, call.asking)) throw notFound()
  return byMethod(resource, call, ofRecord(record))
}

type Methods = Record<string, [Verb, Operation]>

function byMethod(resource: Resource, call: Call, methods: Methods): Answer | Promise<Answer> {
  const { verbs } = resource.row
  const found = methods[call.req.method]
  if (found && verbs.includes(found[0])) return found[1](resource, call)
  const allowed = Object.entries(methods).flatMap(([method, [verb]]) =>
    verbs.includes(verb) ? [method] : [],
  )
  return notAllowed(allowed.join(', '))
}

const ofCollection: Methods = { GET: ['list', list], POST: ['create', create] }

const ofSingle: Methods = {
  GET: ['read', (resource, call) => envelope(resource, single(resource, call), call)],
  POST: ['create', create],
  PUT: ['update', (resource, call) => update(resource, single(resource, call), call)],
  DELETE: ['delete', (resource, call) => remove(resource, single(resource, call))],
}

const ofRecord = (record: ApiRecord): Methods => ({
  GET: ['read', (resource, call) => envelope(resource, record, call)],
  PUT: ['update', (resource, call) => update(resource, record, call)],
  DELETE: ['delete', (resource) => remove(resource, record)],
})

async function list(resource: Resource, call: Call): Promise<Answer> {
  const { row, source } = resource
  const selection = selectionOf(row, call.req.query)
  for (const name of selection.ignored) call.note(`${row.path} has no filter ${name}: ignored`)
  const records = source.ask
    ? await source.ask(call.asking)
    : selected(resource, selection, call.asking).map((record) => shown(row, record, call.asking))
  const answer = records.map((record) => withFields(record, selection.fields))
  return fine(row.bare ? answer : { [row.many]: answer })
}

function selected(resource: Resource, selection: Selection, asking: Asking): ApiRecord[] {
  const { since, offset, limit } = selection
  const { source } = resource
  if (source.page && !selection.matches && asking.owner === undefined)
    return source.page({ since, offset, limit })
  const page: ApiRecord[] = []
  let place = 0
  for (const record of matching(resource, selection, asking)) {
    if (place++ < offset) continue
    page.push(record)
    if (page.length === limit) break
  }
  return page
}

function* matching(resource: Resource, { since, matches }: Selection, asking: Asking): Iterable<ApiRecord> {
  for (const record of resource.source.each(since)) {
    if (isOfOwner(resource, record, asking) && (!matches || matches(record))) yield record
  }
}

function count(resource: Resource, call: Call): Answer {
  const { row, source } = resource
  const selection = selectionOf(row, call.req.query)
  for (const name of selection.ignored) call.note(`${row.path} has no filter ${name}: ignored`)
  if (source.count && !selection.matches && call.asking.owner === undefined) {
    return fine({ count: source.count(selection.since) })
  }
  let number = 0
  for (const _ of matching(resource, selection, call.asking)) number++
  return fine({ count: number })
}

async function create(resource: Resource, call: Call): Promise<Answer> {
  const { row, source, ownerField } = resource
  if (!source.create) return notAllowed('GET')
  const { owner, now } = call.asking
  const given = read(resource, call)
  const missing = row.required.filter((name) => isMissing(given[name]) && name !== ownerField)
  if (missing.length > 0) throw new ApiError(422, `${missing.join(', ')} is required.`)
  const at = timestamp(now)
  const times = row.undated
    ? {}
    : row.bare
      ? { created_at: at, updated_at: at }
      : { createdAt: at, updatedAt: at }
  const belongs = ownerField !== undefined && owner !== undefined ? { [ownerField]: owner } : {}
  const record = await source.create({ ...given, ...times, ...belongs }, call.asking)
  return created(enveloped(resource, record, call))
}

const isMissing = (value: unknown) => value === undefined || value === '' || value === false

function update(resource: Resource, record: ApiRecord, call: Call): Answer {
  const { row, source } = resource
  if (!source.update) return notAllowed('GET')
  const given = read(resource, call)
  const emptied = row.required.filter((name) => name in given && isMissing(given[name]))
  if (emptied.length > 0) throw new ApiError(422, `${emptied.join(', ')} is required.`)
  const at = timestamp(call.asking.now)
  const times = row.undated ? {} : row.bare ? { updated_at: at } : { updatedAt: at }
  return envelope(resource, source.update(record, { ...given, ...times }, call.asking), call)
}

function remove({ source }: Resource, { id }: ApiRecord): Answer {
  if (!source.remove) return notAllowed('GET')
  source.remove(id)
  return { status: 200 }
}

/** The sent fields. Throws a 422 with what is wrong. */
function read({ row, source }: Resource, { req, surface, note }: Call): Record<string, unknown> {
  const sent = fieldsOf(req, row.bare ? undefined : row.one)
  const { fields, ignored, faults } = readWritten(row.fields, sent, {
    exists: surface.exists,
    everything: Object.keys(row.fields).length === 0,
  })
  const wrong = Object.entries({ ...faults, ...source.faults?.(sent) })
  if (wrong.length > 0) throw new ApiError(422, `${wrong.map((fault) => fault.join(' ')).join('; ')}.`)
  for (const name of ignored) note(`${row.path} has no field ${name}: ignored`)
  return fields
}

function single({ source }: Resource, { asking }: Call): ApiRecord {
  const record = source.single?.(asking)
  if (!record) throw notFound()
  return record
}

const isOfOwner = ({ ownerField }: Resource, record: ApiRecord, { owner }: Asking) =>
  owner === undefined || ownerField === undefined || record[ownerField] === owner

const envelope = (resource: Resource, record: ApiRecord, call: Call): Answer =>
  fine(enveloped(resource, record, call))

function enveloped({ row }: Resource, record: ApiRecord, { req, asking }: Call): Record<string, unknown> {
  const names = req.query.fields === undefined ? undefined : String(req.query.fields).split(',')
  const answer = withFields(shown(row, record, asking), names)
  return row.bare ? answer : { [row.one]: answer }
}
