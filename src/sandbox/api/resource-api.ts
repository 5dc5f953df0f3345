import { type Answer, created, fine, notAllowed, notFound, shown } from './answers.ts'
import { type Selection, selectionOf, withFields } from './filters.ts'
import type { ApiRecord } from './records.ts'
import type { Verb } from './resources/row.ts'
import type { Asking, Place, Resource } from './surface.ts'
import { type Call, change, isOfOwner, make, recordOf } from './writes.ts'
import { fieldsOf } from './written.ts'

type Operation = (resource: Resource, call: Call) => Answer | Promise<Answer>

/** Answers a call to any resource by the traits of its row (spec 4.1). Throws an `ApiError`. */
export function resourceApi({ resource, item }: Place, call: Call): Answer | Promise<Answer> {
  if (item === undefined) return byMethod(resource, call, resource.row.single ? ofSingle : ofCollection)
  if (item === 'count') return byMethod(resource, call, { GET: ['count', count] })
  return byMethod(resource, call, ofRecord(recordOf(resource, call, item)))
}

type Methods = Record<string, [Verb, Operation]>

function byMethod(resource: Resource, call: Call, methods: Methods): Answer | Promise<Answer> {
  const { verbs } = resource.row
  const found = methods[call.req.method]
  if (found && verbs.includes(found[0])) return found[1](resource, call)
  const allowed = Object.keys(methods).filter((method) => verbs.includes(methods[method]![0]))
  return notAllowed(allowed.join(', '))
}

const ofCollection: Methods = {
  GET: ['list', list],
  POST: ['create', create],
}

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
  return fine({ [row.many]: answer })
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
  for (const record of resource.source.each(since))
    if (isOfOwner(resource, record, asking) && (!matches || matches(record))) yield record
}

function count(resource: Resource, call: Call): Answer {
  const { row, source } = resource
  const selection = selectionOf(row, call.req.query)
  for (const name of selection.ignored) call.note(`${row.path} has no filter ${name}: ignored`)
  if (source.count && !selection.matches && call.asking.owner === undefined)
    return fine({ count: source.count(selection.since) })
  let number = 0
  for (const _ of matching(resource, selection, call.asking)) number++
  return fine({ count: number })
}

async function create(resource: Resource, call: Call): Promise<Answer> {
  return created(enveloped(resource, await make(resource, call, sentTo(resource, call)), call))
}

function update(resource: Resource, record: ApiRecord, call: Call): Answer {
  return envelope(resource, change(resource, record, call, sentTo(resource, call)), call)
}

const sentTo = ({ row }: Resource, { req }: Call) => fieldsOf(req, row.one, row.alsoOne)

function remove({ source }: Resource, { id }: ApiRecord): Answer {
  if (!source.remove) return notAllowed('GET')
  source.remove(id)
  return { status: 204 }
}

function single({ source }: Resource, { asking }: Call): ApiRecord {
  const record = source.single?.(asking)
  if (!record) throw notFound()
  return record
}

const envelope = (resource: Resource, record: ApiRecord, call: Call): Answer =>
  fine(enveloped(resource, record, call))

function enveloped({ row }: Resource, record: ApiRecord, { req, asking }: Call): Record<string, unknown> {
  const names = req.query.fields === undefined ? undefined : String(req.query.fields).split(',')
  const answer = withFields(shown(row, record, asking), names)
  return { [row.one]: answer }
}
