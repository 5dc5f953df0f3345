import { describe, expect, test } from 'vitest'
import { openShop } from '../platform/sandbox.ts'
import { asForm, asJson, call, type Sent } from './api/call.ts'

// Calls against the family of platforms that speak this contract, and not against this sandbox: credentials inside the address,
// envelopes, the language in front of everything, JSON bodies.

const numbered = (count: number) => Array.from({ length: count }, (_, at) => ({ title: `Product ${at + 1}` }))

describe('the API as live platforms have it', () => {
  test('envelopes: a list is in the plural, one in the singular, a count alone', async () => {
    const shop = await openShop()
    for (const [path, key] of Object.entries({
      'en/products.json': 'products',
      'en/products/101.json': 'product',
      'en/products/count.json': 'count',
      'nl/variants.json': 'variants',
      'nl/customers/90210.json': 'customer',
      'nl/shop.json': 'shop',
      'nl/orders.json': 'orders',
      'nl/external_services.json': 'externalServices',
      'app_subscriptions.json': 'appSubscriptions',
    })) {
      const { status, body, headers } = await call(shop, 'GET', path)
      expect([path, status, Object.keys(body)]).toEqual([path, 200, [key]])
      expect(headers['content-type']).toMatch(/^application\/json/)
    }
  })

  test('lists come by page, by limit and by since_id', async () => {
    const shop = await openShop({ resources: { products: numbered(120) } })
    const ids = async (query: string) =>
      (await call(shop, 'GET', `en/products.json${query}`)).body.products.map(({ id }: { id: number }) => id)
    expect(await ids('')).toHaveLength(50)
    expect(await ids('?page=3')).toHaveLength(20)
    expect(await ids('?page=4')).toEqual([])
    expect((await ids('?limit=250')).length).toBe(120)
    expect(await ids('?since_id=118')).toEqual([119, 120])
    expect((await call(shop, 'GET', 'en/products/count.json?since_id=100')).body).toEqual({ count: 20 })
    const few = await call(shop, 'GET', 'en/products.json?limit=1&fields=id,title')
    expect(few.body).toEqual({ products: [{ id: 1, title: 'Product 1' }] })
  })

  test('lists are filtered by when a record was made', async () => {
    const shop = await openShop({ resources: { products: [] } })
    await call(shop, 'POST', 'en/products.json', asJson({ product: { title: 'Early' } }))
    await shop.advance('1d')
    const between = new Date(shop.now() - 3_600_000).toISOString()
    await call(shop, 'POST', 'en/products.json', asJson({ product: { title: 'Late' } }))
    const found = async (query: string) =>
      (await call(shop, 'GET', `en/products.json?${query}`)).body.products
    expect(await found(`created_at_min=${between}`)).toMatchObject([{ title: 'Late' }])
    expect(await found(`updated_at_max=${between}`)).toMatchObject([{ title: 'Early' }])
  })

  test('a record lives its life in JSON and in form fields', async () => {
    const shop = await openShop()
    const made = await call(shop, 'POST', 'nl/products.json', asJson({ product: { title: 'Mug' } }))
    expect([made.status, made.body.product.title]).toEqual([201, 'Mug'])
    const path = `nl/products/${made.body.product.id}.json`
    const changed = await call(shop, 'PUT', path, asForm('product[title]=Cup&product[data01]=a'))
    expect([changed.status, changed.body.product]).toMatchObject([200, { title: 'Cup', data01: 'a' }])
    expect(changed.body.product.updatedAt).toMatch(/\+00:00$/)
    expect((await call(shop, 'DELETE', path)).status).toBe(204)
    expect((await call(shop, 'DELETE', path)).status).toBe(404)
    expect((await call(shop, 'GET', path)).status).toBe(404)
  })

  test('rate limits come in three numbers each, and 429 says for how long', async () => {
    const shop = await openShop()
    const first = await call(shop, 'GET', 'en/shop.json')
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '300/3000/12000',
      'x-ratelimit-remaining': '299/2999/11999',
      'x-ratelimit-reset': '300/3600/86400',
    })
    shop.set({ api: 'limited' })
    for (let number = 2; number <= 10; number++) await call(shop, 'GET', 'en/shop.json')
    const refused = await call(shop, 'GET', 'en/shop.json')
    expect([refused.status, refused.body.error.message]).toEqual([
      429,
      'Too many requests in this time period. Try again later.',
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(200)
    // A client learns from -1 which window it waits for.
    expect(refused.headers['x-ratelimit-remaining']).toBe('-1/2990/11990')
    await shop.advance('6m')
    expect((await call(shop, 'GET', 'en/shop.json')).status).toBe(200)
  })

  const half = { text: '', headers: { 'content-type': 'application/json', 'content-length': '0' } }
  test.each<[string, string, string, Sent, number, RegExp]>([
    ['wrong credentials', 'GET', 'en/shop.json', { credentials: 'key:wrong' }, 401, /^Access denied\.$/],
    ['no credentials', 'GET', 'en/shop.json', { credentials: ':' }, 401, /^Access denied\.$/],
    ['an unknown language', 'GET', 'xx/shop.json', {}, 404, /Unknown or inactive language/],
    ['no language', 'GET', 'products.json', {}, 404, /language is missing/],
    ['an unknown resource', 'GET', 'en/dragons.json', {}, 404, /no such resource/],
    ['an unknown id', 'GET', 'en/products/999.json', {}, 404, /no record with this id/],
    ['an id that is none', 'GET', 'en/products/abc.json', {}, 404, /no record with this id/],
    ['limit 251', 'GET', 'en/products.json?limit=251', {}, 400, /limit must be a whole number, 1 to 250/],
    ['page 0', 'GET', 'en/products.json?page=0', {}, 400, /page must be a whole number/],
    ['a time that is none', 'GET', 'en/products.json?created_at_min=soon', {}, 400, /created_at_min/],
    ['no suffix', 'GET', 'en/products', {}, 404, /ends with \.json or \.xml/],
    ['no envelope', 'POST', 'en/products.json', asJson({ title: 'Mug' }), 400, /no "product"/],
    ['half a body', 'POST', 'en/products.json', half, 400, /no "product"/],
    ['what cannot be written', 'POST', 'en/orders.json', asJson({ order: {} }), 405, /supports GET/],
    ['a list that is deleted', 'DELETE', 'en/products.json', {}, 405, /supports GET, POST/],
    ['a number too large', 'POST', 'en/products.json', asJson({ product: { n: 2 ** 53 } }), 400, /body/],
  ])("%s gets the platform's error body", async (_what, method, path, sent, status, message) => {
    const shop = await openShop()
    const answer = await call(shop, method, path, sent)
    expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['error']])
    const said = { code: status, method, request: `/api/${path}`, message: expect.stringMatching(message) }
    expect(answer.body.error).toEqual(said)
  })
})

