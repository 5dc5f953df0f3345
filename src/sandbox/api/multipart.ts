import type { Request, Response } from 'express'
import { ApiError } from './answers.ts'

export const multipart = 'multipart/form-data'
/** Stands in each part; a file may have these bytes too, but hardly that often. */
const disposition = 'form-data; name='

/**
 * Reads a multipart body as the JSON would hold it: `product[title]` in its envelope, `title` without one, and a file as a `data:` address
 * with its name as `filename`. Throws a 400.
 */
export async function readMultipartBody(req: Request, _res: Response, next: () => void): Promise<void> {
  if (Buffer.isBuffer(req.body)) req.body = await read(req.body, req.get('content-type') ?? '')
  next()
}

async function read(bytes: Buffer, type: string): Promise<Record<string, unknown>> {
  const parts = await partsOf(bytes, type)
  const body = new Map<string, unknown>()
  const set = (envelope: string | undefined, field: string, value: string) => {
    if (envelope === undefined) return void body.set(field, value)
    const fields = (body.get(envelope) ?? new Map()) as Map<string, string>
    body.set(envelope, fields.set(field, value))
  }
  for (const [name, value] of parts) {
    const [, envelope, field = name] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
    if (typeof value === 'string') {
      set(envelope, field, value)
      continue
    }
    const content = Buffer.from(await value.arrayBuffer()).toString('base64')
    set(envelope, field, `data:${value.type || 'application/octet-stream'};base64,${content}`)
    const isNamed = parts.has(envelope === undefined ? 'filename' : `${envelope}[filename]`)
    if (value.name !== '' && !isNamed) set(envelope, 'filename', value.name)
  }
  return Object.fromEntries(
    [...body].map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value]),
  )
}

/** A record has fewer fields than this. */
const mostParts = 1_000

async function partsOf(bytes: Buffer, type: string): Promise<FormData> {
  let parts = 0
  for (let at = bytes.indexOf(disposition); at !== -1; at = bytes.indexOf(disposition, at + 1))
    if (++parts > mostParts) throw new ApiError(400, `The multipart body has more than ${mostParts} parts.`)
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    throw new ApiError(400, 'The multipart body cannot be read.')
  }
}
