import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { md5Body, type ResourceEvent, verifyResourceCall } from '../../../src/platform/index.ts'
import { clientOf, openShop } from '../../platform/sandbox.ts'
import { serveOrigin } from '../../serve-origin.ts'

/** Receives resource events, and answers as `answer` says. */
async function receiving(secret: () => string) {
  const events: (ResourceEvent & { format: unknown })[] = []
  const received = { events, answer: (): number | undefined => 200 }
  const origin = await serveOrigin(async (req, res) => {
    const call = { headers: req.headers, body: await buffer(req) }
    const event = await verifyResourceCall(call, { verifier: md5Body(secret()) })
    events.push({ ...event, format: req.headers['x-format'] })
    const status = received.answer()
    if (status === undefined) res.destroy()
    else res.writeHead(status).end()
  })
  return Object.assign(received, { address: `${origin}/w/${'t'.repeat(43)}` })
}

async function setUp() {
  const shop = await openShop()
  const { client } = clientOf(shop)
  const receiver = await receiving(() => shop.api.appSecret)
  const { address } = receiver
  const events = () => receiver.events.map(({ group, action }) => `${group}/${action}`)
  return { shop, client, receiver, address, events }
}

test('each change is delivered signed, with its headers and its envelope, in order', async () => {
  const { client, receiver, address, events } = await setUp()
  await client.webhooks.create({ itemGroup: 'products', itemAction: '*', address })
  const products = client.resource('products')
  const { id } = await products.create({ title: 'Mug' })
  await products.update(id, { title: 'Large mug' })
  await products.remove(id)
  const all = ['products/created', 'products/updated', 'products/deleted']
  await vi.waitFor(() => expect(events()).toEqual(all))
  expect(receiver.events[1]).toMatchObject({
    ...{ name: 'product', shopId: '4711', clusterId: 'sandbox', language: 'nl', format: 'json' },
    ...{ record: { id, title: 'Large mug' }, templateData: {}, requestId: expect.any(String) },
  })
})

test('only active ones of this resource and action are called', async () => {
  const { client, address, events } = await setUp()
  const own = { itemGroup: 'products', itemAction: 'created', address }
  await client.webhooks.create(own)
  const stopped = await client.webhooks.create({ ...own, isActive: false })
  await client.webhooks.create({ ...own, itemGroup: 'brands' })
  const products = client.resource('products')
  const { id } = await products.create({ title: 'Mug' })
  await products.update(id, { title: 'Large mug' })
  await client.webhooks.remove(stopped.id)
  await client.resource('brands').create({ title: 'Potter' })
  await vi.waitFor(() => expect(events()).toHaveLength(2))
  expect(events().sort()).toEqual(['brands/created', 'products/created'])
})

test('a refused call is repeated with the same id by the clock of the shop, seen in the log, and given up in the end', async () => {
  const { shop, client, receiver, address } = await setUp()
  await client.webhooks.create({ itemGroup: 'products', itemAction: 'created', address })
  receiver.answer = () => (receiver.events.length === 1 ? 500 : undefined)
  await client.resource('products').create({ title: 'Mug' })
  const tries = () => shop.calls.filter(({ meaning }) => meaning.startsWith('Resource event'))
  for (const [before, wait] of ['1m', '10m', '1h', '6h', '1d'].entries()) {
    await vi.waitFor(() => expect(tries()).toHaveLength(before + 1))
    await shop.advance(wait)
  }
  const said = tries()
  expect(said).toHaveLength(5)
  expect(said[0]!.meaning).toBe(
    'Resource event products/created: it was answered 500. The platform repeats it in 1 min.',
  )
  expect(said[4]!.meaning).toMatch(/try 5: no connection \(.+\)\. The platform gives it up\.$/)
  expect(new Set(receiver.events.map(({ requestId }) => requestId)).size).toBe(1)
  expect(JSON.stringify(said)).not.toContain('t'.repeat(20))
})

test('a webhook of the format xml is delivered as the record has it at its .xml address', async () => {
  const { shop, client } = await setUp()
  const calls: { headers: IncomingHttpHeaders; body: Buffer }[] = []
  const origin = await serveOrigin(async (req, res) => {
    calls.push({ headers: req.headers, body: await buffer(req) })
    res.end()
  })
  const address = `${origin}/`
  await client.webhooks.create({ itemGroup: 'brands', itemAction: '*', format: 'xml', address })
  const { id } = await client.resource('brands').create({ title: 'Kiln & Co' })
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  const { headers, body } = calls[0]!
  expect([headers['content-type'], headers['x-format']]).toEqual(['application/xml', 'xml'])
  expect(String(body)).toMatch(/<brand>\s*<id>\d+<\/id>[\s\S]*<title>Kiln &amp; Co<\/title>/)
  expect(String(body)).toContain(`<id>${id}</id>`)
  expect(await md5Body(shop.api.appSecret)(body, String(headers['x-signature']))).toBe(true)
})

test('an order that is paid, shipped or cancelled says so once, beside each update', async () => {
  const { shop, client, address, events } = await setUp()
  await client.webhooks.create({ itemGroup: 'orders', itemAction: '*', address })
  const { id } = await shop.checkout({ ownPayment: true }).placeOrder()
  const orders = client.resource('orders')
  await orders.update(id, { paymentStatus: 'paid' })
  await orders.update(id, { memo: 'again' })
  await orders.update(id, { shipmentStatus: 'shipped' })
  await vi.waitFor(() => expect(events()).toContain('orders/shipped'))
  const times = (event: string) => events().filter((one) => one === event).length
  expect([times('orders/created'), times('orders/paid'), times('orders/shipped')]).toEqual([1, 1, 1])
  expect(times('orders/updated')).toBeGreaterThanOrEqual(3)
})

test('an order brings the records that it is made of, and the envelope is the only key', async () => {
  const { shop, client } = await setUp()
  // biome-ignore lint/suspicious/noExplicitAny: looked into freely
  const bodies: any[] = []
  const origin = await serveOrigin(async (req, res) => {
    bodies.push(JSON.parse(String(await buffer(req))))
    res.end()
  })
  await client.webhooks.create({ itemGroup: 'orders', itemAction: 'paid', address: `${origin}/` })
  const customer = { email: 'a@b.example' }
  const { id } = await shop.checkout({ ownPayment: true, customer }).placeOrder()
  await client.resource('orders').update(id, { paymentStatus: 'paid' })
  await vi.waitFor(() => expect(bodies).toHaveLength(1))
  expect(Object.keys(bodies[0])).toEqual(['order'])
  const { order } = bodies[0]
  const embedded = (name: string) => order[name].resource.embedded
  expect(order).toMatchObject({ id, paymentStatus: 'paid', templateDataFields: [] })
  expect(embedded('customer')).toMatchObject(customer)
  for (const name of ['invoices', 'shipments'])
    expect(embedded(name), name).toMatchObject([{ order: { resource: { id } } }])
  expect(embedded('products')[0]).toMatchObject({ productTitle: 'Stoneware mug' })
  expect(embedded('events')[0]).toMatchObject({ itemAction: 'created' })
})
