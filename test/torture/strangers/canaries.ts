import { existsSync, readFileSync } from 'node:fs'
import { trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { needableFields } from '../../../src/adapters/call-adapter.ts'
import { customer as customerSchema } from '../../../src/contract/parties.ts'
import { type PaymentAdapter, price, type RateAdapter } from '../../../src/index.ts'
import { checkout, payment, shopUrls } from '../../http/messages.ts'
import { temporaryFolder } from '../../temporary.ts'
import {
  type Asked,
  getOf,
  metricsToken,
  openTarget,
  pageOf,
  pathOf,
  postOf,
  sign,
  testPayments,
} from './target.ts'

const beginning = /Canary\d+x/
let planted = 0
/** Short enough for a zipcode. */
const canary = (place: string) => `Canary${++planted}x${place.split('.').at(-1)!.replace(/\W/g, '')}`

/** Fields that are kept or named on purpose: who the order is, what it costs and where the shop is. */
const kept =
  /^(order\.(id|number|currency)|shop\.|redirect_url|webhook_url|payment_method\.(id|method)|rate_estimate)/

/** Fields that are amounts, dates or words of a list. */
const noText =
  /price|amount|weight|volume|colli|quantity|rate|percentage|total|cost|flag|stock|shifted|size|country|language|currency|_at|gender|type|sameaddress|birthdate|vat_/

/** Puts a canary into every text of a message, with which of them where. */
function plant(message: object): { body: Record<string, unknown>; planted: Map<string, string> } {
  const all = new Map<string, string>()
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((one, at) => walk(one, `${path}[${at}]`))
    if (typeof value === 'object' && value !== null) {
      const below = (key: string) => (path ? `${path}.${key}` : key)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, below(key))]))
    }
    if (kept.test(path) || noText.test(path.split('.').at(-1)!) || typeof value === 'boolean') return value
    const text = canary(path)
    all.set(path, text)
    return text
  }
  return { body: walk(message, '') as Record<string, unknown>, planted: all }
}

const texts = (fields: string[]) => Object.fromEntries(fields.map((field) => [field, 'x']))
const customer = { ...texts(Object.keys(customerSchema.shape)), sameaddress: true }
const address = {
  ...texts('name company address1 address2 number extension zipcode city region'.split(' ')),
  country: 'nl',
}
const productTexts = texts('fulltitle variant description article_code ean sku'.split(' '))
const addresses = { billing_address: address, shipping_address: address }
const full = {
  ...checkout,
  checkout_id: 5,
  customer,
  ...addresses,
  quote: { ...checkout.quote, id: 'x', products: [{ ...checkout.quote.products[0], ...productTexts }] },
}
const paying = (method: string) => ({
  ...payment({ method }),
  customer: { ...customer, id: 9 },
  ...addresses,
  payment_method: { id: method, method, title: 'x', data: { note: 'x', iban: 'x', password: 'x' } },
  ...shopUrls,
})

/** What an adapter throws while it holds personal data, made of them as text and as they are. */
const thrown: Record<string, (text: string, data: unknown) => unknown> = {
  'throws it': (text) => new Error(`failed for ${text}`),
  'throws it as it is': (_text, data) => data,
  'throws its text': (text) => text,
  'throws it in lines that look like a stack': (text) => new Error(`x\n    at ${text} (/a/${text}:1:1)`),
  'throws it as a cause': (text) => new TypeError('x', { cause: new Error(text) }),
  'throws it as a field': (code, data) =>
    Object.assign(new Error('x'), { code, request: data, config: { data } }),
  'throws it together': (text) => new AggregateError([new Error(text)], text),
  'names an error after it': (name) => Object.assign(new Error('x'), { name }),
  'names its class after it': (name) => Object.assign(new Error('x'), { constructor: { name } }),
}
const throwing = (what: (typeof thrown)[string]) => (data: unknown) => {
  throw what(JSON.stringify(data), data)
}

/** Ways in which it fails. */
const failures: Record<string, (data: unknown) => unknown> = {
  ...Object.fromEntries(Object.entries(thrown).map(([how, what]) => [how, throwing(what)])),
  'rejects with it later': async (data) => {
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error(JSON.stringify(data))
  },
  'answers with it': (data) => data,
  'calls an address made of it': (data) =>
    fetch(`https://${JSON.stringify(data).replace(/\W/g, '')}`, { signal: AbortSignal.abort() }),
}

