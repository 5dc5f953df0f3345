import { expect, test } from 'vitest'
import { neededFields } from '../../../src/adapters/call-adapter.ts'
import { readMessage, shipmentMethodsReader } from '../../../src/contract/index.ts'
import { z } from '../../../src/index.ts'
import { quoteRates } from '../../../src/rates/asking/quote-rates.ts'
import { type OAuthOptions, oauth, type RemoteRatesOptions } from '../../../src/rates/index.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { OpenedSettings } from '../../../src/shops/shop-settings.ts'
import { ratesWith } from '../../helpers/rates.ts'
import { movableWorld, providerIn } from '../../helpers/world.ts'
import { checkout } from '../../http/messages.ts'
import { carrierAdapter } from './carrier.ts'

const failed = (reason: string) => ({ result: 'failed', reason })

const account = z.object({ id: z.string(), secret: z.string() })
type Account = z.infer<typeof account>
const second = 1_000
const hour = 3_600_000

/** A carrier with logins of its own, in virtual time. */
function carrierWith(
  options: Partial<OAuthOptions<Account>> = {},
  says: (token: string) => number | { status: number; code: string } = () => 200,
  more: Pick<RemoteRatesOptions, 'expired'> = {},
  schema: z.ZodType<Account> = account,
) {
  const moved = movableWorld()
  const state = {
    /** The answer of the token endpoint. */
    token: (number: number): Response | Promise<Response> =>
      Response.json({ access_token: `token-${number}`, token_type: 'Bearer', expires_in: 3_600 }),
    says,
  }
  const logins: { headers: Headers; body: string; form: URLSearchParams; at: number }[] = []
  const calls: { shop: string | undefined; token: string }[] = []
  moved.world.outgoing.fetch = async (input, init = {}, caller) => {
    const headers = new Headers(init.headers)
    if (String(input).endsWith('/token')) {
      const body = String(init.body)
      logins.push({ headers, body, form: new URLSearchParams(body), at: moved.world.now() })
      return endedBy(init.signal, state.token(logins.length))
    }
    const token = headers.get('authorization')!.replace('Bearer ', '')
    calls.push({ shop: caller?.shop, token })
    const said = state.says(token)
    const { status, code } = typeof said === 'number' ? { status: said, code: undefined } : said
    return Response.json({ amount: '5', code }, { status })
  }
  const tokenUrl = 'https://carrier.example/token'
  const auth = oauth({ tokenUrl, credentials: (settings: Account) => settings, ...options })
  const carrier = carrierAdapter({ settings: schema, auth: auth as never, ...more })
  const workings = providerIn(moved.world, { rates: [carrier] })
  const request = readMessage(shipmentMethodsReader(neededFields([carrier])), structuredClone(checkout))
  const ask = async (shop = 'one', own: Partial<Account> = { id: shop, secret: `secret of ${shop}` }) => {
    const opened = new OpenedSettings(shop, { adapters: { carrier: own } })
    return (await quoteRates(workings, newShop(shop), { request }, opened)).adapters[0]!
  }
  return { ...moved, state, logins, calls, ask }
}

const endedBy = async (signal: AbortSignal | null | undefined, answer: Response | Promise<Response>) =>
  Promise.race([
    answer,
    new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  ])

test('it logs in with the account of the shop, once for all who wait, and never for another', async () => {
  const { ask, logins, calls } = carrierWith({ scope: 'rates', audience: 'https://carrier.example' })
  const shops = ['one', 'two', 'one', 'two', 'one']
  const answers = await Promise.all(shops.map((shop) => ask(shop)))
  expect(answers.map(({ result }) => result)).toEqual(shops.map(() => 'methods'))
  expect(logins).toHaveLength(2)
  expect(Object.fromEntries(logins[0]!.form)).toEqual({
    grant_type: 'client_credentials',
    scope: 'rates',
    audience: 'https://carrier.example',
  })
  expect(logins[0]!.headers.get('authorization')).toBe(`Basic ${btoa('one:secret+of+one')}`)
  const tokens = new Map(calls.map(({ shop, token }) => [shop, token]))
  expect(new Set(tokens.values()).size).toBe(2)
  for (const { shop, token } of calls) expect(token).toBe(tokens.get(shop))
})

