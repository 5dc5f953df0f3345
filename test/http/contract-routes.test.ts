import express from 'express'
import { pino } from 'pino'
import supertest from 'supertest'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProvider, memoryStore, type PaymentReport, type Provider, price } from '../../src/index.ts'
import { movableClock } from '../../src/testing/index.ts'
import { atEnd } from '../at-end.ts'
import { listening } from '../listening.ts'
import { onThisMachine, production } from '../production-store.ts'
import { serveOrigin } from '../serve-origin.ts'
import { checkout, estimate, payment } from './messages.ts'

const silent = pino({ level: 'silent' })
const fee = price({ excl: '5.00', taxRate: '0.21', currency: 'eur' })

function build(publicUrl?: string): Provider {
  return createProvider({
    logger: silent,
    store: memoryStore(),
    publicUrl,
    development: true,
    rates: [
      {
        name: 'domestic',
        quote: ({ shipping_address }: { shipping_address: { country?: string } }) =>
          shipping_address.country === 'nl' ? [{ id: 'door', title: 'At your door', ...fee }] : [],
        estimate: () => [{ id: 'door', title: 'At your door', ...fee }],
      },
      {
        name: 'broken',
        quote: () => {
          throw new Error('carrier is down')
        },
      },
      {
        name: 'nonsense',
        quote: () => [{ id: 'free', title: 'Free', price_incl: Number.NaN, price_excl: 0, tax_rate: 0 }],
      },
    ],
    payments: {
      name: 'demo',
      methods: () => [{ id: 'card', title: 'Card', icon: 'pin' }],
      start: () => ({ redirect: 'http://127.0.0.1:9/psp', reference: 'tr_1' }),
    },
  })
}

describe.each(['in its own server', 'mounted in an Express app'])('%s', (kind) => {
  let base: string
  let provider: Provider
  beforeAll(async () => {
    if (kind === 'in its own server') {
      provider = build()
      base = (await provider.listen({ port: 0 })).endpoint
    } else {
      const app = express()
      provider = build(`${await serveOrigin(app, atEnd)}/checkout`)
      app.use('/checkout', provider.router)
      app.use(express.json())
      base = (await provider.start()).endpoint
    }
    return () => provider.stop()
  })
  const post = (path: string, body: object) => supertest(base).post(path).send(body)
  const get = (path: string) => supertest(base).get(path)

  test('answers shipping methods with 201 and leaves out what failed or makes no sense', async () => {
    const { status, body, headers } = await post('/shipment_methods', checkout)
    const kinds = { is_pickup: false, is_servicepoint: false, is_cash_on_delivery: false }
    const prices = { price_incl: 6.05, price_excl: 5, tax_rate: 0.21 }
    const door = { id: 'door', title: 'At your door', description: '', ...prices, ...kinds }
    expect([status, body]).toEqual([201, { shipment_methods: [door] }])
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(headers['x-request-id']).toBeTruthy()
    for (const name of ['etag', 'x-powered-by']) expect(headers).not.toHaveProperty(name)
  })

  test('answers the cart with the adapters that estimate', async () => {
    const answer = await post('/shipment_methods', estimate)
    expect(answer.status).toBe(201)
    expect(answer.body.shipment_methods).toHaveLength(1)
  })

  test('answers payment methods, starts a payment and reads its status', async () => {
    const methods = await post('/payment_methods', checkout)
    expect(methods.status).toBe(201)
    const card = { id: 'demo:card', title: 'Card', icon: 'pin', price_incl: 0, data: {} }
    expect(methods.body.payment_methods[0]).toMatchObject(card)

    const started = await post('/payment', payment())
    expect([started.status, started.body]).toEqual([201, { payment_url: 'http://127.0.0.1:9/psp' }])
    expect((await post('/payment', payment())).body).toEqual(started.body)

    expect((await get('/payment/1001')).body).toEqual({ status: 'pending' })
    await provider.payments.report({ orderId: 1001 }, { status: 'paid', amount: '29.34', currency: 'EUR' })
    const paid = await get('/payment/1001')
    expect([paid.status, paid.body]).toEqual([200, { status: 'paid' }])

    const again = await post('/payment', payment())
    const back = await supertest(again.body.payment_url).get('').redirects(0)
    expect([back.status, back.headers.location]).toEqual([303, payment().redirect_url])
  })

  test('accepts a doubled slash and a missing content type', async () => {
    const body = new TextEncoder().encode(JSON.stringify(checkout))
    const answer = await fetch(`${base}//shipment_methods`, { method: 'POST', body })
    expect(answer.status).toBe(201)
  })

  const over = '9007199254740993'
  test.each([
    ['no JSON', '/payment_methods', '{"a":', 400, 'BODY_UNREADABLE'],
    ['an empty body', '/payment_methods', '', 400, 'BODY_UNREADABLE'],
    ['a list', '/payment_methods', '[]', 422, 'BODY_INVALID'],
    ['a wrong type', '/payment', JSON.stringify({ ...payment(), order: 'x' }), 422, 'BODY_INVALID'],
    ['1 MB', '/payment', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 413, 'BODY_TOO_LARGE'],
    ['depth 10,000', '/payment', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 422, 'BODY_INVALID'],
    ['an id over 2^53', '/payment', JSON.stringify(payment()).replace('1001', over), 422, 'BODY_INVALID'],
    ['a negative amount', '/payment', JSON.stringify(payment({ price_incl: -5 })), 422, 'BODY_INVALID'],
  ])('answers %s with a problem', async (_what, path, body, status, code) => {
    const answer = await supertest(base).post(path).set('Content-Type', 'application/json').send(body)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(answer.body).toMatchObject({ status, code })
    expect(answer.body.request_id).toBe(answer.headers['x-request-id'])
    expect((await post('/payment_methods', checkout)).status).toBe(201)
  })

  test('refuses other media types and encodings', async () => {
    const form = await supertest(base).post('/payment').type('form').send('a=b')
    expect([form.status, form.body.code]).toEqual([415, 'MEDIA_TYPE_UNSUPPORTED'])
    const zipped = await supertest(base).post('/payment').set('Content-Encoding', 'gzip').send('{}')
    expect(zipped.status).toBe(415)
  })

  test('an unknown token, order or address is one and the same 404', async () => {
    const unknown = base.replace(/[^/]+$/, 'x'.repeat(43))
    const answers = [
      await supertest(unknown).post('/payment').send({}),
      await supertest(unknown).get('/payment/1001'),
    ]
    const orders = ['999999', '%zz', '%00', '1'.repeat(129), '1/2'].map((id) => `/payment/${id}`)
    for (const path of [...orders, '/nothing', '/constructor']) answers.push(await get(path))
    const shapes = answers.map(({ status, headers, body }) => [
      status,
      headers['content-length'],
      Object.keys(headers),
      { ...body, request_id: '' },
    ])
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
    expect(answers[0]?.status).toBe(404)
  })

  test('a wrong method is 405 with Allow, and HEAD reaches no adapter', async () => {
    const got = await get('/payment')
    expect([got.status, got.headers.allow]).toEqual([405, 'POST'])
    const head = await supertest(base).head('/payment/1001')
    expect([head.status, head.headers.allow]).toEqual([405, 'GET'])
  })

  test('says whether it lives and is ready', async () => {
    const root = supertest(base.slice(0, base.indexOf('/e/')))
    expect((await root.get('/health/live')).body).toEqual({ status: 'ok' })
    const ready = await root.get('/health/ready')
    expect([ready.status, ready.body.status]).toEqual([200, 'ok'])
    expect((await root.get('/nowhere')).body.code).toBe('NOT_FOUND')
  })
})