/** Those of the canaries that are in a text. One look for what they all begin with: thousands of looks take seconds. */
function foundIn(content: string, canaries: ReadonlyMap<string, string>): string[] {
  const byNumber = new Map([...canaries.keys()].map((text) => [beginning.exec(text)![0], text]))
  return [...content.matchAll(new RegExp(beginning, 'g'))].flatMap(({ 0: begins, index }) => {
    const text = byNumber.get(begins)
    return text && content.startsWith(text, index) ? [text] : []
  })
}

const recorded = ({ name, attributes, events, status }: ReadableSpan) => [name, attributes, events, status]

/** Sends messages full of canaries through every way to fail, and looks for them wherever something is kept or sent. */
export async function plantCanaries() {
  using folder = temporaryFolder()
  const file = folder.at('canaries.db')
  const violations: string[] = []
  const everything = new Map<string, string>()
  const logs: string[] = []
  const answers: string[] = []
  const received: string[] = []
  const numbers: string[] = []
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
  let messages = 0

  for (const [failure, fail] of [...Object.entries(failures), ['works', undefined] as const]) {
    const seen: unknown[] = []
    const { psp, page } = testPayments(seen)
    const needs = [
      ...needableFields.customer.map((field) => `customer.${field}`),
      ...needableFields.shipping_address.map((field) => `shipping_address.${field}`),
    ] as never[]
    const failing = (answer: unknown) => (request: unknown) => {
      seen.push(structuredClone(request))
      return fail ? fail(request) : answer
    }
    const method = { id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }
    const rates = {
      name: 'rates',
      needs,
      quote: failing([method]),
      estimate: failing([method]),
    } as RateAdapter<never>
    const cached = { ...rates, name: 'cached', cache: { ttl: 1000, key: () => 'x' } } as RateAdapter<never>
    const payments = {
      ...psp,
      needs,
      methods: failing([{ id: 'card', title: 'Card' }]),
      start: failing({ redirect: 'https://psp.example/1' }),
      push: {
        verify: ({ body, headers }: { body: Buffer; headers: Record<string, string> }) =>
          headers['psp-signature'] === sign(body) || (fail ? fail(body.toString()) : false),
        read: (push: { body: Buffer }) => (fail ? fail(push.body.toString()) : []),
      },
    } as unknown as PaymentAdapter
    const pages = {
      ...page,
      page: { ...page.page, submit: (form: unknown) => (fail ? fail(form) : { status: 'pending' }) },
    } as PaymentAdapter

    const target = await openTarget({ file, rates: [rates, cached], payments: [payments, pages] })
    await target.provider.start()
    const plantOne = (what: string, where: string) => {
      const text = canary(what)
      everything.set(text, where)
      return text
    }
    const callAndKeep = async (asked: Asked) => {
      const answered = await target.call(asked)
      answers.push(`${JSON.stringify(answered.headers)}${answered.body}`)
      return answered
    }
    const shop = `shop-${messages}`
    const endpoint = pathOf((await target.provider.shops.add(shop)).endpoint)
    const post = async (
      path: string,
      message: object,
      change: (body: Record<string, unknown>) => unknown = (body) => body,
    ) => {
      const { body, planted } = plant(message)
      for (const [place, text] of planted) everything.set(text, `${place} of ${path}, adapter ${failure}`)
      messages++
      return callAndKeep(postOf(path, change(body)))
    }
    const reached = [
      await post(`${endpoint}/shipment_methods`, full),
      await post(`${endpoint}/shipment_methods`, { ...full, rate_estimate: true }),
      await post(`${endpoint}/payment_methods`, full),
      await post(`${endpoint}/payment`, paying('psp:card')),
    ].map(({ status }) => status)
    // Data that did not reach an adapter would prove nothing.
    if (reached.some((status) => status !== 201 && status !== 502)) violations.push(`answered ${reached}`)
    await post(`${endpoint}/payment`, paying('nobody'))
    // A malformed, truncated or too large body is not repeated either.
    await post(`${endpoint}/payment`, paying('psp:card'), (body) => ({ ...body, order: body.customer }))
    await post(`${endpoint}/shipment_methods`, full, (body) => ({
      ...body,
      shop: body.customer,
      quote: body.billing_address,
    }))
    await post(`${endpoint}/shipment_methods`, full, (body) => [body])
    await post(`${endpoint}/payment_methods`, full, (body) => ({ ...body, extra: 'x'.repeat(300_000) }))
    await post(`${endpoint}/payment/${canary('path')}`, full)
    const cut = plant(full)
    for (const [place, text] of cut.planted) everything.set(text, `${place}, cut off`)
    await callAndKeep(postOf(`${endpoint}/payment`, JSON.stringify(cut.body).slice(0, -9)))

    const onPage = {
      order: { ...payment().order, id: 77 },
      customer: {},
      payment_method: { id: 'page:page' },
    }
    const pagePath = await pageOf(target, endpoint, { ...paying('page:page'), ...onPage })
    const typed = plantOne('form', `a field of a page, adapter ${failure}`)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const shown = await target.call(postOf(pagePath, `note=${typed}`, form))
    // A page may show again what was typed into it; an error may not.
    if (shown.status >= 500) answers.push(shown.body)
    const { pushAddresses = [] } = await target.provider.shops.show(shop, { reveal: true })
    const pushPath = pathOf(pushAddresses[0]!.url)
    const pushed = plantOne('push', `a push, adapter ${failure}`)
    const noted = { 'psp-signature': 'ff', 'x-note': pushed }
    await callAndKeep(postOf(`${pushPath}?q=${pushed}`, { id: pushed }, noted))

    // What an adapter says of a push that it cannot read is kept nowhere.
    const unread = plantOne('unread', `a push that is genuine, adapter ${failure}`)
    const genuine = JSON.stringify({ id: unread })
    const headers = { 'psp-signature': sign(genuine) }
    const taken = await target.call(postOf(pushPath, genuine, headers))
    if (taken.status !== 204) violations.push(`a genuine push is answered ${taken.status}`)
    for (let look = 0; look < 200; look++) {
      const [push] = await target.store.pushes({ shopId: shop, limit: 1 })
      if (push && push.outcome !== 'waiting') break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }

    // Queries and headers must not be stored.
    const asked = plantOne('query', 'a query or a header')
    const marked = { 'user-agent': asked, authorization: asked, cookie: asked }
    await callAndKeep(getOf(`${endpoint}/payment/1001?email=${asked}`, marked))

    received.push(JSON.stringify(seen))
    await new Promise((resolve) => setTimeout(resolve, 5))
    numbers.push(await target.provider.metrics())
    const stranger = { authorization: `Bearer ${metricsToken}x` }
    for (const headers of [{}, stranger]) {
      const { status } = await target.call(getOf('/metrics', headers))
      if (status !== 404) violations.push(`a stranger gets metrics: ${status}`)
    }
    await target.provider.stop()
    logs.push(...target.log)
  }

  const places: [string, string][] = [
    ['the log', logs.join('')],
    ['an answer', answers.join('\n')],
    ['a number', numbers.join('\n')],
    ['a span', JSON.stringify(exporter.getFinishedSpans().map(recorded))],
    ...[file, `${file}-wal`]
      .filter(existsSync)
      .map((name): [string, string] => ['the store', readFileSync(name).toString('latin1')]),
  ]
  // A missing value proves nothing.
  if (!numbers.every((text) => /purveyor_adapter_duration_seconds_count\{.+call="start"/.test(text)))
    violations.push('there are no numbers')
  if (!exporter.getFinishedSpans().some(({ name }) => name === 'start psp'))
    violations.push('there are no spans')
  for (const [place, content] of places)
    for (const text of foundIn(content, everything)) violations.push(`${place} has ${everything.get(text)}`)
  for (const text of foundIn(received.join(''), everything))
    if (everything.get(text)!.includes('customer.password'))
      violations.push(`an adapter got ${everything.get(text)}`)
  return { canaries: everything.size, messages, violations: [...new Set(violations)] }
}
