import { type Answer, ApiError, created, fine, notAllowed, notFound, shown } from './answers.ts'
import { type Selection, selectionOf, withFields } from './filters.ts'
import type { ApiRecord } from './records.ts'
import type { Bulk, Verb } from './resources/row.ts'
import type { Asking, Place, Resource } from './surface.ts'
import { type Call, change, isOfOwner, make, recordOf } from './writes.ts'
import { contentOf, fieldsOf, isObject, withoutNull } from './written.ts'

type Fields = Record<string, unknown>

/**
 * Makes or changes several records in one call. A record that cannot be written is one of the `errors` of the answer, and the others are
 * written.
 */
async function bulk(resource: Resource, call: Call): Promise<Answer> {
  const several = resource.row.bulk!
  const { verb, envelope } = several
  const records: ApiRecord[] = []
  const errors: string[] = []
  for (const [place, item] of itemsIn(contentOf(call.req, envelope), several).entries()) {
    try {
      const record =
        verb === 'create'
          ? await make(resource, call, item)
          : change(resource, recordOf(resource, call, item.id), call, item)
      records.push(shown(resource.row, record, call.asking))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      errors.push(`${envelope}[${place}]: ${error.message}`)
    }
  }
  return { status: verb === 'create' ? 201 : 200, body: { [envelope]: records, errors } }
}

/** The records of a body: a list, one record, or one with a list of ids. Throws a 400. */
function itemsIn(content: unknown, { envelope, each }: Bulk): Fields[] {
  const ids = each && isObject(content) ? content[each.ids] : undefined
  const items = ids === undefined ? listOf(content) : listOf(ids).map((id) => ofEach(content, id, each!))
  if (items.length > 0 && items.every(isObject)) return items.map(withoutNull)
  const list = each ? `{"${each.ids}": [...], ...}` : '[{...}, ...]'
  throw new ApiError(400, `The body has no list in "${envelope}". Send {"${envelope}": ${list}}.`)
}

function ofEach(content: unknown, id: unknown, { ids, field }: NonNullable<Bulk['each']>): Fields {
  const { [ids]: _, ...fields } = content as Fields
  return { ...fields, [field]: id }
}

/** A long list in a form arrives as an object keyed by number. */
function listOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content
  const isList = isObject(content) && Object.keys(content).every((key) => /^\d+$/.test(key))
  return isList ? Object.values(content) : [content]
}

type Operation = (resource: Resource, call: Call) => Answer | Promise<Answer>

/** Answers a call to any resource by the traits of its row (spec 4.1). Throws an `ApiError`. */
export function resourceApi({ resource, item }: Place, call: Call): Answer | Promise<Answer> {
  const { single, bulk: several } = resource.row
  if (item === undefined) return byMethod(resource, call, single ? ofSingle : ofCollection(several))
  if (item === 'bulk' && several?.at === 'bulk') return byMethod(resource, call, ofBulk(several))
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

const ofBulk = ({ verb }: Bulk): Methods => ({ [verb === 'create' ? 'POST' : 'PUT']: [verb, bulk] })

const ofCollection = (several: Bulk | undefined): Methods => ({
  GET: ['list', list],
  POST: ['create', create],
  ...(several?.at === 'list' && ofBulk(several)),
})

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

const sentTo = ({ row }: Resource, { req }: Call) =>
  row.bare ? fieldsOf(req, undefined) : fieldsOf(req, row.one, row.alsoOne)

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
  return row.bare ? answer : { [row.one]: answer }
}
