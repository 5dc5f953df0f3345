import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { callWebhook, escaped, openOrigin } from './plain-provider.ts'

// Two providers as they are met in the field, without the framework and without the contract's manners. Each plays whole paid orders.

/** The platform's API, for a provider that reports payments there. */
interface OwnApi {
  baseUrl: string
  key: string
  secret: string
}

export interface FieldProvider {
  endpoint: string
  /** Names the API of the shop. Without it a report goes nowhere. */
  useApi(api: OwnApi): void
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: messages are read as they come
type Body = any

interface Payment {
  orderId: string
  choice: string
  amount: string
  redirectUrl: string
  webhookUrl: string
  status: string
}

type Send = (status: number, body: unknown, headers?: Record<string, string>) => void

interface Site {
  /** An address of this provider, outside its endpoint. */
  urlOf(path: string): string
  payments: Map<string, Payment>
  api: OwnApi | undefined
}

type Handler = (site: Site, route: string, body: Body, send: Send, method?: string) => void | Promise<void>

const secret = 'm4Yp8sQx2LkVw7RtJ9cNbZf3HdGa6TuE'

/** Serves one. `label` is the Content-Type of its answers. */
async function serve(label: string, handler: Handler): Promise<FieldProvider> {
  const { origin, close } = await openOrigin((req, res) => void answer(req, res))
  const site: Site = { urlOf: (path) => `${origin}${path}`, payments: new Map(), api: undefined }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const sent = await text(req)
    const send: Send = (status, body, headers = {}) => {
      res.writeHead(status, { 'content-type': label, 'cache-control': 'no-store, no-cache', ...headers })
      res.end(req.method === 'HEAD' ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
    }
    const path = (req.url ?? '/').split('?')[0]!.replace(/\/{2,}/g, '/')
    const [, inside] = new RegExp(`^/e/${secret}/(.+)$`).exec(path) ?? []
    const isCall = inside !== undefined && req.method === 'POST'
    const body = isCall ? objectIn(sent) : {}
    if (!body) return send(400, { error: 'no message' })
    try {
      const route = inside === undefined ? `site ${path.slice(1)}` : `${req.method} ${inside}`
      await handler(site, route, body, send, req.method)
    } catch {
      send(422, { error: 'unreadable message' })
    }
  }

  return {
    endpoint: `${origin}/e/${secret}`,
    useApi(api) {
      site.api = api
    },
    close,
  }
}

function objectIn(text: string): Body | undefined {
  if (text.length > 300_000) return undefined
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** The payment of an order with this amount and choice: the open one, or a new one. */
function paymentFor({ payments }: Site, body: Body, choice: string): string {
  const { order, redirect_url: redirectUrl, webhook_url: webhookUrl } = body
  if (!order?.id || !/^https?:/.test(redirectUrl)) throw new Error('no order')
  const orderId = String(order.id)
  const amount = String(order.price_incl)
  const open = [...payments].find(
    ([, one]) => one.orderId === orderId && (one.status === 'paid' || isSame(one, { amount, choice })),
  )
  if (open) return open[0]
  for (const one of payments.values()) if (one.orderId === orderId) one.status = 'superseded'
  const token = randomBytes(18).toString('base64url')
  payments.set(token, { orderId, choice, amount, redirectUrl, webhookUrl, status: 'pending' })
  return token
}

const isSame = (one: Payment, { amount, choice }: Pick<Payment, 'amount' | 'choice'>) =>
  one.status === 'pending' && one.amount === amount && one.choice === choice

const newestOf = ({ payments }: Site, orderId: string): Payment | undefined =>
  [...payments.values()].filter((one) => one.orderId === orderId).at(-1)

const html = { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' }

/**
 * Answers 200 to everything. Its methods have no ids: it knows the choice of a customer by the data that it gave the method. The page has
 * buttons, and the webhook is repeated.
 */
export const namelessProvider = (): Promise<FieldProvider> =>
  serve('application/json', (site, route, body, send, method) => {
    const prices = { price_incl: 0, price_excl: 0, tax_rate: 0 }
    if (route === 'POST shipment_methods') {
      const isHome = body.shipping_address?.country === 'nl' && Number(body.quote.price_incl) >= 0
      const door = { title: 'At your door', description: '', price_incl: 6.05, price_excl: 5, tax_rate: 0.21 }
      return send(200, { shipment_methods: isHome ? [door] : [] })
    }
    if (route === 'POST payment_methods') {
      if (typeof body.quote !== 'object') throw new Error('no quote')
      const methods = ['Card', 'Bank transfer']
      const payment_methods = methods.map((title) => ({ title, data: { channel: title }, ...prices }))
      return send(200, { payment_methods })
    }
    if (route === 'POST payment') {
      const { data, title } = body.payment_method
      const token = paymentFor(site, body, String(data?.channel ?? title))
      return send(200, { payment_url: site.urlOf(`/pay/${token}`) })
    }
    const [, orderId = ''] = /^GET payment\/(.+)$/.exec(route) ?? []
    const known = newestOf(site, decodeURIComponent(orderId))
    if (known) return send(200, { status: known.status })
    const [, token = '', outcome] = /^site pay\/([\w-]+)(?:\/(\w+))?$/.exec(route) ?? []
    const payment = site.payments.get(token)
    if (!payment) return send(404, { error: 'not found' })
    if (method !== 'POST' && payment.status === 'pending') {
      const forms = ['paid', 'pending', 'cancelled'].map(
        (word) => `<form method="post" action="/pay/${token}/${word}"><button>${word}</button></form>`,
      )
      return send(200, `<!doctype html><h1>${payment.choice}</h1>${forms.join('')}`, html)
    }
    if (payment.status === 'pending' && outcome !== undefined && outcome !== 'pending') {
      payment.status = outcome
      repeatWebhook(payment.webhookUrl)
    }
    return send(200, `<!doctype html><a href="${escaped(payment.redirectUrl)}">Back</a>`, html)
  })

const repeatWebhook = (webhookUrl: string, times = 1): void =>
  callWebhook(webhookUrl, '{}', times < 5 ? () => repeatWebhook(webhookUrl, times + 1) : undefined)

/**
 * Labels JSON as HTML and writes lists as objects keyed by number, as PHP does. Its payment methods have no prices. It calls no webhook: it
 * reports a payment by PUT on the order. Its checkout has links, ends with a redirect, and is gone then.
 */
export const orderWriter = (): Promise<FieldProvider> =>
  serve('text/html; charset=UTF-8', async (site, route, body, send) => {
    if (route === 'POST payment_methods') {
      if (typeof body.quote !== 'object') throw new Error('no quote')
      const [bank, card] = ['bank', 'card'].map((id) => ({ id, title: `Pay by ${id}` }))
      return send(201, { payment_methods: { 1: bank, 2: card } })
    }
    if (route === 'POST payment') {
      const { method, id } = body.payment_method
      return send(201, { payment_url: site.urlOf(`/checkout/${paymentFor(site, body, method ?? id)}`) })
    }
    const [, orderId = ''] = /^GET payment\/(.+)$/.exec(route) ?? []
    const known = newestOf(site, decodeURIComponent(orderId))
    if (known) return send(200, { status: known.status })
    const [, token = '', outcome] = /^site checkout\/([\w-]+)(?:\/(\w+))?$/.exec(route) ?? []
    const payment = site.payments.get(token)
    if (!payment) return send(404, 'Not found')
    if (payment.status !== 'pending') return send(410, '<!doctype html><p>This checkout is over.')
    if (outcome === undefined) {
      const links = ['Paid', 'Pending', 'Cancelled'].map(
        (word) => `<a href="/checkout/${token}/${word.toLowerCase()}">${word}</a>`,
      )
      return send(200, `<!doctype html><h1>${payment.choice}</h1>${links.join(' ')}`, html)
    }
    if (outcome !== 'pending') {
      payment.status = outcome
      await report(site.api, payment)
    }
    return send(302, '', { location: payment.redirectUrl })
  })

/** Reports to the shop through its own API. */
async function report(api: OwnApi | undefined, { orderId, choice, status }: Payment): Promise<void> {
  if (!api) return
  const paid = { paymentStatus: 'paid', status: 'processing_awaiting_shipment', memo: `Paid by ${choice}` }
  const order = status === 'paid' ? paid : { paymentStatus: 'cancelled', status: 'cancelled' }
  const credentials = Buffer.from(`${api.key}:${api.secret}`).toString('base64')
  await fetch(`${api.baseUrl}/en/orders/${orderId}.json`, {
    method: 'PUT',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    body: JSON.stringify({ order }),
  })
}
