import { createHmac } from 'node:crypto'
import express from 'express'
import { pino } from 'pino'
import supertest from 'supertest'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  createProvider,
  type EventRecord,
  memoryStore,
  type PaymentAdapter,
  type ProviderOptions,
  type ResourceEventContext,
} from '../../src/index.ts'
import { flatRate } from '../../src/rates/index.ts'
import { movableClock } from '../../src/testing/index.ts'
import { listening } from '../listening.ts'
import { openShop } from '../platform/sandbox.ts'
import { payment } from './messages.ts'
import { statusOf } from './post.ts'

const sign = (body: string) => createHmac('sha256', 'shared secret').update(body).digest('hex')
const signed: PaymentAdapter['push'] = {
  verify: ({ body, headers }) => headers['x-signature'] === sign(body.toString()),
  read: ({ body }) => JSON.parse(body.toString()),
}

/** An adapter, and the address of pushes that it was given by its last start. */
function withPushes(push: PaymentAdapter['push']) {
  let pushUrl = ''
  const psp: PaymentAdapter = {
    name: 'psp',
    methods: () => [],
    start(_attempt, ctx) {
      pushUrl = ctx.pushUrl ?? ''
      return { later: true, reference: 'tr_1' }
    },
    push,
  }
  return { psp, url: () => pushUrl }
}

/** A payment that was started, and the address of pushes that its adapter was given. */
async function started(push: PaymentAdapter['push']) {
  const { psp, url } = withPushes(push)
  const { provider, endpoint } = await listening({ payments: psp })
  await supertest(endpoint).post('/payment').send(payment()).expect(201)
  return { provider, endpoint, pushUrl: url() }
}

const body = JSON.stringify({
  reference: 'tr_1',
  report: { status: 'paid', amount: '29.34', currency: 'eur' },
})

