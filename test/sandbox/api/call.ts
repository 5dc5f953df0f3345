import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Sandbox } from '../../../src/sandbox/index.ts'

/** An answer of the API as it came over the wire. */
export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: looked into freely
  body: any
}

export interface Sent {
  type?: string
  text?: string
  /** In place of the address under `/api`. */
  base?: string
  /** In place of those of the shop. */
  credentials?: string
  headers?: Record<string, string>
}

/** A call by a client of its own: credentials inside the address, any body. */
export async function call(shop: Sandbox, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { key, secret, baseUrl } = shop.api
  const url = new URL(`${sent.base ?? baseUrl}/${path}`)
  const [user = '', password = ''] = (sent.credentials ?? `${key}:${secret}`).split(':')
  Object.assign(url, { username: user, password })
  const headers = { ...(sent.type && { 'content-type': sent.type }), ...sent.headers }
  const out = request(url, { method, headers }).end(sent.text)
  const [res] = (await once(out, 'response')) as [IncomingMessage]
  const { statusCode: status = 0 } = res
  const answer = await text(res)
  const json = /json/.test(res.headers['content-type'] ?? '')
  return { status, headers: res.headers, text: answer, body: json && answer ? JSON.parse(answer) : undefined }
}

export const asJson = (body: unknown): Sent => ({ type: 'application/json', text: JSON.stringify(body) })
export const asForm = (text: string): Sent => ({ type: 'application/x-www-form-urlencoded', text })
