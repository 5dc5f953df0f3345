import { type Answer, ApiError, shown } from './answers.ts'
import type { ApiRecord } from './records.ts'
import type { Bulk } from './resources/row.ts'
import type { Resource } from './source.ts'
import { type Call, change, make, recordOf } from './writes.ts'
import { contentOf, isObject, withoutNull } from './written.ts'

type Fields = Record<string, unknown>

/**
 * Makes or changes several records in one call. A record that cannot be written is one of the `errors` of the answer, and the others are
 * written.
 */
export async function bulk(resource: Resource, call: Call): Promise<Answer> {
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
