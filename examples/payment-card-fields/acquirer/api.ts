import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { fieldsPage, fieldsScript } from './fields.ts'
import { Declined, type Intents } from './intents.ts'

type Body = Record<string, unknown>
interface Call {
  account: string
  body: Body
  res: ServerResponse
}

const accountOf = (key: string | null | undefined, kind: 'pk' | 'sk'): string => {
  const [, account] = /^[ps]k_test_(\w+)$/.exec(key ?? '') ?? []
  if (account === undefined || !key?.startsWith(kind))
    throw new Declined(401, {
      type: 'authentication_error',
      code: 'api_key_invalid',
      message: 'Invalid API key',
    })
  return account
}

/** The acquirer's server: its API for secret keys, and the page with the fields, which alone sees a card's number. */
export function acquirerApi(intents: Intents): RequestListener {
  /** By account and idempotency key: a repeated call gets the first answer. */
  const answers = new Map<string, { status: number; body: unknown }>()

  async function answer(path: string, { account, body, res }: Call): Promise<unknown> {
    const [, id = '', action] = /^\/v1\/payment_intents\/(\w+)(?:\/(\w+))?$/.exec(path) ?? []
    if (path === '/v1/payment_intents')
      return intents.create(account, body as { amount: number; currency: string })
    if (path === '/v1/refunds')
      return intents.refund(account, String(body.payment_intent), Number(body.amount))
    if (action === 'confirm') {
      const lost = intents.confirm(account, id, String(body.payment_method), String(body.return_url))
      if (lost) res.destroy()
    }
    if (action === 'cancel') return intents.cancel(account, id, 'requested_by_customer')
    return intents.of(account, id)
  }

  async function api(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    if (intents.isAway) return void res.writeHead(503).end()
    const account = accountOf(req.headers.authorization?.replace('Bearer ', ''), 'sk')
    const body = req.method === 'POST' ? ((await json(req)) as Body) : {}
    const key = req.headers['idempotency-key']
    const known = answers.get(`${account} ${key}`)
    const made =
      known ??
      (await answer(path, { account, body, res }).then(
        (value) => ({ status: 200, body: structuredClone(value) }),
        (error: unknown) => failed(error),
      ))
    if (key !== undefined) answers.set(`${account} ${key}`, made)
    send(res, made)
  }

  return async (req, res) => {
    const { pathname, searchParams } = new URL(req.url!, 'http://acquirer')
    try {
      if (pathname === '/v1/fields.js')
        return void res.setHeader('content-type', 'text/javascript').end(fieldsScript)
      if (pathname === '/v1/fields') {
        accountOf(searchParams.get('key'), 'pk')
        return void res.setHeader('content-type', 'text/html; charset=utf-8').end(fieldsPage(searchParams))
      }
      if (pathname === '/v1/payment_methods') {
        const account = accountOf(searchParams.get('key'), 'pk')
        const { number } = JSON.parse(await text(req)) as { number: string }
        return send(res, { status: 200, body: { id: intents.keepCard(account, number) } })
      }
      await api(req, res, pathname)
    } catch (error) {
      send(res, failed(error))
    }
  }
}

const failed = (error: unknown) =>
  error instanceof Declined
    ? { status: error.status, body: { error: structuredClone(error.error) } }
    : { status: 500, body: { error: { type: 'api_error', code: 'api_error', message: 'Try again' } } }

const send = (res: ServerResponse, { status, body }: { status: number; body: unknown }) =>
  res.destroyed
    ? res
    : res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
