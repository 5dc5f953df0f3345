import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  paymentStartAnswer,
  paymentStatusAnswer,
  paymentStatuses,
  webhookBody,
  writeWebhookBody,
} from '../../src/contract/index.ts'
import { forAll } from '../for-all.ts'
import { readPaymentStart } from './kinds.ts'
import { type Path, paymentStartBody, put } from './messages.ts'

const startWith = (path: Path, value: unknown) => readPaymentStart(put(paymentStartBody(), path, value))
const fault = (path: string) => expect.objectContaining({ faults: [{ path, message: expect.any(String) }] })

describe('an order', () => {
  test.each([
    [7, '7'],
    ['7', '7'],
    ['007', '007'],
    [0, '0'],
    ['A-7', 'A-7'],
    ['x'.repeat(128), 'x'.repeat(128)],
  ])('with id %j has id %j', (id, text) => {
    expect(startWith(['order', 'id'], id).order.id).toBe(text)
  })

  test('7 and 007 are two orders', () => {
    expect(startWith(['order', 'id'], 7).order.id).not.toBe(startWith(['order', 'id'], '007').order.id)
  })

  const noIds = [-7, 7.5, true, {}, [7], 'x'.repeat(129), 'a\u0000b', 'a\nb', '7\u0085', '\ud800']
  test.each(noIds)('with id %j is refused', (id) => {
    expect(() => startWith(['order', 'id'], id)).toThrow(fault('order.id'))
  })

  test.each([
    ['29.34', '29.34'],
    [29.34, '29.34'],
    ['29.3400', '29.34'],
    [0, '0'],
  ])('of %j is an order of %s', (price_incl, decimal) => {
    expect(startWith(['order', 'price_incl'], price_incl).order.price_incl).toBe(decimal)
  })

  test.each([-1, '-0.01', '29,34', 1e15, {}])('of %j is refused', (price_incl) => {
    expect(() => startWith(['order', 'price_incl'], price_incl)).toThrow(fault('order.price_incl'))
  })

  test('may have a number that is a number', () => {
    expect(startWith(['order', 'number'], 70007).order.number).toBe('70007')
  })

  test('has its currency in lower case, and never goes without', () => {
    expect(startWith(['order', 'currency'], 'EUR').order.currency).toBe('eur')
    expect(() => startWith(['order', 'currency'], '€')).toThrow(fault('order.currency'))
  })
})

describe('the chosen method', () => {
  test('keeps both its names when they differ', () => {
    const method = { id: 'card', method: 'external_card', title: 'Card', data: { issuer: 'B-1' } }
    expect(readPaymentStart(paymentStartBody()).payment_method).toEqual(method)
  })

  test('may be named by either alone', () => {
    expect(startWith(['payment_method', 'id'], '').payment_method).toMatchObject({ method: 'external_card' })
    expect(startWith(['payment_method', 'method'], null).payment_method).toMatchObject({ id: 'card' })
    expect(startWith(['payment_method', 'id'], 3).payment_method).toMatchObject({ id: '3' })
  })

  test('is refused when it is named by neither', () => {
    const body = put(paymentStartBody(), ['payment_method', 'id'], '')
    put(body, ['payment_method', 'method'], false)
    expect(() => readPaymentStart(body)).toThrow(fault('payment_method'))
  })

  test.each([[[]], [{}], [null], [''], [false], [undefined]])('with data %j has no data', (data) => {
    expect(startWith(['payment_method', 'data'], data).payment_method.data).toEqual({})
  })

  test('hands on the data that the customer filled in as it came', () => {
    const data = { issuer: '', terms: true, more: [1, '2', { deep: null }] }
    expect(startWith(['payment_method', 'data'], data).payment_method.data).toEqual(data)
  })
})

