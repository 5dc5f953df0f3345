import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { md5Body, type ResourceCall, verifyResourceCall } from '../../src/platform/index.ts'

const secret = 'b'.repeat(32)
const order = { order: { id: 12, number: 'ORD00012', shipmentId: 'external|4|next-day' } }
const body = JSON.stringify({ ...order, templateDataFields: [] })

const call = (changes: Partial<ResourceCall['headers']> = {}, text = body): ResourceCall => ({
  body: Buffer.from(text),
  headers: {
    'x-event': 'orders/paid',
    'x-shop-id': '7',
    'x-cluster-id': 'eu1',
    'x-language': 'NL',
    'x-request-id': 'a1',
    'x-signature': createHash('md5').update(`${text}${secret}`).digest('hex'),
    ...changes,
  },
})

test('a resource event is read once its signature over the body is right', async () => {
  expect(await verifyResourceCall(call(), { verifier: md5Body(secret) })).toEqual({
    ...{ group: 'orders', action: 'paid', shopId: '7', clusterId: 'eu1', language: 'nl', requestId: 'a1' },
    ...{ name: 'order', record: order.order, templateData: {} },
  })
})

test.each([
  ['before the record', { templateDataFields: { first: 1 }, ...order }],
  ['in the record', { order: { ...order.order, templateDataFields: { first: 1 } } }],
])('templateDataFields may be an object %s, and headers may be missing', async (_where, sent) => {
  const text = JSON.stringify(sent)
  const given = call({ 'x-shop-id': undefined, 'x-language': undefined }, text)
  expect(await verifyResourceCall(given, { verifier: md5Body(secret) })).toMatchObject({
    name: 'order',
    record: order.order,
    templateData: { first: 1 },
    shopId: undefined,
    language: undefined,
  })
})

test.each([
  ['CALLBACK_PARAMETER_MISSING', call({ 'x-signature': undefined })],
  ['CALLBACK_SIGNATURE_WRONG', call({ 'x-signature': 'f'.repeat(32) })],
  ['CALLBACK_SIGNATURE_WRONG', { ...call(), body: `${body} ` }],
  ['CALLBACK_BODY_UNREADABLE', call({ 'x-event': 'orders' })],
  ['CALLBACK_BODY_UNREADABLE', call({ 'x-event': undefined })],
  ['CALLBACK_BODY_UNREADABLE', call({}, '<order/>')],
  ['CALLBACK_BODY_UNREADABLE', call({}, '[]')],
  ['CALLBACK_BODY_UNREADABLE', call({}, '{}')],
  ['CALLBACK_BODY_UNREADABLE', call({}, '{"order":[]}')],
])('%s', async (code, given) => {
  await expect(verifyResourceCall(given, { verifier: md5Body(secret) })).rejects.toMatchObject({ code })
})

test('without a verifier, and without a secret, nothing is accepted', async () => {
  await expect(verifyResourceCall(call(), {} as never)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
  expect(() => md5Body('')).toThrow(expect.objectContaining({ code: 'ARGUMENT_INVALID' }))
})
