import type { Request } from 'express'
import type { z } from 'zod'
import { faultsOf } from '../../contract/index.ts'
import { type Answer, ApiError, created, fine, idOf, notAllowed, notFound } from './answers.ts'
import { fieldsOf } from './body.ts'
import { selectionOf, withFields } from './filters.ts'
import type { ApiRecord } from './records.ts'

type Fields = Record<string, unknown>

/** External services, or charges (spec 4.2). */
export interface OwnRecords {
  /** The envelope of one record. That of a list has an s more. */
  one: string
  all(): ApiRecord[]
  add(fields: Fields): ApiRecord
  change?(id: number, fields: Fields): ApiRecord
  remove(id: number): void
}

/** Answers a call for all records, their `count`, or the one with the id `item`. */
export function ownAnswer(records: OwnRecords, req: Request, item: string | undefined): Answer {
  const { one, all, add, change, remove } = records
  const { method, query } = req
  const select = () => {
    const { since, matches, ...page } = selectionOf({ filters: [], fields: {} }, query)
    return { ...page, found: all().filter((record) => record.id > since && (!matches || matches(record))) }
  }
  if (item === undefined) {
    if (method === 'POST') return created({ [one]: add(fieldsOf(req, one)) })
    if (method !== 'GET') return notAllowed('GET, POST')
    const { found, offset, limit, fields } = select()
    const page = found.slice(offset, offset + limit).map((record) => withFields(record, fields))
    return fine({ [`${one}s`]: page })
  }
  if (item === 'count') return method === 'GET' ? fine({ count: select().found.length }) : notAllowed('GET')
  const record = all().find(({ id }) => id === idOf(item))
  if (!record) throw notFound()
  if (method === 'GET') return fine({ [one]: record })
  if (method === 'PUT' && change) return fine({ [one]: change(record.id, fieldsOf(req, one)) })
  if (method !== 'DELETE') return notAllowed(change ? 'GET, PUT, DELETE' : 'GET, DELETE')
  remove(record.id)
  return { status: 204 }
}

/** The fields of a record by its schema; unknown ones are ignored. Throws a 422 with the place of each fault. */
export function checked<S extends z.ZodObject>(schema: S, fields: Fields): z.output<S> {
  const known = Object.entries(fields).filter(([name]) => Object.hasOwn(schema.shape, name))
  const read = schema.safeParse(Object.fromEntries(known))
  if (read.success) return read.data
  const faults = faultsOf(read.error).map(({ path, message }) => `${path} ${message}`)
  throw new ApiError(422, `${faults.join('; ')}.`)
}