describe('external services', () => {
  const service = { type: 'shipment', name: 'Courier', urlEndpoint: 'https://provider.example/e/x' }

  test('are made, listed, changed and removed, with flags as JSON or as text', async () => {
    const shop = await openShop()
    const fields = Object.entries({ ...service, isActive: 'true', rateEstimate: '1' })
    const form = new URLSearchParams(
      Object.fromEntries(fields.map(([name, value]) => [`externalService[${name}]`, value])),
    )
    const made = await call(shop, 'POST', 'external_services.json', asForm(String(form)))
    expect([made.status, made.body.externalService]).toMatchObject([
      201,
      { ...service, isActive: true, rateEstimate: true, createdAt: expect.stringMatching(/\+00:00$/) },
    ])
    const path = `en/external_services/${made.body.externalService.id}.json`
    const again = await call(shop, 'PUT', path, asJson({ externalService: { isActive: 1 } }))
    expect(again.body.externalService.isActive).toBe(true)
    const stopped = await call(shop, 'PUT', path, asJson({ externalService: { isActive: false } }))
    expect(stopped.body.externalService).toMatchObject({ ...service, isActive: false })
    expect((await call(shop, 'GET', path)).body.externalService.isActive).toBe(false)
    expect((await call(shop, 'DELETE', path)).status).toBe(204)
    expect((await call(shop, 'GET', 'external_services/count.json')).body).toEqual({ count: 0 })
  })

  test.each([
    [{ type: 'other' }, /type must be one of shipment, payment/],
    [{ name: '' }, /name/],
    [{ urlEndpoint: 'http://provider.example/e/x' }, /urlEndpoint must use https/],
    [{ urlEndpoint: 'ftp://provider.example/' }, /urlEndpoint must be an https address/],
    [{ urlEndpoint: 'https://user:password@provider.example/' }, /carries credentials/],
    [{ isActive: 'perhaps' }, /isActive/],
  ])('%j is refused with 422 and its place', async (wrong, message) => {
    const shop = await openShop()
    const sent = asJson({ externalService: { ...service, ...wrong } })
    const { status, body } = await call(shop, 'POST', 'external_services.json', sent)
    expect([status, body.error.message]).toEqual([422, expect.stringMatching(message)])
    expect(shop.services).toEqual([])
  })

  test('http is taken for addresses of this machine alone', async () => {
    const shop = await openShop()
    for (const urlEndpoint of ['http://127.0.0.1:3000/e/x', 'http://localhost:3000/', 'http://[::1]:3000/']) {
      const sent = asJson({ externalService: { ...service, urlEndpoint } })
      expect((await call(shop, 'POST', 'external_services.json', sent)).status).toBe(201)
    }
  })
})

