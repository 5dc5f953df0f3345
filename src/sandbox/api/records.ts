import { ApiError } from './errors.ts'

/** One record of an answer: JSON values, timestamps as text with an offset. */
export type ApiRecord = { id: number } & Record<string, unknown>

type Query = Record<string, unknown>

/** spec 8 */
const pageLimit = { usual: 50, most: 250 }

export const timestamp = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, '+00:00')

/** The part of a list that a query selects (spec 4.1, 8). Throws a 400 that names the parameter. */
export function pageOf(records: ApiRecord[], query: Query): ApiRecord[] {
  const limit = integer(query, 'limit', pageLimit.usual, 1, pageLimit.most)
  const page = integer(query, 'page', 1, 1)
  const found = filtered(records, query)
  return withFields(found.slice((page - 1) * limit, page * limit), query)
}

/** The records that match the filters of a query, lowest id first. */
export function filtered(records: ApiRecord[], query: Query): ApiRecord[] {
  const since = integer(query, 'since_id', 0, 0)
  const bounds = (['created_at', 'updated_at'] as const).map((name) => ({
    field: name === 'created_at' ? 'createdAt' : 'updatedAt',
    min: moment(query, `${name}_min`) ?? Number.NEGATIVE_INFINITY,
    max: moment(query, `${name}_max`) ?? Number.POSITIVE_INFINITY,
  }))
  return records
    .filter(({ id }) => id > since)
    .filter((record) =>
      bounds.every(({ field, min, max }) => {
        if (min === Number.NEGATIVE_INFINITY && max === Number.POSITIVE_INFINITY) return true
        const at = Date.parse(String(record[field]))
        return at >= min && at <= max
      }),
    )
    .sort((one, other) => one.id - other.id)
}

function withFields(records: ApiRecord[], query: Query): ApiRecord[] {
  if (query.fields === undefined) return records
  const names = String(query.fields).split(',')
  return records.map(
    (record) =>
      Object.fromEntries(
        names.flatMap((name) => (name in record ? [[name, record[name]]] : [])),
      ) as ApiRecord,
  )
}

function integer(query: Query, name: string, usual: number, least: number, most = 2 ** 53): number {
  const text = query[name]
  if (text === undefined) return usual
  const number = /^\d{1,15}$/.test(String(text)) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const range = most === 2 ** 53 ? `${least} or more` : `${least} to ${most}`
  throw new ApiError(400, `The parameter ${name} must be a whole number, ${range}.`)
}

function moment(query: Query, name: string): number | undefined {
  if (query[name] === undefined) return undefined
  const at = Date.parse(String(query[name]))
  if (!Number.isNaN(at)) return at
  throw new ApiError(400, `The parameter ${name} must be a time, such as 2026-03-02T10:00:00+01:00.`)
}
