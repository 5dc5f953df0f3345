import { describe, expect, test } from 'vitest'
import { type Given, hang, method, shopWith } from './provider.ts'

const methods = (...list: unknown[]) => ({ body: { shipment_methods: list } })

describe('shipment methods', () => {
  test.each<[string, Given, string[], string[]]>([
    ['as the contract says', methods(method), ['m'], []],
    ['status 200', { ...methods(method), status: 200 }, ['m'], ['(status) is 200, the contract says 201']],
    [
      'keyed by number',
      { body: { shipment_methods: { 1: method, 2: { ...method, id: 'n' } } } },
      ['m', 'n'],
      ['shipment_methods is not a list'],
    ],
    [
      'labelled text/html',
      { ...methods(method), type: 'text/html' },
      ['m'],
      ['(content-type) is text/html, the contract says application/json'],
    ],
    ['an empty body', { body: '' }, [], ['$ is empty']],
    ['HTML', { body: '<h1>Welcome</h1>', type: 'text/html' }, [], ['$ is HTML, not JSON']],
    ['text', { body: 'ok' }, [], ['$ is not JSON']],
    ['a list', { body: [] }, [], ['shipment_methods is missing, the answer is a list']],
    [
      'the answer of another platform',
      { body: { rates: [{ service_name: 'Door', total_price: '605' }] } },
      [],
      ['shipment_methods is missing, there is rates instead'],
    ],
    ['null', { body: 'null' }, [], ['$ is not an object']],
    ['without id and price_excl', methods({ title: 'M', price_incl: '5.00' }), ['method-1'], []],
    [
      'a negative price',
      methods({ ...method, price_incl: -1 }, method),
      ['m'],
      ['shipment_methods[0].price_incl Too small: expected number to be >=0'],
    ],
    [
      'without a title',
      methods({ ...method, title: undefined }),
      [],
      ['shipment_methods[0].title Invalid input: expected string, received undefined'],
    ],
    [
      'a redirect',
      { status: 302, location: 'https://elsewhere.example' },
      [],
      [
        '(status) is a redirect, which is not followed',
        '(status) is 302, the contract says 201',
        '$ is empty',
      ],
    ],
    ['an error', { ...methods(method), status: 500 }, [], ['(status) is 500, the contract says 201']],
    [
      '2 MB',
      { body: `{"a":"${'x'.repeat(2_000_000)}"}` },
      [],
      ['(call) the answer is larger than 1 MB', '$ is empty'],
    ],
    ['nothing in time', hang, [], ['(call) no answer within 60 s']],
  ])('%s', async (_what, given, ids, faults) => {
    const { sandbox, last } = await shopWith(() => given)
    expect((await sandbox.checkout().shipmentMethods()).map(({ id }) => id)).toEqual(ids)
    expect(last().faults.map(({ path, message }) => `${path} ${message}`)).toEqual(faults)
    // One sentence says what is wrong and where.
    const sentence = faults.length > 0 ? /[:,] (?!$)[^.]+(\.\d+[^.]*)*\./ : /\.$/
    expect(last().meaning).toMatch(ids.length > 0 ? /may choose from/ : /sees no shipment methods/)
    expect(last().meaning).toMatch(sentence)
  })
})

test.each<[string, Given, string]>([
  [
    'another platform',
    { status: 200, body: { carrier_quotes: [] } },
    'shipment_methods is missing, there is carrier_quotes instead',
  ],
  ['an error page', { status: 500, body: 'PHP Fatal error' }, 'status is 500, the contract says 201'],
  [
    'a redirect',
    { status: 302, location: 'https://elsewhere.example' },
    'status is a redirect, which is not followed',
  ],
  ['HTML', { body: '<p>Hi</p>', type: 'text/html' }, 'the answer is HTML, not JSON'],
])('the sentence for %s names what counts', async (_what, given, reason) => {
  const { sandbox, last } = await shopWith(() => given)
  await sandbox.checkout().shipmentMethods()
  expect(last().meaning).toBe(`The customer sees no shipment methods of this provider: ${reason}.`)
})

test('a refused connection is named as such', async () => {
  const { sandbox, last } = await shopWith(() => undefined, { endpoint: 'http://127.0.0.1:9/e/x' })
  expect(await sandbox.estimate({ country: 'nl', zipcode: '1' })).toEqual([])
  expect(last().faults[0]?.message).toMatch(/^no connection \(/)
})

describe('the start of a payment', () => {
  test.each<[string, Given, string | null | undefined, RegExp]>([
    [
      'an address',
      { body: { payment_url: 'https://psp.example/pay' } },
      'https://psp.example/pay',
      /sent to payment_url/,
    ],
    ['no address', { body: {} }, null, /thank-you page/],
    ['an address of null', { body: { payment_url: null } }, null, /thank-you page/],
    ['an address that is none', { body: { payment_url: 'javascript:alert(1)' } }, null, /thank-you page/],
    ['an error', { status: 502, body: {} }, undefined, /not started/],
    ['nothing', hang, undefined, /not started/],
  ])('%s', async (_what, given, url, meaning) => {
    const { sandbox, last } = await shopWith(({ path }) => (path === '/payment' ? given : undefined))
    const order = await sandbox.checkout().placeOrder()
    expect([order.paymentUrl, order.status]).toEqual([url, 'not_paid'])
    expect(last().meaning).toMatch(meaning)
  })
})

describe('the status of a payment', () => {
  test.each<[string, Given, string]>([
    ['paid', { status: 200, body: { status: 'paid' } }, 'paid'],
    ['expired with 201', { status: 201, body: { status: 'expired' } }, 'expired'],
    ['unpaid, as old providers say', { status: 200, body: { status: 'unpaid' } }, 'not_paid'],
    ['a word nobody knows', { status: 200, body: { status: 'PAID' } }, 'not_paid'],
    ['HTML', { status: 200, body: '<p>paid</p>' }, 'not_paid'],
    ['paid with an error status', { status: 500, body: { status: 'paid' } }, 'not_paid'],
    ['nothing', hang, 'not_paid'],
  ])('%s', async (_what, given, status) => {
    const { sandbox } = await shopWith(({ path }) => (path.startsWith('/payment/') ? given : undefined))
    const { id } = await sandbox.checkout().placeOrder()
    expect((await sandbox.returnToShop(id)).status).toBe(status)
  })

  test('nothing leaves paid', async () => {
    let status = 'paid'
    const { sandbox } = await shopWith(({ method: verb }) =>
      verb === 'GET' ? { status: 200, body: { status } } : undefined,
    )
    const { id } = await sandbox.checkout().placeOrder()
    await sandbox.returnToShop(id)
    status = 'expired'
    expect((await sandbox.returnToShop(id)).status).toBe('paid')
  })
})
