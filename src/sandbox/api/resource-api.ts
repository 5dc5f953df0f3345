import type { Request } from 'express'
import { cleanBody, Problem } from '../../contract/index.ts'
import { type Answer, ApiError, shown } from './answers.ts'
import { readField } from './fields.ts'
import { type Query, type Selection, selectionOf, withFields } from './filters.ts'
import { type ApiRecord, idOf, isObject, timestamp } from './records.ts'
import { type Asking, isOfOwner, type Place, type Resource, type Surface } from './surface.ts'

type Fields = Record<string, unknown>

/** A call with its surroundings. `notes` are further sentences for the log. */
export interface Call {
  req: Request
  query: Query
  asking: Asking
  surface: Surface
  notes: Set<string>
}

type Methods = Record<string, [verb: string, (resource: Resource, call: Call) => Answer]>

/** Answers a call to any resource by the traits of its row (spec 4.1). Throws an `ApiError`. */
export function resourceApi({ resource, item }: Place, call: Call): Answer {
  const { verbs } = resource.row
  const methods = methodsOf(resource, call, item)
  const found = methods[call.req.method]
  if (found && verbs.includes(found[0])) return found[1](resource, call)
  const allowed = Object.entries(methods).filter(([, [verb]]) => verbs.includes(verb))
  const allow = allowed.map(([method]) => method).join(', ')
  throw new ApiError(405, `This address does not support this method. It supports ${allow}.`, { allow })
}

function methodsOf(resource: Resource, call: Call, item: string | undefined): Methods {
  if (item === 'count') return { GET: ['N', count] }
  if (item === undefined && !resource.row.single) return { GET: ['L', list], POST: ['C', create] }
  const record = () => recordOf(resource, call, item)
  return {
    GET: ['R', () => enveloped(resource, record(), call)],
    PUT: ['U', () => enveloped(resource, change(resource, record(), call), call)],
    DELETE: ['D', () => remove(resource, record())],
  }
}

function remove({ source }: Resource, { id }: ApiRecord): Answer {
  source.remove!(id)
  return { status: 204 }
}

/** The record with this id, below the owner that the address names, or the only one. Throws a 404. */
function recordOf({ source, ownerField }: Resource, { asking }: Call, id?: string): ApiRecord {
  const record = id === undefined ? source.single?.() : source.get(idOf(id))
  if (record && isOfOwner(ownerField, record, asking.owner)) return record
  throw new ApiError(404, 'There is no record with this id.')
}

function list(resource: Resource, call: Call): Answer {
  const { row } = resource
  const selection = selected(resource, call)
  const show = (record: ApiRecord) => withFields(shown(row, record, call.asking), selection.fields)
  const list = pageOf(resource, selection, call.asking).map(show)
  return { status: 200, body: { [row.many]: list } }
}

function count(resource: Resource, call: Call): Answer {
  const selection = selected(resource, call)
  const { source } = resource
  let count = 0
  if (source.count && !selection.matches && call.asking.owner === undefined)
    count = source.count(selection.since)
  else for (const _ of matching(resource, selection, call.asking)) count++
  return { status: 200, body: { count } }
}

function selected({ row }: Resource, { query, notes }: Call): Selection {
  const selection = selectionOf(row, query)
  for (const name of selection.ignored) notes.add(`${row.path} has no filter ${name}: ignored`)
  return selection
}

function pageOf(resource: Resource, selection: Selection, asking: Asking): ApiRecord[] {
  const { since, offset, limit, matches } = selection
  const { source } = resource
  if (source.page && !matches && asking.owner === undefined) return source.page({ since, offset, limit })
  const page: ApiRecord[] = []
  let place = 0
  for (const record of matching(resource, selection, asking)) {
    if (place++ < offset) continue
    page.push(record)
    if (page.length === limit) break
  }
  return page
}

/** A record as an event brings it: some of its relations have their records too. */
export function embedding({ row }: Resource, record: ApiRecord, surface: Surface, asking: Asking): ApiRecord {
  const answer = shown(row, record, asking)
  for (const name of row.embeds) {
    const relation = answer[name]
    if (!isObject(relation) || !isObject(relation.resource)) continue
    const [path = '', query] = String(relation.resource.url).split('?')
    const place = surface.placed(path)
    if (!place) continue
    const { resource, owner, item } = place
    const show = (one: ApiRecord | undefined) => one && shown(resource.row, one, asking)
    const selection = selectionOf(resource.row, Object.fromEntries(new URLSearchParams(query)))
    const embedded =
      item === undefined
        ? pageOf(resource, selection, { ...asking, owner }).map(show)
        : show(resource.source.get(idOf(item)))
    if (embedded) answer[name] = { ...relation, resource: { ...relation.resource, embedded } }
  }
  return answer
}

