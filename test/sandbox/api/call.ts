import { request } from 'node:http'
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
  headers?: Record<string, string>
}

/** A call by a client of its own: credentials inside the address, any body. */
export function call(shop: Sandbox, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { key, secret, baseUrl } = shop.api
  const url = new URL(`${sent.base ?? baseUrl}/${path}`)
  url.username = key
  url.password = secret
  const headers = { ...(sent.type && { 'content-type': sent.type }), ...sent.headers }
  return new Promise((resolve, reject) => {
    const out = request(url, { method, headers }, (res) => {
      let text = ''
      res.on('data', (chunk) => (text += chunk))
      res.on('end', () => {
        const { statusCode: status = 0, headers } = res
        const json = /json/.test(headers['content-type'] ?? '')
        resolve({ status, headers, text, body: json && text ? JSON.parse(text) : undefined })
      })
    })
    out.on('error', reject)
    out.end(sent.text)
  })
}

export const asJson = (body: unknown): Sent => ({ type: 'application/json', text: JSON.stringify(body) })
export const asForm = (text: string): Sent => ({ type: 'application/x-www-form-urlencoded', text })
