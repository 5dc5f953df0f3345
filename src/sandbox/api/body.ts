import type { Request } from 'express'
import { cleanBody, Problem } from '../../contract/index.ts'
import { ApiError } from './api-error.ts'

/**
 * The fields of a sent record, as JSON in its envelope (`{"product": {...}}`) or as form fields (`product[title]`). Without `one` the body
 * has no envelope. Throws a 400 that names the envelope, or the fault of the body.
 */
export function fieldsOf(req: Request, one: string | undefined): Record<string, unknown> {
  try {
    cleanBody(req.body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new ApiError(400, `The body ${error.errors?.[0]?.message ?? 'cannot be read'}.`)
  }
  if (req.body === undefined && req.is('*/*') !== null && req.get('content-length') !== '0') {
    throw new ApiError(415, 'The body is neither JSON nor XML nor form fields.')
  }
  const body = req.body as Record<string, unknown> | undefined
  const fields = one === undefined ? (body ?? {}) : body?.[one]
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
    return fields as Record<string, unknown>
  }
  if (one === undefined) throw new ApiError(400, 'The body is not an object.')
  throw new ApiError(
    400,
    `The body has no "${one}". Send {"${one}": {...}} as application/json, or form fields such as ${one}[title].`,
  )
}