const rates = { name: 'a', quote: () => [] }

test('routes exist for exactly what the adapters serve', async () => {
  const { endpoint } = await listening({ rates })
  const post = (path: string, body: object) => supertest(endpoint).post(path).send(body)
  expect((await post('/shipment_methods', checkout)).body).toEqual({ shipment_methods: [] })
  expect((await post('/payment_methods', checkout)).status).toBe(404)
  expect((await post('/payment', payment())).status).toBe(404)
})

test('a body that was parsed before is taken', async () => {
  const provider = createProvider({ logger: silent, store: memoryStore(), development: true, rates })
  const app = express().use(express.json()).use(provider.router)
  const { endpoint } = await provider.start()
  const answer = await supertest(app)
    .post(`${new URL(endpoint).pathname}/shipment_methods`)
    .send(checkout)
  expect(answer.status).toBe(201)
  await provider.stop()
})

test('in production another shop id gets the uniform 404', async () => {
  const endpoint = onThisMachine(await listening({ ...production, rates }))
  const ask = (id: string) =>
    supertest(endpoint).post('/shipment_methods').set('X-Shop-Id', id).send(checkout)
  expect((await ask('7')).status).toBe(201)
  expect((await ask('8')).status).toBe(404)
})

test('what a payment service says is asked for on read, and a failure falls back to what is stored', async () => {
  const said: (PaymentReport | Error)[] = [new Error('down'), { status: 'pending' }, { status: 'cancelled' }]
  const clock = movableClock()
  const { endpoint } = await listening({
    clock,
    payments: {
      name: 'psp',
      methods: () => [],
      start: () => ({ redirect: 'https://psp.example/1' }),
      async status() {
        const next = said.shift()
        if (next instanceof Error) throw next
        return next!
      },
    },
  })
  await supertest(endpoint).post('/payment').send(payment())
  const statuses: unknown[] = []
  for (let read = 0; read < 4; read++) {
    statuses.push((await supertest(endpoint).get('/payment/1001')).body.status)
    // It is asked once in two seconds.
    clock.advance(2_000)
  }
  expect(statuses).toEqual(['pending', 'pending', 'cancelled', 'cancelled'])
})

test('a start that fails is 502, one that hangs is 504, and the repeat continues the same attempt', async () => {
  const keys: string[] = []
  let answer: () => Promise<{ redirect: string }> = () => Promise.reject(new Error('refused'))
  const { endpoint } = await listening({
    payments: {
      adapters: {
        name: 'psp',
        methods: () => [],
        idempotency: { ttl: 60_000 },
        start(attempt) {
          keys.push(attempt.idempotencyKey)
          return answer()
        },
      },
      deadlines: { start: 50 },
    },
  })
  const start = () => supertest(endpoint).post('/payment').send(payment())
  expect((await start()).body.code).toBe('PAYMENT_START_FAILED')
  let finish = (_: { redirect: string }) => {}
  answer = () => new Promise((resolve) => (finish = resolve))
  const late = await start()
  expect([late.status, late.body.code]).toEqual([504, 'PAYMENT_START_TIMEOUT'])
  finish({ redirect: 'https://psp.example/late' })
  expect((await start()).body).toEqual({ payment_url: 'https://psp.example/late' })
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBe(2)
  expect((await supertest(endpoint).get('/payment/1001')).body).toEqual({ status: 'pending' })
})