test('a payment service that checks the address by GET gets the answer to its challenge, and a stranger gets none', async () => {
  const { pushUrl } = await started({
    verify: () => false,
    read: () => [],
    challenge({ query }) {
      const asked = new URLSearchParams(query)
      if (asked.get('mode') === 'long') return 'x'.repeat(5_000)
      return asked.get('token') === 'of the service' ? (asked.get('challenge') ?? undefined) : undefined
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
    answer: { body: '[accepted]' },
    verify: async ({ query }, ctx) =>
      (await ctx.attempt({ reference: String(new URLSearchParams(query).get('id')) })) !== undefined,
    async read({ query }, ctx) {
      const reference = String(new URLSearchParams(query).get('id'))
      const { amount, currency } = (await ctx.attempt({ reference }))!
      return { reference, report: { status: 'paid', amount, currency, event: 'tx_1' } }
    },
  })
  const { origin, pathname } = new URL(pushUrl)
  const push = supertest(origin)
  expect((await push.head(`${pathname}?id=tr_1`)).status).toBe(404)
  expect((await push.get(`${pathname}?id=unknown`)).status).toBe(401)
  const answer = await push.get(`${pathname}?id=tr_1`)
  expect([answer.status, answer.text, answer.type]).toEqual([200, '[accepted]', 'text/plain'])
  await expect.poll(() => statusOf(endpoint)).toBe('paid')
  expect((await provider.payments.get({ orderId: 1001 }))?.ledger.received).toBe('29.34')
})

test('a payment service pushes to the address it was given, and the order is paid', async () => {
  const { endpoint, pushUrl } = await started(signed)
  const { origin, pathname } = new URL(pushUrl)
  expect(pathname).toMatch(/^\/n\/psp\/[\w-]{43}$/)
  const push = (path = pathname, signature = sign(body)) =>
    supertest(origin).post(path).set('x-signature', signature).type('json')
  const answer = await push().send(body)
  expect([answer.status, answer.text]).toEqual([204, ''])
  await expect.poll(() => statusOf(endpoint)).toBe('paid')
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
  const { psp, url } = withPushes(signed)
  const provider = createProvider({
    ...{ logger: pino({ level: 'silent' }), store: memoryStore(), development: true },
    ...{ publicUrl: 'http://app.localhost', payments: psp },
  })
  onTestFinished(() => provider.stop())
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
  [{ confirm: 'status', read: () => [] }, 'push.confirm of "psp" needs status()'],
  [{ verify: () => true }, 'push.read of "psp" is missing'],
])('an adapter that would believe anyone is refused at the start: %#', (push, message) => {
  const payments = { name: 'psp', methods: () => [], start: () => ({ later: true as const }), push }
  expect(() => createProvider({ store: memoryStore(), payments: payments as never })).toThrow(message)
})

test('an adapter gets the whole query, also behind a second question mark', async () => {
  const queries: string[] = []
  const { pushUrl } = await started({ verify: ({ query }) => queries.push(query) > 0, read: () => [] })
  await supertest(`${pushUrl}?url=a?b=c&d`).post('').send('{}').expect(204)
  expect(queries).toEqual(['url=a?b=c&d'])
})

test('a carrier learns which order chose which of its methods, and what became of it', async () => {
  const handled: string[] = []
  const { provider, endpoint } = await listening({
    rates: flatRate({ id: 'next-day', title: 'Next day', excl: '6.50', taxRate: '0.21' }),
    resourceEvents: {
      async orders({ number }, { action, shippingMethod, event, platform }) {
        const client = await platform()
        handled.push(`${action} ${number}: ${shippingMethod?.id}`)
        if (action === 'paid')
          await client.resource('orders').update(Number(event.record.id), { memo: 'label printed' })
      },
    },
  })
  const sandbox = await openShop({ endpoint, services: ['rates'] })
  const { baseUrl, key, secret } = sandbox.api
  await provider.shops.connect('default', { baseUrl, key, secret, language: 'nl' })
  const { resourceAddress = '' } = await provider.shops.show('default', { reveal: true })
  const { webhooks, resource } = await provider.platform('default')
  await webhooks.create({ itemGroup: 'orders', itemAction: '*', address: resourceAddress })

  const { id, number } = await sandbox.checkout().placeOrder()
  await vi.waitFor(() => expect(handled).toContain(`created ${number}: next-day`))
  await resource('orders').update(id, { paymentStatus: 'paid' })
  await vi.waitFor(() => expect(handled).toContain(`paid ${number}: next-day`))
  await vi.waitFor(async () =>
    expect(await resource('orders').get(id)).toMatchObject({ memo: 'label printed', paymentStatus: 'paid' }),
  )
  expect(handled.filter((line) => line.startsWith('paid'))).toHaveLength(1)
  const taken = sandbox.calls.filter(({ meaning }) => meaning === 'Resource event orders/paid: taken.')
  expect(taken).toHaveLength(1)
})

const minute = 60_000

const handledOf = (record: EventRecord, { action, key, shippingMethod }: ResourceEventContext) => ({
  ...{ record, action, key },
  method: shippingMethod && `${shippingMethod.id} (${shippingMethod.title})`,
})

async function open(options: Partial<ProviderOptions> = {}) {
  const handled: ReturnType<typeof handledOf>[] = []
  const clock = movableClock()
  const { provider } = await listening({
    clock,
    rates: flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0.21' }),
    resourceEvents: { orders: (record, ctx) => void handled.push(handledOf(record, ctx)) },
    ...options,
  })
  const { resourceAddress = '' } = await provider.shops.show('default', { reveal: true })
  const { origin, pathname } = new URL(resourceAddress || 'http://none.example/')
  const send = (record: object, { event = 'orders/created', headers = {}, path = pathname } = {}) =>
    supertest(origin)
      .post(path)
      .set({ 'X-Event': event, 'Content-Type': 'application/json', ...headers })
      .send(JSON.stringify(record))
  return { provider, clock, handled, send, pathname, resourceAddress }
}

const order = {
  order: { id: 12, shipmentId: 'external|4|next-day|a', shipmentTitle: 'Next day' },
  templateDataFields: [],
}

test('an event of an order is answered at once and handled once, with the chosen method', async () => {
  const { send, handled } = await open()
  expect((await send(order)).status).toBe(204)
  await vi.waitFor(() => expect(handled).toHaveLength(1))
  expect(handled[0]).toMatchObject({ record: { id: 12 }, action: 'created', method: 'next-day|a (Next day)' })
  // The platform repeats what it did not see answered.
  expect((await send(order)).status).toBe(204)
  expect((await send(order, { event: 'orders/paid' })).status).toBe(204)
  await vi.waitFor(() => expect(handled).toHaveLength(2))
  expect(handled.map(({ action }) => action)).toEqual(['created', 'paid'])
  expect(new Set(handled.map(({ key }) => key)).size).toBe(2)
})

test('an event whose handler throws is handled again later, and keeps no other event back', async () => {
  const tries: unknown[] = []
  const { send, clock, provider } = await open({
    resourceEvents: {
      orders: ({ id }) => {
        tries.push(id)
        if (id === 12 && tries.length < 3) throw new Error('the label printer is away')
      },
    },
  })
  await send(order)
  await vi.waitFor(() => expect(tries).toEqual([12]))
  await send({ order: { id: 13 } })
  await vi.waitFor(() => expect(tries).toEqual([12, 13]))
  await vi.waitFor(() => {
    clock.advance(5 * minute)
    expect(tries).toEqual([12, 13, 12])
  })
  expect(provider.handles).toEqual(['orders'])
})

test('an event without a handler is answered and forgotten', async () => {
  const { send, handled } = await open()
  expect((await send({ shipment: { id: 1 } }, { event: 'shipments/created' })).status).toBe(204)
  expect((await send(order)).status).toBe(204)
  await vi.waitFor(() => expect(handled).toHaveLength(1))
})

test('a handler of shipments gets them, with the settings of an adapter and the client of the platform', async () => {
  const seen: unknown[] = []
  const { send } = await open({
    resourceEvents: {
      shipments: async (record, ctx) => {
        const refused = await ctx.platform().catch((error: { code: string }) => error.code)
        seen.push(record.id, ctx.event.group, refused, ctx.shop.id)
      },
    },
  })
  await send({ shipment: { id: 3 } }, { event: 'shipments/updated' })
  await vi.waitFor(() => expect(seen).toEqual([3, 'shipments', 'NO_CREDENTIALS', 'default']))
})

test('bad calls are refused: another shop, no event, no record, another address, a large body', async () => {
  const { send, handled, provider, pathname } = await open()
  await provider.shops.bind('default', '7')
  expect((await send(order, { headers: { 'X-Shop-Id': '8' } })).status).toBe(404)
  expect((await send(order, { headers: { 'X-Event': 'nonsense' } })).body).toMatchObject({
    errors: [{ message: expect.stringContaining('X-Event') }],
  })
  expect((await send([1])).status).toBe(422)
  expect((await send(order, { path: `${pathname.slice(0, -1)}x` })).status).toBe(404)
  expect((await send({ order: { id: 1, memo: 'x'.repeat(1_100_000) } })).status).toBe(413)
  expect((await send(order, { headers: { 'X-Shop-Id': '7' } })).status).toBe(204)
  await vi.waitFor(() => expect(handled).toHaveLength(1))
})

test('a provider without handlers has no such address', async () => {
  const { resourceAddress } = await open({ resourceEvents: {} })
  expect(resourceAddress).toBe('')
})
