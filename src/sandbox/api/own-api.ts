import type { Request } from 'express'
import type { z } from 'zod'
import { faultsOf } from '../../contract/index.ts'
import type { Answer } from './answers.ts'
import { ApiError } from './api-error.ts'
import { selectionOf, withFields } from './filters.ts'
import type { ApiRecord } from './records.ts'

/** The operations on external services, or on charges (spec 4.2). */
export interface OwnApi {
  collection(req: Request): Answer
  count(req: Request): Answer
  one(req: Request, id: number): Answer
}

const row = { filters: [], fields: {} }

/** The part of a list that a query selects. */
export function pageOf(records: readonly ApiRecord[], query: Request['query']): ApiRecord[] {
  const { offset, limit, fields } = selectionOf(row, query)
  return filtered(records, query)
    .slice(offset, offset + limit)
    .map((record) => withFields(record, fields))
}

export function filtered(records: readonly ApiRecord[], query: Request['query']): ApiRecord[] {
  const { since, matches } = selectionOf(row, query)
  return records.filter((record) => record.id > since && (!matches || matches(record)))
}

/** Unknown fields of a record are ignored. */
export const known = (schema: z.ZodObject, fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(schema.shape, name)))

/** Throws a 422 with the place of each fault. */
export function checked<S extends z.ZodType>(schema: S, fields: unknown): z.output<S> {
  const read = schema.safeParse(fields)
  if (read.success) return read.data
  const faults = faultsOf(read.error).map(({ path, message }) => `${path} ${message}`)
  throw new ApiError(422, `${faults.join('; ')}.`)
}
