import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

// A provider without the framework: what a carrier or a payment service writes by hand from the contract alone. Every part of it can be
// replaced, so that it can be given one fault at a time.

// biome-ignore lint/suspicious/noExplicitAny: messages are read as they come
export type Body = any

export interface Answer {
  status: number
  headers?: Record<string, string>
  /** Written as JSON; text as it is. */
  body?: unknown
}

export interface Payment {
  orderId: string
  token: string
  amount: number
  method: string
  redirectUrl: string
  webhookUrl: string
  status: string
  /** Whether a newer start has taken its place. */
  superseded: boolean
}

/** Everything that a provider does. */
export interface Behaviour {
  /** An answer to what cannot be a message; `undefined` for one that can. */
  refuse(path: string, text: string, body: Body): Answer | undefined
  read(text: string): Body
  shipmentMethods(body: Body): Answer | Promise<Answer>
  paymentMethods(body: Body): Answer | Promise<Answer>
  start(body: Body): Answer | Promise<Answer>
  status(orderId: string): Answer | Promise<Answer>
  page(payment: Payment): Answer
  press(payment: Payment, outcome: string): Answer
  webhook(payment: Payment, attempt?: number): void
  /** The last word on every answer. */
  send(answer: Answer, req: IncomingMessage): Answer
  /** Whether this is the endpoint of a shop. */
  knows(path: string): boolean
  notFound(): Answer
  /** An address below the endpoint with its slashes collapsed. */
  route(path: string): string
}

interface State {
  /** By order id, the newest last. */
  payments: Map<string, Payment[]>
  find(orderId: string): Payment | undefined
  origin(): string
}

/** Replaces some of it. */
export type Change = (parts: Behaviour, state: State) => Partial<Behaviour>

const free = { price_incl: 0, price_excl: 0, tax_rate: 0 }
const price = { price_incl: 6.05, price_excl: 5, tax_rate: 0.21 }
const token = 'Zk3sW9qLx7Tn2bVr8HcYdPf4MjGa6EuR'
const page = (content: string): Answer => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  },
  body: `<!doctype html><title>Pay</title>${content}`,
})
const json = (status: number, body: unknown): Answer => ({ status, body })
const problem = (status: number): Answer => json(status, { code: `E${status}` })

