import type { Request } from 'express'
import { cleanBody, Problem } from '../../contract/index.ts'
import { ApiError } from './answers.ts'
import { multipart } from './multipart.ts'

/**
 * The fields of a sent record, as JSON in its envelope (`{"product": {...}}`) or as form fields (`product[title]`). Without `one` the body
 * has no envelope. Fields that are `null` are left out: clients send it for each field that they have nothing to say about. Throws a 400
 * that names the envelope, or the fault of the body.
 */
export function fieldsOf(req: Request, one: string | undefined, alsoOne?: string): Record<string, unknown> {
  const fields = contentOf(req, one) ?? (alsoOne && contentOf(req, alsoOne))
  if (isObject(fields)) return withoutNull(fields)
  if (one === undefined) throw new ApiError(400, 'The body is not an object.')
  throw new ApiError(
    400,
    `The body has no "${one}". Send {"${one}": {...}} as JSON, <${one}>...</${one}> as XML, or form fields such as ${one}[title].`,
  )
}

export const withoutNull = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The content of the envelope of a body. Without an envelope, the body, or `{}`. Throws a 400 with the fault of the body. */
export function contentOf(req: Request, one: string | undefined): unknown {
  try {
    cleanBody(req.body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new ApiError(400, `The body ${error.faults[0]?.message ?? 'cannot be read'}.`)
  }
  if (req.body === undefined && req.is('*/*') !== null && req.get('content-length') !== '0')
    throw new ApiError(415, 'The body is neither JSON nor XML nor form fields nor multipart.')
  const body = req.body as Record<string, unknown> | undefined
  if (one === undefined) return body ?? {}
  const inside = body?.[one]
  // The parts of a multipart body often stand without an envelope.
  return req.is(multipart) && typeof inside !== 'object' ? body : inside
}
