import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Row = { id: number } & Record<string, unknown>

export interface Asked {
  method: string
  path: string
  type: string | undefined
  authorization: string | undefined
  status: number
}

const singular: Record<string, string> = {
  products: 'product',
  external_services: 'externalService',
  app_subscriptions: 'appSubscription',
}
const plural: Record<string, string> = {
  external_services: 'externalServices',
  app_subscriptions: 'appSubscriptions',
}

/** What the platform does with the next calls instead of answering them as it should. */
export type Habit = (req: IncomingMessage, res: ServerResponse, work: () => void) => boolean

/** A platform's API as the spec and its live kind have it, in memory. */
export async function localPlatform({
  language = 'nl',
  key = 'key',
  secret = 'secret',
  limit = 300,
  insecure = false,
  atEnd = onTestFinished as (close: () => void) => void,
} = {}) {
  const rows: Record<string, Row[]> = { products: [], external_services: [], app_subscriptions: [] }
  const asked: Asked[] = []
  let habit: Habit | undefined
  let next = 0
  let left = limit
  let resetIn = 60

  function answer(res: ServerResponse, status: number, body?: unknown): void {
    res.writeHead(status, {
      'content-type': 'application/json',
      'x-ratelimit-limit': `${limit}/3000/12000`,
      'x-ratelimit-remaining': `${left}/2999/11999`,
      'x-ratelimit-reset': `${resetIn}/3600/86400`,
    })
    res.end(body === undefined ? undefined : JSON.stringify(body))
  }
  const fail = (req: IncomingMessage, res: ServerResponse, code: number, message: string) =>
    answer(res, code, { error: { code, method: req.method, request: req.url, message } })

  function add(name: string, fields: Record<string, unknown>): Row {
    const now = new Date().toISOString().replace('Z', '+00:00')
    const row: Row = { id: ++next, ...fields, createdAt: now, updatedAt: now }
    if (name === 'app_subscriptions') {
      Object.assign(row, {
        status: 'pending',
        approvalUrl: `https://platform.example/approve/${row.id}`,
        cancelUrl: `https://platform.example/cancel?token=t${row.id}`,
      })
    }
    rows[name]!.push(row)
    return row
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://platform')
    const note: Asked = {
      method: req.method!,
      path: `${url.pathname}${url.search}`,
      type: req.headers['content-type'],
      authorization: req.headers.authorization,
      status: 0,
    }
    asked.push(note)
    res.on('close', () => {
      note.status = res.headersSent ? res.statusCode : 0
    })
    const text = await bodyOf(req)
    const work = () => route(req, res, url, text)
    if (habit?.(req, res, work)) return
    work()
  }

  function route(req: IncomingMessage, res: ServerResponse, url: URL, text: string): unknown {
    if (req.headers.authorization !== `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`) {
      return fail(req, res, 401, 'Access denied.')
    }
    if (left <= 0) {
      res.setHeader('retry-after', String(resetIn))
      return fail(req, res, 429, 'Too many requests.')
    }
    left--
    const parts = url.pathname.slice(1).split('/')
    if (/^[a-z]{2}$/.test(parts[0]!) && parts.shift() !== language)
      return fail(req, res, 404, 'Language not found.')
    const [first = '', second] = parts.map((part) => part.replace(/\.json$/, ''))
    const all = rows[first]
    if (!all || !url.pathname.endsWith('.json')) return fail(req, res, 404, 'Resource not found.')
    const one = singular[first]!
    const { searchParams: query } = url
    if (second === 'count') return answer(res, 200, { count: all.length })
    if (second === undefined && req.method === 'GET') {
      const most = Number(query.get('limit') ?? 50)
      if (most > 250) return fail(req, res, 400, 'Limit is at most 250.')
      const since = all.filter(({ id }) => id > Number(query.get('since_id') ?? 0))
      const from = (Number(query.get('page') ?? 1) - 1) * most
      return answer(res, 200, { [plural[first] ?? first]: since.slice(from, from + most) })
    }
    const fields = readFields(req, text, one)
    if (second === undefined) {
      if (!fields?.title && !fields?.name) return fail(req, res, 422, 'Title is missing.')
      if (first === 'external_services' && !insecure && !String(fields.urlEndpoint).startsWith('https:')) {
        return fail(req, res, 422, 'urlEndpoint must use https.')
      }
      return answer(res, 201, { [one]: add(first, fields) })
    }
    const row = all.find(({ id }) => String(id) === second)
    if (!row) return fail(req, res, 404, 'Record not found.')
    if (req.method === 'PUT') Object.assign(row, fields)
    if (req.method === 'DELETE') {
      if (first === 'app_subscriptions' && row.status !== 'pending')
        return fail(req, res, 422, 'Only unapproved.')
      rows[first] = all.filter((other) => other !== row)
      return answer(res, first === 'app_subscriptions' ? 204 : 200)
    }
    answer(res, 200, { [one]: row })
  }

  const server = createServer((req, res) => void handle(req, res)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rows,
    asked,
    add,
    limit(calls: number, seconds: number) {
      left = calls
      resetIn = seconds
    },
    /** The shop owner's end of a charge. Returns the query of the callback that follows. */
    end(id: number | string, status: string, change: Record<string, string> = {}): string {
      const row = rows.app_subscriptions!.find((one) => String(one.id) === String(id))!
      Object.assign(row, { status, approvalUrl: status === 'pending' ? row.approvalUrl : null })
      return signedQuery({
        app_subscription_id: String(id),
        language,
        shop_id: '7',
        timestamp: String(Math.floor(Date.now() / 1000)),
        ...change,
      })
    },
    behave(as: Habit | undefined) {
      habit = as
    },
  }
}

export const appSecret = 'the secret of the app'

/** Signed as live platforms sign: MD5 over the sorted pairs and the secret. */
export function signedQuery(
  fields: Record<string, string>,
  more: Record<string, string> = { cluster_id: 'eu1' },
): string {
  const pairs = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('')
  const signature = createHash('md5').update(`${pairs}${appSecret}`).digest('hex')
  return new URLSearchParams({ ...fields, ...more, signature }).toString()
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += chunk
  return text
}

/** JSON in its envelope, or form fields such as `product[title]`. */
function readFields(req: IncomingMessage, text: string, one: string): Record<string, unknown> | undefined {
  if (req.headers['content-type'] === 'application/json')
    return (JSON.parse(text || '{}') as Record<string, never>)[one]
  const fields: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [, field] = new RegExp(`^${one}\\[(\\w+)\\]$`).exec(name) ?? []
    if (field) fields[field] = value
  }
  return fields
}