describe('redirect_url and webhook_url', () => {
  test.each([
    'https://shop.example/return',
    'http://shop.example/return?order=7&key=a%2Fb&empty=#done',
    'https://shop.example?order=7',
    'https://shop.example:8443/a//b/../c',
    'HTTPS://Shop.Example/Return',
    'https://shop.example/hook?to=a@b.example',
    'https://winkel.example/bestelling/é',
    'http://127.0.0.1:3000/return',
    'http://[::1]/return',
  ])('are kept byte for byte: %s', (url) => {
    expect(startWith(['redirect_url'], url).redirect_url).toBe(url)
    expect(startWith(['webhook_url'], url).webhook_url).toBe(url)
  })

  test.each([
    ...['javascript:alert(1)', 'ftp://shop.example/', '//shop.example/return', '/return', 'shop.example'],
    ...['https://', 'https://user@shop.example/', 'https://user:secret@shop.example/'],
    ...['https:\\\\shop.example\\', 'https://shop.example/a b', 'https://shop.example/a\r\nSet-Cookie: a=b'],
    ...[
      'https://shop.example/\u0000',
      'https://shop.example:99999/',
      `https://shop.example/${'a'.repeat(2048)}`,
    ],
    ...[7, { url: 'https://shop.example/' }],
  ])('are refused with the path: %j', (url) => {
    expect(() => startWith(['redirect_url'], url)).toThrow(fault('redirect_url'))
    expect(() => startWith(['webhook_url'], url)).toThrow(fault('webhook_url'))
  })
})

test('shop and addresses, which some platforms leave out, read as empty', () => {
  const { shop, billing_address, shipping_address, ...body } = paymentStartBody()
  expect([shop, billing_address, shipping_address]).not.toContain(undefined)
  expect(readPaymentStart(body)).toMatchObject({ shop: {}, billing_address: {}, shipping_address: {} })
})

describe('the answers', () => {
  test('a payment start may answer with an address, with null or without', () => {
    for (const answer of [{ payment_url: 'https://pay.example/p/1' }, { payment_url: null }, {}])
      expect(paymentStartAnswer.safeParse(answer).success).toBe(true)
    for (const payment_url of ['', 'pay.example', 'javascript:alert(1)', 7])
      expect(paymentStartAnswer.safeParse({ payment_url }).success).toBe(false)
  })

  test('a status is one of the four words of the spec', () => {
    expect(paymentStatuses).toEqual(['paid', 'pending', 'expired', 'cancelled'])
    for (const status of paymentStatuses) expect(paymentStatusAnswer.safeParse({ status }).success).toBe(true)
    for (const status of ['unpaid', 'PAID', '', null, undefined])
      expect(paymentStatusAnswer.safeParse({ status }).success).toBe(false)
  })
})

describe('the body of the webhook call', () => {
  test.each([
    ['7', 7],
    ['0', 0],
    ['9007199254740991', 9007199254740991],
  ])('order %s is written as a number', (orderId, order_id) => {
    expect(writeWebhookBody(orderId)).toEqual({ order_id })
  })

  const odd = [
    '007',
    '-0',
    '-7',
    '+7',
    '7.0',
    '1e3',
    '0x10',
    ' 7',
    '9007199254740993',
    'A-7',
    'Infinity',
    'NaN',
  ]
  test.each(odd)('order %s is written as text', (orderId) => {
    expect(writeWebhookBody(orderId)).toEqual({ order_id: orderId })
  })

  test('carries the order id and no status', () => {
    expect(Object.keys(writeWebhookBody('7'))).toEqual(['order_id'])
  })

  test('is wire-valid and names the same order, whatever its id', () => {
    const ids = fc.oneof(
      fc.maxSafeNat().map(String),
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.string({ unit: fc.constantFrom(...'0123456789.e-'), minLength: 1, maxLength: 18 }),
    )
    forAll(ids, (orderId) => {
      const body = JSON.parse(JSON.stringify(writeWebhookBody(orderId)))
      expect(webhookBody.safeParse(body).success).toBe(true)
      expect(String(body.order_id)).toBe(orderId)
    })
  })
})
