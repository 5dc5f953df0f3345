import { ApiError } from './answers.ts'
import { plainOf } from './fields.ts'
import { type ApiRecord, idOf } from './records.ts'
import type { ResourceRow } from './resources.ts'

export type Query = Record<string, unknown>

const pageLimit = { usual: 50, most: 250 }

const bounds = ['created_at_min', 'created_at_max', 'updated_at_min', 'updated_at_max'] as const
const ofEveryList: readonly string[] = ['page', 'limit', 'since_id', 'fields', ...bounds]

/** The part of a list that a query selects (spec 4.1, 8). Throws a 400 that names the parameter. */
export function selectionOf(row: Pick<ResourceRow, 'filters' | 'fields'>, given: Query) {
  const query: Query = {}
  for (const [name, value] of Object.entries(given)) query[filterNamed(row, name)] = value
  const limit = integer(query, 'limit', pageLimit.usual, 1, pageLimit.most)
  const page = integer(query, 'page', 1, 1)
  const tests = [...timeTests(query), ...equalityTests(row, query)]
  return {
    since: integer(query, 'since_id', 0, 0),
    offset: (page - 1) * limit,
    limit,
    /** Set if records are left out by more than their id. */
    matches: tests.length === 0 ? undefined : (record: ApiRecord) => tests.every((test) => test(record)),
    /** The names of fields to show. Not set: all. */
    fields: query.fields === undefined ? undefined : String(query.fields).split(','),
    /** Parameters that select nothing here, as live platforms ignore them. */
    ignored: Object.keys(query).filter((name) => !ofEveryList.includes(name) && !row.filters.includes(name)),
  }
}

export type Selection = ReturnType<typeof selectionOf>

/** Clients write some filters as `article_code`, and some as `articleCode`. */
function filterNamed({ filters }: Pick<ResourceRow, 'filters'>, name: string): string {
  const inCamelCase = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return filters.includes(inCamelCase) ? inCamelCase : name
}

type Test = (record: ApiRecord) => boolean

function timeTests(query: Query): Test[] {
  const given = bounds.filter((name) => query[name] !== undefined)
  return given.map((name): Test => {
    const bound = moment(query, name)
    const field = name.startsWith('created') ? 'createdAt' : 'updatedAt'
    // A seed may have it as `created_at`.
    const at = (record: ApiRecord) => Date.parse(String(record[field] ?? record[name.slice(0, -4)]))
    return name.endsWith('min') ? (record) => at(record) >= bound : (record) => at(record) <= bound
  })
}

function equalityTests({ filters, fields }: Pick<ResourceRow, 'filters' | 'fields'>, query: Query): Test[] {
  return filters.flatMap((name): Test[] => {
    const field = fields[name]
    if (query[name] === undefined || !field) return []
    const wanted = plainOf(field, query[name])
    return [(record) => plainOf(field, record[name] ?? field.empty) === wanted]
  })
}

export function withFields<R extends Record<string, unknown>>(record: R, names: string[] | undefined): R {
  if (names === undefined) return record
  return Object.fromEntries(names.flatMap((name) => (name in record ? [[name, record[name]]] : []))) as R
}

function integer(query: Query, name: string, usual: number, least: number, most = 2 ** 53): number {
  const text = query[name]
  if (text === undefined) return usual
  const number = idOf(text)
  if (number >= least && number <= most) return number
  const range = most === 2 ** 53 ? `${least} or more` : `${least} to ${most}`
  throw new ApiError(400, `The parameter ${name} must be a whole number, ${range}.`)
}

function moment(query: Query, name: string): number {
  // An unescaped plus of an offset arrives as a space.
  const at = Date.parse(String(query[name]).replace(/ (?=\d\d:\d\d$)/, '+'))
  if (!Number.isNaN(at)) return at
  throw new ApiError(400, `The parameter ${name} must be a time, such as 2026-03-02T10:00:00+01:00.`)
}
