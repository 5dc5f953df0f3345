import { type ClientRequest, request } from 'node:http'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import type { HttpOptions } from '../../src/index.ts'
import { flatRate } from '../../src/rates/index.ts'
import { listening } from '../listening.ts'
import { checkout } from './messages.ts'

const rates = flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0.21' })
const payments = { name: 'psp', methods: () => [], start: () => ({ later: true as const }) }

async function served(http: HttpOptions = {}) {
  const { provider, endpoint } = await listening({ rates, payments, http })
  const post = (path: string, body: object | string, at = endpoint) =>
    supertest(at).post(path).set('Content-Type', 'application/json').send(body)
  return { provider, post }
}

function withLines(count: number, more: object) {
  const [product] = checkout.quote.products
  const products = Array.from({ length: count }, (_, at) => ({ ...product, ...more, sku: `S${at}` }))
  return { ...checkout, quote: { ...checkout.quote, products } }
}

const paths = ['/shipment_methods', '/payment_methods']
test.each(paths)('%s takes 14 lines with descriptions of 10,000 letters', async (path) => {
  const { post } = await served()
  const body = withLines(14, { description: 'ж'.repeat(10_000) })
  expect(Buffer.byteLength(JSON.stringify(body))).toBeGreaterThan(256 * 1024)
  expect((await post(path, body)).status).toBe(201)
})

test('2,000 lines of 500 bytes and 30 fields are taken, and one more line is refused by name', async () => {
  const { post } = await served()
  const unknown = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${at}`, at]))
  const lines = (count: number) => {
    const body = withLines(count, { ...filled, ...unknown })
    const [line] = body.quote.products
    expect(Object.keys(line!)).toHaveLength(30)
    const missing = 500 - JSON.stringify(line).length
    for (const one of body.quote.products) Object.assign(one, { title: 'x'.repeat(missing) })
    return body
  }
  expect((await post('/shipment_methods', lines(2_000))).status).toBe(201)
  const { status, body } = await post('/shipment_methods', lines(2_001))
  const errors = [{ path: 'quote.products', message: 'must be a list of at most 2000' }]
  expect([status, body.errors]).toEqual([422, errors])
})

/** A line with every field of the contract, without a title. */
const filled = {
  ...{ product_id: 1, variant_id: 2, title: '', fulltitle: 'Mug', variant: 'Blue', description: 'A mug' },
  ...{ price_incl: 36.3, price_excl: 30, tax_rate: 0.21, quantity: 1, article_code: 'A', ean: '87123456' },
  ...{ size_x: 10, size_y: 10, size_z: 15, weight: 1, volume: 1, colli: 1, stock_available: true },
}

test('a body may have as many bytes as http.maxBody says, and one more is 413 with its name', async () => {
  const { post } = await served({ maxBody: 70_000 })
  const text = JSON.stringify(checkout)
  expect((await post('/shipment_methods', text.padEnd(70_000))).status).toBe(201)
  const { status, body } = await post('/shipment_methods', text.padEnd(70_001))
  expect(status).toBe(413)
  expect(body).toMatchObject({ code: 'BODY_TOO_LARGE', detail: expect.stringContaining('http.maxBody') })
})

test.each([
  ['announced', { 'Content-Length': 1024 * 1024 }, 0],
  ['sent without a length', {}, 900 * 1024],
])(
  'bodies of one shop that are %s beyond its limits are not kept, and other shops are answered',
  async (_how, headers, sent) => {
    const { provider, post } = await served()
    const large = await provider.shops.add('large')
    const beside = await provider.shops.add('beside')
    const open: ClientRequest[] = []
    /** Resolves with the status of a call whose body never ends. */
    const begun = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const req = request(`${large.endpoint}/shipment_methods`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
        })
        open.push(req)
        req.on('error', reject).on('response', ({ statusCode }) => resolve(statusCode))
        req.flushHeaders()
        if (sent > 0) req.write(' '.repeat(sent))
      })
    // A burst is 1,000 calls, and each of these bodies counts as over 200.
    const answers = Array.from({ length: 8 }, begun)
    for (const answer of answers) answer.catch(() => {})
    expect(await Promise.race(answers)).toBe(429)
    expect((await post('/shipment_methods', checkout, beside.endpoint)).status).toBe(201)
    for (const req of open) req.destroy()
  },
)
