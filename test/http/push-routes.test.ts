import { createHmac } from 'node:crypto'
import express from 'express'
import { pino } from 'pino'
import supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider, memoryStore, type PaymentAdapter } from '../../src/index.ts'
import { listening } from '../listening.ts'
import { payment } from './messages.ts'

const sign = (body: string) => createHmac('sha256', 'shared secret').update(body).digest('hex')

function withPushes(publicUrl?: string) {
  let pushUrl = ''
  const psp: PaymentAdapter = {
    name: 'psp',
    methods: () => [],
    start(_attempt, ctx) {
      pushUrl = ctx.pushUrl ?? ''
      return { redirect: 'https://psp.example/1', reference: 'tr_1' }
    },
    push: {
      verify: ({ body, headers }) => headers['x-signature'] === sign(body.toString()),
      read: ({ body }) => JSON.parse(body.toString()),
    },
  }
  const provider = createProvider({
    logger: pino({ level: 'silent' }),
    store: memoryStore(),
    development: true,
    publicUrl,
    payments: psp,
  })
  onTestFinished(() => provider.stop())
  return { provider, url: () => pushUrl }
}

/** A payment that was started, and the address of pushes that its adapter was given. */
async function started(adapter: Pick<PaymentAdapter, 'push'>) {
  let pushUrl = ''
  const psp: PaymentAdapter = {
    name: 'psp',
    methods: () => [],
    start(_attempt, ctx) {
      pushUrl = ctx.pushUrl ?? ''
      return { later: true, reference: 'tr_1' }
    },
    ...adapter,
  }
  const { provider, endpoint } = await listening({ payments: psp })
  await supertest(endpoint).post('/payment').send(payment()).expect(201)
  return { provider, endpoint, pushUrl }
}

const body = JSON.stringify({
  reference: 'tr_1',
  report: { status: 'paid', amount: '29.34', currency: 'eur' },
})

test('a payment service that checks the address by GET gets the answer to its challenge, and a stranger gets none', async () => {
  const { pushUrl } = await started({
    push: {
      verify: () => false,
      read: () => [],
      challenge({ query }) {
        const asked = new URLSearchParams(query)
        if (asked.get('mode') === 'long') return 'x'.repeat(5_000)
        return asked.get('token') === 'of the service' ? (asked.get('challenge') ?? undefined) : undefined
      },
    },
  })
  const answer = await fetch(`${pushUrl}?token=of+the+service&challenge=%3Cb%3E42`)
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    ...[200, 'text/plain; charset=utf-8', '<b>42'],
  ])
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect((await fetch(`${pushUrl}?token=guessed&challenge=42`)).status).toBe(401)
  expect((await fetch(`${pushUrl}?token=of+the+service&challenge=42`, { method: 'POST' })).status).toBe(401)
  expect((await fetch(`${pushUrl}?mode=long`)).status).toBe(500)
})

test('a push may come by GET, is read with what is known of its attempt, and gets the answer that its service expects', async () => {
  const { provider, endpoint, pushUrl } = await started({
    push: {
      answer: { body: '[accepted]' },
      verify: async ({ query }, ctx) =>
        (await ctx.attempt({ reference: String(new URLSearchParams(query).get('id')) })) !== undefined,
      async read({ query }, ctx) {
        const reference = String(new URLSearchParams(query).get('id'))
        const { amount, currency } = (await ctx.attempt({ reference }))!
        return { reference, report: { status: 'paid', amount, currency, event: 'tx_1' } }
      },
    },
  })
  const { origin, pathname } = new URL(pushUrl)
  const push = supertest(origin)
  expect((await push.head(`${pathname}?id=tr_1`)).status).toBe(404)
  expect((await push.get(`${pathname}?id=unknown`)).status).toBe(401)
  const answer = await push.get(`${pathname}?id=tr_1`)
  expect([answer.status, answer.text, answer.type]).toEqual([200, '[accepted]', 'text/plain'])
  await expect
    .poll(async () => (await supertest(endpoint).get('/payment/1001')).body)
    .toEqual({ status: 'paid' })
  expect((await provider.payments.get({ orderId: 1001 }))?.ledger.received).toBe('29.34')
})

test('a payment service pushes to the address it was given, and the order is paid', async () => {
  const { provider, url } = withPushes()
  const { endpoint } = await provider.listen({ port: 0 })
  await supertest(endpoint).post('/payment').send(payment())
  const { origin, pathname } = new URL(url())
  expect(pathname).toMatch(/^\/n\/psp\/[\w-]{43}$/)
  const push = (path = pathname, signature = sign(body)) =>
    supertest(origin).post(path).set('x-signature', signature).type('json')
  const answer = await push().send(body)
  expect([answer.status, answer.text]).toEqual([204, ''])
  await expect
    .poll(async () => (await supertest(endpoint).get('/payment/1001')).body)
    .toEqual({ status: 'paid' })
  expect((await push().send(body)).status).toBe(204)

  // One bit of the body, and one of the signature.
  expect((await push().send(body.replace('29.34', '29.35'))).status).toBe(401)
  const forged = await push(pathname, sign(`${body} `)).send(body)
  expect([forged.status, forged.body.code]).toEqual([401, 'PUSH_NOT_VERIFIED'])
  expect((await push().send('x'.repeat(300_000))).status).toBe(413)
  for (const elsewhere of [`/n/psp/${'a'.repeat(43)}`, pathname.replace('psp', 'other'), `${pathname}/x`]) {
    const nothing = await push(elsewhere).send(body)
    expect([nothing.status, nothing.body.code]).toEqual([404, 'NOT_FOUND'])
  }
})

test('behind a body parser a push cannot be verified, and the answer names the mount order', async () => {
  const { provider, url } = withPushes('http://app.localhost')
  const { endpoint } = await provider.start()
  const app = express()
  app.use(express.json())
  app.use(provider.router)
  await supertest(app)
    .post(`${new URL(endpoint).pathname}/payment`)
    .send(payment())
  const answer = await supertest(app)
    .post(new URL(url()).pathname)
    .set('x-signature', sign(body))
    .type('json')
    .send(body)
  expect([answer.status, answer.body.code]).toEqual([500, 'BODY_ALREADY_READ'])
  expect(answer.body.detail).toContain('before express.json()')
})

test.each([
  [{ read: () => [] }, 'needs verify()'],
  [{ confirm: 'status', read: () => [] }, 'and has no status()'],
  [{ verify: () => true }, 'has no read()'],
])('an adapter that would believe anyone is refused at the start: %#', (push, message) => {
  const payments = { name: 'psp', methods: () => [], start: () => ({ later: true as const }), push }
  expect(() => createProvider({ store: memoryStore(), payments: payments as never })).toThrow(message)
})

test('an adapter gets the whole query, also behind a second question mark', async () => {
  const queries: string[] = []
  const { pushUrl } = await started({
    push: { verify: ({ query }) => queries.push(query) > 0, read: () => [] },
  })
  await supertest(`${pushUrl}?url=a?b=c&d`).post('').send('{}').expect(204)
  expect(queries).toEqual(['url=a?b=c&d'])
})
