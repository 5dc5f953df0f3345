import supertest from 'supertest'
import { expect, test, vi } from 'vitest'
import { flatRate } from '../../src/adapters/index.ts'
import type { EventRecord, ProviderOptions, ResourceEventContext } from '../../src/index.ts'
import { movableClock } from '../../src/testing/index.ts'
import { listening } from '../listening.ts'

const minute = 60_000

interface Handled {
  record: EventRecord
  action: string
  key: string
  method: string | undefined
}

async function open(options: Partial<ProviderOptions> = {}) {
  const handled: Handled[] = []
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
  return { provider, clock, handled, send, pathname, origin, resourceAddress }
}

const handledOf = (record: EventRecord, { action, key, shippingMethod }: ResourceEventContext): Handled => ({
  record,
  action,
  key,
  method: shippingMethod && `${shippingMethod.id} (${shippingMethod.title})`,
})

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
