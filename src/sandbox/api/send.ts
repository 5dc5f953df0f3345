import type { Request, Response } from 'express'
import { type Answer, ApiError } from './answers.ts'

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
