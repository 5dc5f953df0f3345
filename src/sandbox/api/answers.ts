import type { Request, Response } from 'express'
import { countryOf, languageOf } from './languages.ts'
import type { ApiRecord } from './records.ts'
import type { Field, ResourceRow } from './resources/row.ts'

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

/** An answer of the API before it is written. */
export interface Answer {
  status: number
  body?: Record<string, unknown> | Record<string, unknown>[]
}

export const fine = (body: NonNullable<Answer['body']>): Answer => ({ status: 200, body })
export const created = (body: NonNullable<Answer['body']>): Answer => ({ status: 201, body })

export const notFound = (): ApiError => new ApiError(404, 'There is no record with this id.')

/** Throws a 405 with what the address supports, such as `GET, POST`. */
export function notAllowed(allow: string): never {
  throw new ApiError(405, `This address does not support this method. It supports ${allow}.`, { allow })
}

/** The id of a record; `NaN`, which no record has, for anything else. */
export const idOf = (given: unknown): number =>
  /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN

type Xml = typeof import('./xml.ts')

export const xmlTypes = ['application/xml', 'text/xml']
const wantsXml = ({ path }: Request) => /\.xml$/i.test(path)

/** Loads what reads and writes XML for the first call that uses it. */
export async function withXml(req: Request, res: Response, next: () => void): Promise<void> {
  if (wantsXml(req) || req.is(xmlTypes)) res.locals.xml = await import('./xml.ts')
  next()
}

/** Reads a body that is XML. Throws a 400. */
export function readXmlBody(req: Request, res: Response, next: () => void): void {
  if (typeof req.body === 'string') {
    try {
      req.body = (res.locals.xml as Xml).readXml(req.body)
    } catch {
      throw new ApiError(
        400,
        'The body is not XML, or has a document type or more than 50,000 elements, which are not read.',
      )
    }
  }
  next()
}

/** Writes an answer in the format that the address names (spec 2.1), and keeps it for the log. */
export function send(req: Request, res: Response, { status, body }: Answer): void {
  res.status(status)
  if (body === undefined) return void res.end()
  res.locals.answer = body
  if (!wantsXml(req)) return void res.json(body)
  const [, name = 'answer'] = /(\w+)\.\w+$/.exec(req.path) ?? []
  res.type('application/xml').send((res.locals.xml as Xml).xmlOf(body, name))
}

/** Answers with the error body of the platform. */
export function answerError(req: Request, res: Response, { status, message, headers }: ApiError): void {
  const { method, originalUrl: request } = req
  send(req, res.set(headers), { status, body: { error: { code: status, method, request, message } } })
}

/** The parts of a caller's address that links repeat: `https://host/api` and `nl`. */
export interface Asked {
  base: string
  language: string
}

/**
 * A record as the API shows it: in the order of its row, relations with links, countries and languages as objects. Fields whose names open
 * with `_` are the sandbox's own, and are left out.
 */
export function shown(row: ResourceRow, record: ApiRecord, asked: Asked): ApiRecord {
  const { id, createdAt, updatedAt, ...kept } = record
  const answer: Record<string, unknown> = row.undated ? {} : { createdAt, updatedAt }
  for (const [name, field] of Object.entries(row.fields)) {
    if (field.kind !== 'upload') answer[name] = shownField(field, kept[name] ?? field.empty, id, asked)
    delete kept[name]
  }
  for (const name of Object.keys(kept)) if (name.startsWith('_')) delete kept[name]
  return { ...(row.single && row.undated ? ({} as { id: number }) : { id }), ...answer, ...kept } as ApiRecord
}

function shownField(field: Field, value: unknown, id: number, asked: Asked): unknown {
  if (field.kind === 'one') return typeof value === 'number' ? relation(field.of, value, asked) : false
  if (field.kind === 'many') return collection(field.of.replace('{id}', String(id)), asked)
  if (field.kind === 'country') return countryOf(value) ?? false
  if (field.kind === 'language') return languageOf(value) ?? false
  if (field.kind === 'link')
    return String(value).startsWith('/') ? new URL(String(value), asked.base).href : value
  return value
}

const relation = (resource: string, id: number, { base, language }: Asked) => ({
  resource: { id, url: `${resource}/${id}`, link: `${base}/${language}/${resource}/${id}.json` },
})

const collection = (url: string, { base, language }: Asked) => {
  const [path, query] = url.split('?')
  const link = `${base}/${language}/${path}.json${query === undefined ? '' : `?${query}`}`
  return { resource: { id: false, url, link } }
}