test('credentials go into the form where the service reads them there', async () => {
  const { ask, logins } = carrierWith({ send: 'body' })
  await ask()
  const form = { client_id: 'one', client_secret: 'secret of one' }
  expect(Object.fromEntries(logins[0]!.form)).toMatchObject(form)
  expect(logins[0]!.headers.get('authorization')).toBeNull()
})

test('a token is renewed before it ends, while quotes go on with it', async () => {
  const { ask, logins, calls, move, settle } = carrierWith()
  await ask()
  await move(0.8 * hour)
  await ask()
  expect(logins).toHaveLength(1)
  await move(0.12 * hour)
  await Promise.all([ask(), ask(), ask()])
  await settle()
  expect(logins).toHaveLength(2)
  expect(calls.at(-1)!.token).toBe('token-1')
  await move(0.1 * hour)
  await ask()
  expect(calls.at(-1)!.token).toBe('token-2')
  await move(2 * hour)
  await ask()
  expect(calls.at(-1)!.token).toBe('token-3')
})

test('a renewal that fails costs no quote while the token works, and is tried again after a pause', async () => {
  const { ask, logins, state, move, settle } = carrierWith()
  await ask()
  const working = state.token
  state.token = () => new Response('', { status: 503 })
  await move(0.92 * hour)
  for (let time = 0; time < 5; time++) {
    expect((await ask()).result).toBe('methods')
    await settle()
  }
  expect(logins).toHaveLength(2)
  await move(6 * second)
  state.token = working
  await ask()
  await settle()
  expect(logins).toHaveLength(3)
})

test('a revoked token costs one login, however many calls met it, and no quote', async () => {
  const { ask, logins, calls, state } = carrierWith()
  await ask()
  state.says = (token) => (token === 'token-1' ? 401 : 200)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask()))
  expect(answers.every(({ result }) => result === 'methods')).toBe(true)
  expect(logins).toHaveLength(2)
  expect(calls.at(-1)!.token).toBe('token-2')
})

test('an account that is refused with its new token too has failed, for this shop alone', async () => {
  const { ask, logins, calls } = carrierWith({}, (token) => (token === 'token-1' ? 200 : 401))
  expect((await ask('good')).result).toBe('methods')
  expect(await ask('bad')).toMatchObject({ result: 'failed', reason: 'carrier: the carrier answered 401' })
  expect(logins).toHaveLength(3)
  for (let time = 0; time < 9; time++) await ask('bad')
  expect((await ask('bad')).result).toBe('skipped')
  expect((await ask('good')).result).toBe('methods')
  expect(calls.at(-1)!.token).toBe('token-1')
})

test('a 403 renews a token once: what a new one may not do, a newer one may not either', async () => {
  const { ask, logins } = carrierWith({}, () => 403)
  for (let time = 0; time < 3; time++) expect((await ask()).result).toBe('failed')
  expect(logins).toHaveLength(2)
})

const json =
  (body: object | null, status = 200) =>
  () =>
    Response.json(body, { status })
const plain =
  (status: number, body = '') =>
  () =>
    new Response(body, { status })
const noToken = 'without an access_token: if the token has another name, read it with `read`'
const unknown = { error: 'invalid_client', error_description: 'Jan Jansen' }
const noAccount = "(invalid_client): check `credentials`; some services read them with send: 'body'"
const everything = 'check `scope`, `audience`, `form` and `headers`'

test.each<[string, () => Response, string]>([
  ['HTML', plain(200, '<html>'), 'no JSON'],
  ['no token', json({}), noToken],
  ['null', json(null), noToken],
  ['a line end', json({ access_token: 'a\nb: c' }), noToken],
  ['a token of DHL', json({ accessToken: 'a' }), noToken],
  ['an unknown client', json(unknown, 401), `401 ${noAccount}`],
  ['an unknown client with 200', json({ error: 'invalid_client' }), `200 ${noAccount}`],
  ['a wrong scope', json({ error: 'invalid_scope' }, 400), '400 (invalid_scope): check `scope`'],
  ['a wrong request', json({ error: 'invalid_request' }, 400), `400 (invalid_request): ${everything}`],
  ['words of its own', json({ error: 'Jan Jansen' }, 400), '400'],
  ['401 without words', plain(401), '401: check `credentials`'],
  ['404', plain(404, '<html>'), '404: check `tokenUrl`'],
  ['415', plain(415), '415: it reads no form; see `json`'],
  ['a redirect', plain(302), '302, a redirect, which is not followed'],
  ['503', plain(503), '503'],
])('a token endpoint that answers %s has failed, in a sentence', async (_what, answer, reason) => {
  const { ask, state, calls } = carrierWith()
  state.token = answer
  expect(await ask()).toMatchObject(failed(`oauth: the token endpoint answered ${reason}`))
  expect(calls).toEqual([])
})

