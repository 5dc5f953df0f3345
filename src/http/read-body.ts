import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { cleanBody, Problem } from '../contract/index.ts'

const maxBody = 256 * 1024

/** Reads a JSON body of at most 256 KiB and removes dangerous keys. Rejects with a `Problem`. */
export async function readJson(req: IncomingMessage, warn: (message: string) => void): Promise<unknown> {
  const { body: parsed } = req as { body?: unknown }
  if (parsed !== undefined) {
    warn('a body parser runs before provider.router: mount the router first, so that its own limits apply')
    cleanBody(parsed)
    return parsed
  }
  if (req.readableEnded) throw new Problem('BODY_ALREADY_READ')
  if (!isJson(req.headers['content-type'], req.headers['content-encoding']))
    throw new Problem('MEDIA_TYPE_UNSUPPORTED')
  const text = await readText(req)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Problem('BODY_UNREADABLE')
  }
  cleanBody(body)
  return body
}

/** A missing content type counts as JSON. */
function isJson(type: string | undefined, encoding: string | undefined): boolean {
  if (encoding !== undefined && encoding !== 'identity') return false
  if (type === undefined || type === '' || type === 'application/json') return true
  const [mediaType = '', ...parameters] = type.toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))
  return (
    /^\s*(application|text)\/([\w.-]+\+)?json\s*$/.test(mediaType) &&
    (!charset || /=\s*"?utf-?8"?\s*$/.test(charset))
  )
}

async function readText(req: IncomingMessage): Promise<string> {
  const bytes = await readBytes(req)
  // A tolerant decoder could turn two different ids into one.
  if (!isUtf8(bytes)) throw new Problem('BODY_UNREADABLE')
  return bytes.toString('utf8')
}

/** The raw body, at most 256 KiB. */
export function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length']) > maxBody) return reject(new Problem('BODY_TOO_LARGE'))
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBody) {
        req.removeAllListeners('data')
        req.resume()
        reject(new Problem('BODY_TOO_LARGE'))
      } else chunks.push(chunk)
    })
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    req.on('error', () => reject(new Problem('BODY_UNREADABLE')))
  })
}
