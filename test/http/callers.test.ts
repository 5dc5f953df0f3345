import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import type { CallerRules, ProviderOptions } from '../../src/index.ts'
import { listening } from '../listening.ts'
import { onThisMachine, production } from '../production-store.ts'
import { serveOrigin } from '../serve-origin.ts'
import { checkout } from './messages.ts'
import { postJson } from './post.ts'

const rates = { name: 'table', quote: () => [] }

async function callerOf(callers: CallerRules, options: Partial<ProviderOptions> = {}) {
  const made = await listening({ rates, ...options, http: { ...options.http, callers } })
  const endpoint = onThisMachine(made)
  return async (headers: Record<string, string> = {}, at = endpoint) => {
    const answer = await postJson(`${at}/shipment_methods`, checkout, headers)
    const { request_id: _, ...body } = (await answer.json()) as { request_id?: string }
    return { status: answer.status, body }
  }
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

test('who may not come in is answered as if there were no such endpoint', async () => {
  const call = await callerOf({ basic: { user: 'shop', password: 'pass:word' }, shopId: true })
  const { url } = await listening({ rates })
  const unknown = await call({}, `${url}/e/${'x'.repeat(43)}`)
  expect(unknown.status).toBe(404)
  const right = basic('shop:pass:word')
  const seven = { 'x-shop-id': '7' }
  const wrong = [
    basic('shop:pass').authorization,
    basic('shop').authorization,
    'Basic %%%',
    'Bearer shop:pass:word',
  ]
  const withSeven = wrong.map((authorization) => ({ ...seven, authorization }))
  for (const headers of [{}, seven, right, ...withSeven]) expect(await call(headers)).toEqual(unknown)
  expect((await call({ ...seven, ...right })).status).toBe(201)
})

test('calls come from the named addresses, behind the named proxies only', async () => {
  expect((await (await callerOf({ from: ['127.0.0.0/8'] }))()).status).toBe(201)
  for (const [from, http, statuses] of [
    // Only a trusted proxy is believed.
    ['192.0.2.0/24', {}, { '': 404, '192.0.2.7': 404 }],
    ['192.0.2.0/24', { trustProxy: 1 }, { '192.0.2.7': 201, '192.0.2.7, 203.0.113.9': 404 }],
    [
      '192.0.2.7',
      { trustProxy: ['127.0.0.1', '203.0.113.0/24'] },
      { '198.51.100.1, 192.0.2.7, 203.0.113.9': 201, '192.0.2.7, 198.51.100.1': 404 },
    ],
  ] as const) {
    const call = await callerOf({ from: [from] }, { ...production, http: http as never })
    for (const [proxies, status] of Object.entries(statuses))
      expect([proxies, (await call(proxies ? { 'x-forwarded-for': proxies } : {})).status]).toEqual([
        proxies,
        status,
      ])
  }
})

test('a bearer token is signed, for us, and has not expired', async () => {
  const secret = 'a shared secret of 32 characters!'
  const key = new TextEncoder().encode(secret)
  const call = await callerOf({ bearer: { secret, issuer: 'platform', audience: 'purveyor' } })
  const token = (change: (jwt: SignJWT) => SignJWT = (jwt) => jwt, by: Uint8Array = key) =>
    change(
      new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer('platform')
        .setAudience('purveyor')
        .setExpirationTime('1m'),
    ).sign(by)
  const status = async (text: string) => (await call({ authorization: `Bearer ${text}` })).status
  expect(await status(await token())).toBe(201)
  const wrong = [
    token((jwt) => jwt.setIssuer('other')),
    token((jwt) => jwt.setAudience('other')),
    token((jwt) => jwt.setExpirationTime('-2m')),
    token((jwt) => jwt, new TextEncoder().encode('another secret of 32 characters!')),
    new SignJWT({ iss: 'platform', aud: 'purveyor' }).setProtectedHeader({ alg: 'HS256' }).sign(key),
  ]
  for (const one of wrong) expect(await status(await one)).toBe(404)
  const [head, body] = ['{"alg":"none"}', '{"iss":"platform"}'].map((one) =>
    Buffer.from(one).toString('base64url'),
  )
  expect(await status(`${head}.${body}.`)).toBe(404)
  expect((await call()).status).toBe(404)
})

test('bearer tokens are checked with the keys at an address; without the keys nobody is refused for good', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  let there = true
  const jwks = await serveOrigin(async (_req, res) => {
    res.statusCode = there ? 200 : 500
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] }))
  })
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setExpirationTime('1m')
    .sign(privateKey)
  const call = await callerOf({ bearer: { jwks } })
  expect((await call({ authorization: `Bearer ${token}` })).status).toBe(201)
  there = false
  const later = await callerOf({ bearer: { jwks } })
  const away = { status: 503, body: { code: 'KEYS_UNAVAILABLE' } }
  expect(await later({ authorization: `Bearer ${token}` })).toMatchObject(away)
})

test.each<[CallerRules, RegExp]>([
  [{ from: [] }, /callers.from/],
  [{ from: ['here'] }, /here is not an address/],
  [{ from: ['192.0.2'] }, /192\.0\.2 is not an address/],
  [{ from: ['192.0.2/24'] }, /192\.0\.2\/24 is not an address/],
  [{ from: ['192.0.2.0/99'] }, /192.0.2.0\/99/],
  [{ basic: { user: 'a', password: 'b' }, bearer: { secret: 'x'.repeat(32) } }, /same header/],
  [{ bearer: { secret: 'short' } }, /32 characters/],
  [{ bearer: { jwks: 'nowhere' } }, /needs an address/],
])('rules that cannot be kept are refused when the provider is made: %j', async (callers, message) => {
  await expect(callerOf(callers)).rejects.toThrow(message)
})

test('a shop that calls too often is answered 429 with when to come again, and the one beside it is not', async () => {
  const { provider, endpoint } = await listening({ rates, http: { limits: { perSecond: 0.001, burst: 3 } } })
  const other = await provider.shops.add('other')
  const call = (at: string) => postJson(`${at}/shipment_methods`, checkout)
  const statuses = []
  for (let number = 0; number < 5; number++) statuses.push((await call(endpoint)).status)
  expect(statuses).toEqual([201, 201, 201, 429, 429])
  const refused = await call(endpoint)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect((await call(other.endpoint)).status).toBe(201)
})

test('guesses of a password count against the limits of the shop', async () => {
  const limits = { perSecond: 0.001, burst: 2 }
  const call = await callerOf({ basic: { user: 'shop', password: 'right' } }, { http: { limits } })
  const statuses = []
  for (const password of ['a', 'b', 'right']) statuses.push((await call(basic(`shop:${password}`))).status)
  expect(statuses).toEqual([404, 404, 429])
})

test('so many calls of a shop are under way at a time', async () => {
  let asked = 0
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const quote = async () => {
    asked++
    await opened
    return []
  }
  const call = await callerOf({}, { rates: { name: 'slow', quote }, http: { limits: { concurrent: 2 } } })
  const first = [call(), call()]
  await expect.poll(() => asked).toBe(2)
  expect((await call()).status).toBe(429)
  open()
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([201, 201])
  expect((await call()).status).toBe(201)
})