const odd = [undefined, null, '', 0, -5, 'soon']
test.each(odd)('a token whose end is %o lasts for `lifetime`, or until a 401', async (expires_in) => {
  const { ask, state, logins, move } = carrierWith({ lifetime: 600 * second })
  state.token = (number) => Response.json({ access_token: `token-${number}`, expires_in })
  await ask()
  await move(200 * second)
  await ask()
  expect(logins).toHaveLength(1)
  state.says = (token) => (token === 'token-1' ? 401 : 200)
  expect((await ask()).result).toBe('methods')
  expect(logins).toHaveLength(2)
  await move(601 * second)
  await ask()
  expect(logins).toHaveLength(3)
})

test('a login has its own deadline: a quote that cannot wait for it leaves it to the next', async () => {
  const { ask, state, logins, move } = carrierWith()
  let answer = (_response: Response) => {}
  state.token = () => new Promise((resolve) => (answer = resolve))
  const first = ask()
  await move(2.5 * second)
  expect((await first).result).toBe('failed')
  const next = ask()
  await move(1 * second)
  expect(logins).toHaveLength(1)
  answer(Response.json({ access_token: 'late', expires_in: 60 }))
  expect((await next).result).toBe('methods')
  state.token = () => new Promise(() => {})
  await move(120 * second)
  const hanging = [ask(), ask('two')]
  await move(2.5 * second)
  for (const one of hanging) expect((await one).result).toBe('failed')
  await move(3 * second)
  expect(logins).toHaveLength(3)
})

test('changed credentials log in anew, and missing ones are named', async () => {
  const { ask, logins } = carrierWith()
  await ask('one', { id: 'one', secret: 'old' })
  await ask('one', { id: 'one', secret: 'new' })
  expect(logins).toHaveLength(2)
  expect((await ask('one', { id: 'one', secret: '' })).reason).toBe('oauth: credentials.secret is not set')
  const { reason } = await ask('one', { id: 'one' })
  expect(reason).toContain('the settings of shop one are missing or wrong (secret')
})

test('no token and no secret is in the explanation or the log', async () => {
  const { ask, lines } = carrierWith({}, () => 401)
  const explained = await ask()
  expect(JSON.stringify([explained, lines])).not.toMatch(/token-|secret of/)
  expect(explained.calls.map(({ to, status }) => [to, status])).toEqual([
    ['carrier.example/token', 200],
    ['carrier.example/rates', 401],
    ['carrier.example/token', 200],
    ['carrier.example/rates', 401],
  ])
})

test('wrong options are refused by name', () => {
  const wrong = { tokenUrl: 'carrier.example', timeout: -1, scop: 'x' } as never
  expect(() => oauth(wrong)).toThrow(/tokenUrl: [\s\S]*credentials: [\s\S]*scop/)
})

test.each([400, 200, 403, 500])('a login that the carrier ends with %i is renewed once', async (status) => {
  const expired = (said: number, body: unknown) =>
    said === status && (body as { code?: string }).code === 'EXPIRED'
  const ended = (old: string[]) => (token: string) =>
    old.includes(token) ? { status, code: 'EXPIRED' } : 200
  const { ask, state, logins } = carrierWith({}, ended([]), { expired })
  await ask()
  state.says = ended(['token-1'])
  expect([(await ask()).result, logins.length]).toEqual(['methods', 2])
  await ask()
  expect(logins).toHaveLength(2)
  state.says = ended(['token-1', 'token-2', 'token-3'])
  expect(await ask()).toMatchObject(failed(`carrier: the carrier calls the login ended, with ${status}`))
  expect(logins).toHaveLength(3)
})

