import { describe, expect, test } from 'vitest'
import { at, type Given, hang, method, saying, shopWith } from '../provider.ts'

const redirect = { status: 302, location: 'https://elsewhere.example' }
const methods = (...list: unknown[]) => ({ body: { shipment_methods: list } })

describe('shipment methods', () => {
  const noList = 'shipment_methods is missing'
  const isRedirect = '(status) is a redirect, which is not followed'
  const foreign = { rates: [{ service_name: 'Door', total_price: '605' }] }
  const keyed = { body: { shipment_methods: { 1: method, 2: { ...method, id: 'n' } } } }
  const tooLarge = '(call) the answer is larger than 1 MB'
  const discount = { ...method, id: 'discount', price_incl: -1 }
  const isHtml = '(content-type) is text/html, but the contract says application/json'
  test.each<[string, Given, string[], string[]]>([
    ['as the contract says', methods(method), ['m'], []],
    [
      'status 200',
      { ...methods(method), status: 200 },
      ['m'],
      ['(status) is 200, but the contract says 201'],
    ],
    ['keyed by number', keyed, ['m', 'n'], ['shipment_methods is not a list']],
    ['labelled text/html', { ...methods(method), type: 'text/html' }, ['m'], [isHtml]],
    ['an empty body', { body: '' }, [], ['$ is empty']],
    ['HTML', { body: '<h1>Welcome</h1>', type: 'text/html' }, [], ['$ is HTML, not JSON']],
    ['text', { body: 'ok' }, [], ['$ is not JSON']],
    ['a list', { body: [] }, [], [noList]],
    ['another platform', { body: foreign }, [], [noList]],
    ['null', { body: 'null' }, [], ['$ is not an object']],
    ['without id and price_excl', methods({ title: 'M', price_incl: '5.00' }), ['method-1'], []],
    ['a negative price', methods(discount, method), ['discount', 'm'], []],
    ['no title', methods({ ...method, title: undefined }), [], ['shipment_methods[0].title is missing']],
    ['a redirect', redirect, [], [isRedirect, '(status) is 302, but the contract says 201', '$ is empty']],
    ['an error', { ...methods(method), status: 500 }, [], ['(status) is 500, but the contract says 201']],
    ['2 MB', { body: `{"a":"${'x'.repeat(2_000_000)}"}` }, [], [tooLarge, '$ is empty']],
    ['nothing in time', hang, [], ['(call) no answer within 60 s']],
  ])('%s', async (_what, given, ids, faults) => {
    const { sandbox, last } = await shopWith(() => given)
    expect((await sandbox.checkout().shipmentMethods()).map(({ id }) => id)).toEqual(ids)
    expect(last().faults.map(({ path, message }) => `${path} ${message}`)).toEqual(faults)
    expect(last().meaning).toMatch(ids.length > 0 ? /may choose from/ : /sees no shipment methods .*: ./)
  })
})

describe('payment methods of providers in the field', () => {
  const ofPayments = (payment_methods: unknown, type = 'application/json'): Given => ({
    type,
    body: { payment_methods },
  })
  const card = { id: 'card', title: 'Card' }
  const free = [['card', '0']]
  const unusable = { ...card, icon: 'http://icons.example/a.png' }
  const withoutIds = [undefined, null, false, ''].map((id) => ({ id, title: 'A' }))
  const noData = { ...card, price_incl: null, price_excl: '' }
  const cost = (id: string) => [id, '0']
  const keyed = { 1: { id: 7, title: 'Card' }, 2: { id: 8, title: 'Bank' } }
  test.each<[string, Given, unknown[], string[]]>([
    ['without prices are free', ofPayments([card]), free, []],
    ['with prices without data are free', ofPayments([noData]), free, ['[0].price_incl', '[0].price_excl']],
    [
      'without ids have one each',
      ofPayments(withoutIds),
      ['method-1', 'method-2', 'method-3', 'method-4'].map(cost),
      ['[0].id', '[1].id', '[2].id', '[3].id'],
    ],
    [
      'keyed by number, labelled text/html and without prices',
      ofPayments(keyed, 'text/html; charset=UTF-8'),
      ['7', '8'].map(cost),
      ['(content-type)', ''],
    ],
    ['with a price without VAT alone are left out', ofPayments([{ ...card, price_excl: 1 }]), [], []],
    ['with an icon that cannot be used have none', ofPayments([unusable]), free, ['[0].icon']],
  ])('%s', async (_what, given, methods, paths) => {
    const { sandbox, last } = await shopWith(() => given)
    const read = await sandbox.checkout().paymentMethods()
    expect(read.map(({ id, price_incl }) => [id, price_incl])).toEqual(methods)
    expect(read.filter(({ icon }) => icon !== '')).toEqual([])
    expect(last().faults.map(({ path }) => path.replace('payment_methods', ''))).toEqual(paths)
  })
})