describe('charges', () => {
  const charge = { type: 'recurring', title: 'Plus', price: 9.95, callbackUrl: 'https://app.example/charged' }

  test('wait for approval, and are removed with 204 only while they do', async () => {
    const shop = await openShop()
    const create = () => call(shop, 'POST', 'app_subscriptions.json', asJson({ appSubscription: charge }))
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body.appSubscription).toMatchObject({
      ...charge,
      status: 'pending',
      approvalUrl: expect.stringContaining(`${shop.url}/charges/`),
      cancelUrl: expect.stringMatching(/\?token=[\w-]{20,}$/),
    })
    const removed = await call(shop, 'DELETE', `app_subscriptions/${body.appSubscription.id}.json`)
    expect([removed.status, removed.text]).toEqual([204, ''])

    const { id } = (await create()).body.appSubscription
    shop.decide(id, 'approve')
    const active = await call(shop, 'GET', `app_subscriptions/${id}.json`)
    expect(active.body.appSubscription).toMatchObject({ status: 'active', approvalUrl: null })
    const kept = await call(shop, 'DELETE', `app_subscriptions/${id}.json`)
    expect([kept.status, kept.body.error.message]).toEqual([
      422,
      expect.stringContaining('waits for the approval'),
    ])
  })

  test.each([
    [{ type: 'weekly' }, /type must be one of recurring, onetime/],
    [{ title: '' }, /title/],
    [{ price: -1 }, /price/],
    [{ callbackUrl: 'app.example' }, /callbackUrl/],
    [{ appSubscriptionId: 999 }, /appSubscriptionId is not an active recurring charge/],
  ])('%j is refused with 422', async (wrong, message) => {
    const shop = await openShop()
    const sent = asJson({ appSubscription: { ...charge, ...wrong } })
    const { status, body } = await call(shop, 'POST', 'app_subscriptions.json', sent)
    expect([status, body.error.message]).toEqual([422, expect.stringMatching(message)])
    expect(shop.charges).toEqual([])
  })
})

test('no credentials stand in the log', async () => {
  const shop = await openShop()
  await call(shop, 'GET', 'en/shop.json')
  const { secret } = shop.api
  expect(JSON.stringify(shop.calls)).not.toContain(secret)
  expect(JSON.stringify(shop.calls)).not.toContain(Buffer.from(secret).toString('base64').slice(0, 8))
})