function plainParts(state: State): Behaviour {
  const parts: Behaviour = {
    route: (path) => path.replace(/\/{2,}/g, '/'),
    knows: (path) => path.startsWith(`/e/${token}/`),
    notFound: () => problem(404),
    read: (text) => JSON.parse(text),
    refuse(path, text, body) {
      if (text.length > 256 * 1024) return problem(413)
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return problem(400)
      if (path !== 'payment') return typeof body.quote === 'object' ? undefined : problem(422)
      const { order, payment_method: method, redirect_url: url } = body
      if (typeof order !== 'object' || typeof method !== 'object' || !/^https?:\/\//.test(url))
        return problem(422)
      return undefined
    },
    shipmentMethods({ shipping_address: where }) {
      if (where?.country !== 'nl') return json(201, { shipment_methods: [] })
      return json(201, {
        shipment_methods: [
          { id: 'door', title: 'At your door', description: 'Tomorrow', ...price },
          { id: 'point', title: 'At a service point', is_servicepoint: true, is_pickup: false, ...price },
        ],
      })
    },
    paymentMethods: () =>
      json(201, {
        payment_methods: [
          { id: 'card', title: 'Card', icon: 'pin', data: { kind: 'card' }, ...free },
          { id: 'bank', title: 'Bank transfer', icon: 'banktransfer', ...free },
        ],
      }),
    start(body) {
      const orderId = String(body.order.id)
      const amount = Number(body.order.price_incl)
      const { id, method: choice } = body.payment_method
      // `id` may name the service, and then `method` names the choice.
      const method = choice ?? id
      const all = state.payments.get(orderId) ?? []
      const newest = all.at(-1)
      if (all.some(({ status }) => status === 'paid')) return json(201, { payment_url: body.redirect_url })
      const open = newest?.status === 'pending' && newest.amount === amount && newest.method === method
      if (newest && open) return json(201, { payment_url: `${state.origin()}/pay/${newest.token}` })
      if (newest) newest.superseded = true
      const payment: Payment = {
        orderId,
        token: randomBytes(24).toString('base64url'),
        amount,
        method,
        redirectUrl: body.redirect_url,
        webhookUrl: body.webhook_url,
        status: amount === 0 ? 'paid' : 'pending',
        superseded: false,
      }
      state.payments.set(orderId, [...all, payment])
      return json(201, { payment_url: `${state.origin()}/pay/${payment.token}` })
    },
    status(orderId) {
      const all = state.payments.get(orderId)
      if (!all) return problem(404)
      const paid = all.some(({ status }) => status === 'paid')
      return json(200, { status: paid ? 'paid' : all.at(-1)!.status })
    },
    page(payment) {
      const { status, redirectUrl } = payment
      if (status !== 'pending')
        return page(`<p>${status}</p><a href="${escaped(redirectUrl)}">Back to the shop</a>`)
      const buttons = ['paid', 'pending', 'cancelled', 'expired'].map(
        (outcome) => `<button name="outcome" value="${outcome}">${outcome}</button>`,
      )
      return page(`<form method="post">${buttons.join('')}</form>`)
    },
    press(payment, outcome) {
      const ends = ['paid', 'cancelled', 'expired'].includes(outcome)
      // Money for an amount that is not owed any more is looked at by a person.
      if (ends && payment.status === 'pending' && !payment.superseded) {
        payment.status = outcome
        parts.webhook(payment)
      }
      return { status: 303, headers: { location: `/pay/${payment.token}` } }
    },
    webhook(payment, attempt = 0) {
      const body = JSON.stringify({ order_id: Number(payment.orderId) })
      const again = () => parts.webhook(payment, attempt + 1)
      callWebhook(payment.webhookUrl, body, attempt < 3 ? again : undefined)
    },
    send: (answer) => answer,
  }
  return parts
}

/** Calls a webhook. If it is refused, `again` runs a little later. */
export function callWebhook(url: string, body: string, again: (() => void) | undefined): void {
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const refused = () => void (again && setTimeout(again, 200).unref())
  const out = request(url, { method: 'POST', headers }, (res) => {
    res.resume()
    if ((res.statusCode ?? 500) >= 300) refused()
  })
  out.on('error', refused).end(body)
}

/** Serves one that answers by `answer`. Resolves with its origin and how to end it. */
export async function openOrigin(answer: RequestListener) {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Starts one. Resolves with its `urlEndpoint` and how to end it. */
export async function plainProvider(...changes: Change[]) {
  const payments = new Map<string, Payment[]>()
  const state: State = {
    payments,
    find: (orderId) => payments.get(orderId)?.at(-1),
    origin: () => origin,
  }
  const parts = plainParts(state)
  for (const change of changes) Object.assign(parts, change({ ...parts }, state))

  const { origin, close } = await openOrigin(async (req, res) => {
    const answer = await text(req)
      .then((sent) => answerTo(req, sent))
      .catch(() => problem(400))
    const { status, headers = {}, body } = parts.send(answer, req)
    const written = typeof body === 'string' ? body : JSON.stringify(body)
    res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
    res.end(req.method === 'HEAD' ? undefined : written)
  })

  async function answerTo(req: IncomingMessage, sent: string): Promise<Answer> {
    const path = parts.route((req.url ?? '/').split('?')[0]!)
    const [, pageToken] = /^\/pay\/([\w-]+)$/.exec(path) ?? []
    if (pageToken !== undefined) {
      const payment = [...payments.values()].flat().find((one) => one.token === pageToken)
      if (!payment) return parts.notFound()
      return req.method === 'POST'
        ? parts.press(payment, new URLSearchParams(sent).get('outcome') ?? '')
        : parts.page(payment)
    }
    if (!parts.knows(path)) return parts.notFound()
    const route = path.split('/').slice(3).join('/')
    const [, orderId] = /^payment\/([^/]+)$/.exec(route) ?? []
    if (orderId !== undefined) return req.method === 'GET' ? parts.status(orderId) : problem(405)
    const { shipmentMethods, paymentMethods, start } = parts
    const handlers = { shipment_methods: shipmentMethods, payment_methods: paymentMethods, payment: start }
    const handler = Object.hasOwn(handlers, route) ? handlers[route as keyof typeof handlers] : undefined
    if (!handler) return parts.notFound()
    if (req.method !== 'POST') return problem(405)
    const body = parts.read(sent)
    return parts.refuse(route, sent, body) ?? handler(body)
  }

  return { endpoint: `${origin}/e/${token}`, close }
}