describe('the sentence gives the reason that counts, whatever the answer is labelled', () => {
  const type = 'text/html'
  const listed = (payment_methods: unknown, status = 201): Given => ({
    status,
    body: { payment_methods },
    type,
  })
  const a = { id: 'a', title: 'A' }
  const none = 'The customer sees no payment methods of this provider: '
  const one = 'The customer may choose from 1 payment method.'
  test.each<[string, Given, string]>([
    ['an empty list', listed([]), `${none}payment_methods is empty.`],
    ['no data for a list', listed(null), `${none}payment_methods is not a list.`],
    ['no title', listed([{ id: 'a', price_incl: 1 }]), `${none}payment_methods[0] has no title.`],
    ['below 0', listed([{ ...a, price_incl: -1 }]), `${none}payment_methods[0] has a price below 0.`],
    [
      'a word',
      listed([{ ...a, price_incl: 'x' }]),
      `${none}payment_methods[0] has a price that is not a number.`,
    ],
    [
      'one of two is left out',
      listed([a, { id: 'b' }]),
      `${one} 1 left out: payment_methods[1] has no title.`,
    ],
    ['keyed by number with 200', listed({ 1: a }, 200), one],
    ['a redirect', redirect, `${none}status is a redirect, which is not followed.`],
    ['HTML', { body: '<p>Hi</p>', type }, `${none}the answer is HTML, not JSON.`],
    ['an error', listed([], 500), `${none}status is 500, but the contract says 201.`],
  ])('%s', async (_what, given, meaning) => {
    const { sandbox, last } = await shopWith(() => given)
    await sandbox.checkout().paymentMethods()
    expect(last().meaning).toBe(meaning)
  })

  test('of a status that nobody knows', async () => {
    const given: Given = { status: 200, body: { status: 'PAID' }, type }
    const { sandbox, last } = await shopWith(({ path }) => (path.startsWith('/payment/') ? given : undefined))
    await sandbox.returnToShop((await sandbox.checkout().placeOrder()).id)
    const reason = 'status is not one of paid, pending, expired, cancelled'
    expect(last().meaning).toBe(`The order keeps the status it has: ${reason}.`)
  })
})

test('a refused connection is named as such', async () => {
  const { sandbox, last } = await shopWith(() => undefined, { endpoint: 'http://127.0.0.1:9/e/x' })
  expect(await sandbox.estimate({ country: 'nl', zipcode: '1' })).toEqual([])
  expect(last().faults[0]?.message).toMatch(/^no connection \(/)
})

describe('the start of a payment', () => {
  test('brings the data of the method back, with what the customer filled in, and names the shop', async () => {
    const card = { id: 'card', title: 'Card', data: { kind: 'card', bank: 'none' } }
    const { sandbox, asked } = await shopWith(at('/payment_methods', { body: { payment_methods: [card] } }))
    const service = sandbox.services.find(({ type }) => type === 'payment')!
    const order = await sandbox.checkout({ language: 'nl' }).placeOrder({ data: { bank: 'first' } })
    const { body } = asked.at(-1)!
    const data = { kind: 'card', bank: 'first' }
    expect(body.payment_method).toEqual({ id: String(service.id), method: 'card', title: 'Card', data })
    expect(body.shop).toEqual({ id: 4711, language: 'nl', currency: 'eur' })
    expect(order.data).toEqual({ bank: 'first' })
  })

  const url = 'https://psp.example/pay'
  const unpaid = 'The customer goes to the thank-you page, not paid yet: '
  const notHttp = `${unpaid}payment_url is not an http or https address.`
  const type = 'text/html'
  test.each<[string, Given, string | null | undefined, string]>([
    ['an address', { body: { payment_url: url } }, url, 'The customer is sent to payment_url.'],
    ['no address', { status: 200, body: {}, type }, null, `${unpaid}payment_url is missing.`],
    ['an address of null', { body: { payment_url: null } }, null, `${unpaid}payment_url is missing.`],
    ['an address that is none', { body: { payment_url: 'javascript:alert(1)' } }, null, notHttp],
    ['a path', { body: { payment_url: '/pay' } }, null, notHttp],
    ['an empty answer', { status: 201, type }, null, `${unpaid}the answer is empty.`],
    ['an error', { status: 502, body: {} }, undefined, 'not started'],
    ['nothing', hang, undefined, 'not started'],
  ])('%s', async (_what, given, url, meaning) => {
    const { sandbox, last } = await shopWith(at('/payment', given))
    const order = await sandbox.checkout().placeOrder()
    expect([order.paymentUrl, order.status]).toEqual([url, 'not_paid'])
    expect(last().meaning).toContain(meaning)
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
    const { sandbox } = await shopWith(saying(() => status))
    const { id } = await sandbox.checkout().placeOrder()
    await sandbox.returnToShop(id)
    status = 'expired'
    expect((await sandbox.returnToShop(id)).status).toBe('paid')
  })
})
