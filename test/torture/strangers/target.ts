import { createHmac, timingSafeEqual } from 'node:crypto'
import { IncomingMessage, type OutgoingHttpHeader, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { pino } from 'pino'
import type { WeightUnit } from '../../../src/adapters/units.ts'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import {
  createProvider,
  html,
  type PaymentAdapter,
  type Provider,
  type ProviderOptions,
  price,
} from '../../../src/index.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { production } from '../../production-store.ts'

export interface Answered {
  status: number
  headers: Record<string, OutgoingHttpHeader>
  body: string
}

export interface Asked {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export const json = { 'content-type': 'application/json' }

/** A call with a message, as JSON unless it is text already. */
export const postOf = (path: string, body: unknown, headers: Record<string, string> = json): Asked => ({
  method: 'POST',
  path,
  headers,
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
})

export const getOf = (path: string, headers: Record<string, string> = {}): Asked => ({
  method: 'GET',
  path,
  headers,
})

/** A form as a browser posts it from a page of our own, and from another site. */
const form = { 'content-type': 'application/x-www-form-urlencoded' }
export const ownForm = { ...form, origin: 'https://provider.example', 'sec-fetch-site': 'same-origin' }
export const foreignForm = { ...form, origin: 'https://bank.example', 'sec-fetch-site': 'cross-site' }

export const metricsToken = 'the token of who reads numbers'.replaceAll(' ', '-')
const pushSecret = 'the secret of the payment service'
export const sign = (body: string | Buffer): string =>
  createHmac('sha256', pushSecret).update(body).digest('hex')

/** A payment page that takes any form, a payment service that pushes, and what they were given. */
export function testPayments(seen: unknown[]) {
  const psp: PaymentAdapter<'customer.email'> = {
    name: 'psp',
    mode: 'live',
    needs: ['customer.email'],
    methods: () => [{ id: 'card', title: 'Card', icon: 'pin' }],
    start(request) {
      seen.push(request)
      return { redirect: `https://psp.example/${request.orderId}`, reference: request.id }
    },
    push: {
      verify({ body, headers }) {
        const given = Buffer.from(headers['psp-signature'] ?? '', 'hex')
        const expected = Buffer.from(sign(body), 'hex')
        return given.length === expected.length && timingSafeEqual(given, expected)
      },
      read: ({ body }) => ({ reference: String(JSON.parse(body.toString()).id) }),
    },
  }
  const page = withPage('page', {
    render: () => html`<form method="post"><button name="outcome" value="paid">Pay</button></form>`,
    submit(form, { attempt: { amount, currency } }) {
      seen.push(form)
      if (form.outcome === 'again') return { again: html`<p>Again</p>` }
      if (form.outcome === 'cancelled') return { status: 'cancelled' }
      return { status: 'paid', amount, currency }
    },
  })
  return { psp, page }
}

/** A payment adapter whose payments have a page. */
export const withPage = (
  name: string,
  page: PaymentAdapter['page'],
  more: Partial<PaymentAdapter> = {},
): PaymentAdapter => ({
  ...{ name, mode: 'live', methods: () => [{ id: name, title: name }] },
  start: () => ({ page: true }),
  page,
  ...more,
})

/** A provider as it runs in production, called without a network. What it logs is kept as text. */
export async function openTarget(
  changes: Partial<ProviderOptions> & {
    file?: string
    moreRates?: readonly AnyRateAdapter[]
    weights?: WeightUnit
    level?: 'info' | 'trace'
  } = {},
) {
  const { file = ':memory:', moreRates = [], weights, level = 'info', ...options } = changes
  const seen: unknown[] = []
  const log: string[] = []
  const { psp, page } = testPayments(seen)
  // Production starts with a store that lasts only.
  const store: StorePort = Object.assign(sqliteStore({ file }), { volatile: false })
  const provider: Provider = createProvider({
    ...production,
    store,
    logger: pino({ level }, { write: (line: string) => void log.push(line) }),
    rates: {
      units: { weight: weights },
      adapters: [
        {
          name: 'table',
          needs: ['customer.email', 'shipping_address.zipcode', 'shipping_address.country'],
          quote(request) {
            seen.push(request)
            const { currency } = request.shop
            return [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency }) }]
          },
          estimate: 'quote',
        },
        ...moreRates,
      ],
    },
    payments: [psp, page],
    ...options,
    http: { limits: { perSecond: 1e9, burst: 1e9, concurrent: 1e9 }, metricsToken, stopDelay: 0 },
  })
  await provider.shops.list()
  const stop = () => provider.stop()
  return { provider, store, log, seen, call: caller(provider), [Symbol.asyncDispose]: stop }
}

export type Target = Awaited<ReturnType<typeof openTarget>>

// Development answers this machine only.
const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: '127.0.0.1' })

/** Hands requests to the router as Node would, without a connection. */
function caller({ router }: Provider) {
  return ({ method, path, headers = {}, body }: Asked): Promise<Answered> =>
    new Promise((resolve) => {
      const req = new IncomingMessage(socket)
      req.method = method
      req.url = path
      req.headers = headers
      req.headersDistinct = { host: ['localhost'] }
      if (body !== undefined) req.push(body)
      req.push(null)
      const res = new ServerResponse(req)
      const given: Record<string, OutgoingHttpHeader> = {}
      res.writeHead = ((status: number, flat: string[] = []) => {
        res.statusCode = status
        for (let name = 0; name < flat.length; name += 2) given[flat[name]!.toLowerCase()] = flat[name + 1]!
        return res
      }) as never
      res.end = ((chunk: string | Buffer = '') => {
        resolve({
          status: res.statusCode,
          headers: { ...(res.getHeaders() as Answered['headers']), ...given },
          body: String(chunk),
        })
        res.emit('finish')
        res.emit('close')
        return res
      }) as never
      router(req as never, res as never)
    })
}

/** Starts a payment by this message. Resolves with the path of the page that its customer goes to. */
export async function pageOf(
  { call }: Pick<Target, 'call'>,
  endpoint: string,
  message: object,
): Promise<string> {
  const { body } = await call(postOf(`${endpoint}/payment`, message))
  return new URL((JSON.parse(body) as { payment_url: string }).payment_url).pathname
}

/** The endpoint of a shop as a path. */
export const pathOf = (endpoint: string): string => new URL(endpoint).pathname