function* matching(resource: Resource, { since, matches }: Selection, { owner }: Asking) {
  const { source, ownerField } = resource
  for (const record of source.each(since, owner))
    if (isOfOwner(ownerField, record, owner) && (!matches || matches(record))) yield record
}

function enveloped({ row }: Resource, record: ApiRecord, { query, asking }: Call): Answer {
  const { fields } = selectionOf(row, { fields: query.fields })
  return { status: 200, body: { [row.one]: withFields(shown(row, record, asking), fields) } }
}

function create(resource: Resource, call: Call): Answer {
  const { row, source, ownerField } = resource
  const { owner, now } = call.asking
  const sent = readSent(resource, call)
  const missing = row.required.filter((name) => isMissing(sent[name]) && name !== ownerField)
  if (missing.length > 0) throw new ApiError(422, `${missing.join(', ')} is required.`)
  const at = timestamp(now)
  const times = row.undated ? {} : { createdAt: at, updatedAt: at }
  const belongs = ownerField !== undefined && owner !== undefined ? { [ownerField]: owner } : {}
  const record = source.create!({ ...sent, ...times, ...belongs })
  return { ...enveloped(resource, record, call), status: 201 }
}

function change(resource: Resource, record: ApiRecord, call: Call): ApiRecord {
  const { row, source } = resource
  const sent = readSent(resource, call)
  const emptied = row.required.filter((name) => name in sent && isMissing(sent[name]))
  if (emptied.length > 0) throw new ApiError(422, `${emptied.join(', ')} is required.`)
  const times = row.undated ? {} : { updatedAt: timestamp(call.asking.now) }
  return source.update!(record, { ...sent, ...times })
}

const isMissing = (value: unknown) => value === undefined || value === '' || value === false

export const ofEveryRecord = ['id', 'createdAt', 'updatedAt', 'created_at', 'updated_at']

/** The sent fields as the sandbox keeps them. A `null` is left out: clients send it for no data. Throws a 422 that names every fault. */
function readSent({ row, source }: Resource, { req, surface, notes }: Call): Fields {
  const given = Object.entries(contentOf(req, row.one)).filter(([, value]) => value !== null)
  const read: Fields = {}
  const faults: Record<string, string> = {}
  // A resource that only a seed names has no rules.
  const isOpen = Object.keys(row.fields).length === 0
  for (const [name, value] of given) {
    const field = Object.hasOwn(row.fields, name) ? row.fields[name] : undefined
    if (ofEveryRecord.includes(name) || field?.readonly) continue
    if (!field && !isOpen) notes.add(`${row.path} has no field ${name}: ignored`)
    const found = field ? readField(field, value, surface.exists) : { value }
    if ('fault' in found) faults[name] = found.fault
    else if (field || isOpen) read[name] = found.value
  }
  const wrong = Object.entries({ ...faults, ...source.faults?.(Object.fromEntries(given)) })
  if (wrong.length > 0) throw new ApiError(422, `${wrong.map((fault) => fault.join(' ')).join('; ')}.`)
  return read
}

const unread = (type = 'without one') =>
  new ApiError(415, `The content type must be application/json, or that of a form. It is ${type}.`)

/** The fields of a sent record, in its envelope as JSON or as form fields. Throws a 400 that names the envelope, or the fault of the body. */
function contentOf(req: Request, one: string): Fields {
  try {
    cleanBody(req.body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new ApiError(400, `The body ${error.faults[0]?.message ?? 'cannot be read'}.`)
  }
  if (req.body === undefined && req.is('*/*') !== null && req.get('content-length') !== '0')
    throw unread(req.get('content-type'))
  const fields = (req.body as Fields | undefined)?.[one]
  if (isObject(fields)) return fields
  throw new ApiError(
    400,
    `The body has no "${one}". Send {"${one}": {...}} as JSON, or form fields such as ${one}[title].`,
  )
}
