import type { Request, Response } from 'express'
import { type Asked, shownField } from './fields.ts'
import type { ApiRecord } from './records.ts'
import type { ResourceRow } from './resources.ts'

/** An error of the platform's API, in its own error body (wire: `{ error: { code, method, request, message } }`). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

export interface Answer {
  status: number
  /** In its envelope: it has one key. */
  body?: Record<string, unknown>
}

/** Writes an answer in the format that the address names (spec 2.1), and keeps it for the log. */
export async function send(req: Request, res: Response, { status, body }: Answer): Promise<void> {
  res.status(status)
  if (body === undefined) return void res.end()
  res.locals.answer = body
  if (!/\.xml$/i.test(req.path)) return void res.json(body)
  const { xmlOf } = await import('./xml.ts')
  res.type('application/xml').send(xmlOf(body))
}

export async function answerError(req: Request, res: Response, { status, message, headers }: ApiError) {
  const { method, originalUrl: request } = req
  await send(req, res.set(headers), { status, body: { error: { code: status, method, request, message } } })
}

/** A record as the API shows it, in the order of its row. Fields whose names open with `_` are the sandbox's own, and are left out. */
export function shown(row: ResourceRow, record: ApiRecord, asked: Asked): ApiRecord {
  const { id, createdAt, updatedAt, ...others } = record
  const answer: Record<string, unknown> = row.undated ? {} : { createdAt, updatedAt }
  const kept: Record<string, unknown> = row.fields.createdAt ? { createdAt, ...others } : others
  for (const [name, field] of Object.entries(row.fields)) {
    if (field.hidden) continue
    const value = kept[name] === undefined && field.kind !== 'many' ? field.empty : kept[name]
    answer[name] = shownField(field, value, id, asked)
    delete kept[name]
  }
  for (const name of Object.keys(kept)) if (name.startsWith('_')) delete kept[name]
  return { ...(id !== undefined && { id }), ...answer, ...kept } as ApiRecord
}