test('a login that has ended is a failure of the account, also without oauth; expired() that throws says no', async () => {
  let calls = 0
  const bearer = carrierAdapter({
    auth: { bearer: 'key' },
    answer: () => [],
    expired: (_status, body) => (body as { error: { code: string } }).error.code === 'EXPIRED',
  })
  const rates = ratesWith([bearer])
  const asked = async (answer: () => Response, shop?: string) => {
    rates.world.outgoing.fetch = async () => {
      calls++
      return answer()
    }
    return (await rates.ask(undefined, shop)).adapters[0]!
  }
  const ended = json({ error: { code: 'EXPIRED' } }, 400)
  expect((await asked(ended)).result).toBe('failed')
  expect(calls).toBe(1)
  for (let shop = 0; shop < 6; shop++) await asked(ended, `shop-${shop}`)
  expect(rates.breakers.open()).toEqual([])
  const empty = await asked(plain(404))
  expect(empty).toMatchObject({ result: 'none', reason: 'it offered nothing' })
  expect(empty.notes[0]).toMatch(/^expired\(\) threw, at oauth\.test\.ts:\d+$/)
})

test('a token of any type is sent as a bearer token', async () => {
  const { ask, state, calls } = carrierWith()
  state.token = () => Response.json({ access_token: 'abc', token_type: 'JWT', expires_in: '1799' })
  expect((await ask()).result).toBe('methods')
  expect(calls[0]!.token).toBe('abc')
})

const upsLike = z.object({ id: z.string(), secret: z.string(), merchant: z.string().default('m-1') })
type UpsLike = z.infer<typeof upsLike>

test('scope, audience, headers and more fields of the form may come from the settings of the shop', async () => {
  const options: Partial<OAuthOptions<UpsLike>> = {
    scope: ({ id }) => (id === 'two' ? undefined : `rates ${id}`),
    audience: ({ merchant }) => `https://carrier.example/${merchant}`,
    headers: ({ merchant }) => ({ 'x-merchant-id': merchant }),
    form: ({ merchant }) => ({ customer_registration_id: merchant }),
  }
  const { ask, logins } = carrierWith(options as Partial<OAuthOptions<Account>>, () => 200, {}, upsLike)
  const settings = (merchant: string) => ({ id: 'one', secret: 's', merchant }) as Account
  await ask('one', settings('m-1'))
  await ask('one', settings('m-1'))
  expect(logins).toHaveLength(1)
  expect(Object.fromEntries(logins[0]!.form)).toEqual({
    grant_type: 'client_credentials',
    scope: 'rates one',
    audience: 'https://carrier.example/m-1',
    customer_registration_id: 'm-1',
  })
  expect(logins[0]!.headers.get('x-merchant-id')).toBe('m-1')
  await ask('one', settings('m-2'))
  expect(logins).toHaveLength(2)
  await ask('two')
  expect(logins[2]!.form.has('scope')).toBe(false)
})

test('a login of another shape sends JSON, and read() names the token and its life', async () => {
  const { ask, state, logins, calls, move } = carrierWith({
    json: ({ id, secret }) => ({ userId: id, key: secret }),
    read: (body) => ({ token: (body as { accessToken: string }).accessToken, seconds: 900 }),
  })
  state.token = (number) => Response.json({ accessToken: `t${number}` })
  expect((await ask()).result).toBe('methods')
  expect(JSON.parse(logins[0]!.body)).toEqual({ userId: 'one', key: 'secret of one' })
  expect(logins[0]!.headers.get('authorization')).toBeNull()
  expect(logins[0]!.headers.get('content-type')).toBe('application/json')
  await move(899 * second)
  await ask()
  await move(60 * second)
  await ask()
  expect(calls.map(({ token }) => token)).toEqual(['t1', 't1', 't2'])
  state.token = () => Response.json(null)
  expect(await ask('two')).toMatchObject(
    failed('oauth: the token endpoint answered something that read() cannot read'),
  )
})

test('a header or an address that cannot be is named, and counts for no breaker', async () => {
  const bad = carrierWith({ headers: { 'x-merchant-id': 'm€' } })
  const named = failed('oauth: the header x-merchant-id has characters that a header cannot have')
  for (let time = 0; time < 6; time++) expect(await bad.ask()).toMatchObject(named)
  const lost = carrierWith({ tokenUrl: () => 'carrier.example/token' })
  expect((await lost.ask()).reason).toBe(
    'oauth: tokenUrl is not an address: write one such as https://api.carrier.example',
  )
})

test('json is the whole body: options of the form beside it are refused', () => {
  const whole = { tokenUrl: 'https://carrier.example', credentials: () => undefined, json: () => ({}) }
  expect(() => oauth({ ...whole, scope: 'rates' })).toThrow('json: is the whole body')
  expect(() => oauth(whole)).not.toThrow()
})
