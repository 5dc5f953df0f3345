import { expect, test } from 'vitest'
import {
  type OAuthOptions,
  oauth,
  type RemoteRatesOptions,
  remoteRates,
} from '../../../src/adapters/index.ts'
import { readMessage, shipmentMethodsReader } from '../../../src/contract/index.ts'
import { price, z } from '../../../src/index.ts'
import { neededFields } from '../../../src/privacy/needs.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { quoteRates } from '../../../src/use-cases/rates/quote-rates.ts'
import { OpenedSettings } from '../../../src/use-cases/shops/opened-settings.ts'
import { checkout } from '../../http/messages.ts'
import { ratesWith } from '../../use-cases/rates.ts'
import { movableWorld, providerIn } from '../../use-cases/world.ts'

const account = z.object({ id: z.string(), secret: z.string() })
type Account = z.infer<typeof account>
const second = 1_000
const hour = 3_600_000

/** A carrier with logins of its own, in virtual time. */
function carrierWith(
  options: Partial<OAuthOptions<Account>> = {},
  says: (token: string) => number | { status: number; code: string } = () => 200,
  more: Pick<RemoteRatesOptions, 'expired'> = {},
) {
  const moved = movableWorld()
  const state = {
    /** The answer of the token endpoint. */
    token: (number: number): Response | Promise<Response> =>
      Response.json({ access_token: `token-${number}`, token_type: 'Bearer', expires_in: 3_600 }),
    says,
  }
  const logins: { headers: Headers; form: URLSearchParams; at: number }[] = []
  const calls: { shop: string | undefined; token: string }[] = []
  moved.world.outgoing.fetch = async (input, init = {}, caller) => {
    const headers = new Headers(init.headers)
    if (String(input).endsWith('/token')) {
      logins.push({ headers, form: new URLSearchParams(String(init.body)), at: moved.world.now() })
      return endedBy(init.signal, state.token(logins.length))
    }
    const token = headers.get('authorization')!.replace('Bearer ', '')
    calls.push({ shop: caller?.shop, token })
    const said = state.says(token)
    const { status, code } = typeof said === 'number' ? { status: said, code: undefined } : said
    return Response.json({ amount: '5', code }, { status })
  }
  const carrier = remoteRates({
    name: 'carrier',
    settings: account,
    url: 'https://carrier.example/rates',
    retries: 0,
    auth: oauth({
      tokenUrl: 'https://carrier.example/token',
      credentials: (settings) => settings,
      ...options,
    }),
    ...more,
    answer: (body) => [
      {
        id: 'door',
        title: 'Door',
        ...price({ excl: (body as { amount: string }).amount, taxRate: 0, currency: 'eur' }),
      },
    ],
  })
  const workings = providerIn(moved.world, { rates: [carrier] })
  const request = readMessage(
    shipmentMethodsReader('Europe/Amsterdam', neededFields([carrier])),
    structuredClone(checkout),
  )
  const ask = async (
    shop = 'one',
    settings: Partial<Account> = { id: shop, secret: `secret of ${shop}` },
  ) => {
    const opened = new OpenedSettings(shop, { adapters: { carrier: settings } })
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
  expect(Object.fromEntries(logins[0]!.form)).toMatchObject({
    client_id: 'one',
    client_secret: 'secret of one',
  })
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

test.each<[string, () => Response, string]>([
  ['HTML', () => new Response('<html>'), 'oauth: the token endpoint answered no JSON'],
  ['no token', () => Response.json({}), 'oauth: the token endpoint answered no access_token'],
  ['null', () => Response.json(null), 'oauth: the token endpoint answered no access_token'],
  [
    'a line end',
    () => Response.json({ access_token: 'a\nb: c' }),
    'oauth: the token endpoint answered no access_token',
  ],
  [
    'another kind',
    () => Response.json({ access_token: 'a', token_type: 'mac' }),
    'oauth: the token endpoint answered a token that is no bearer token',
  ],
  [
    '401',
    () => Response.json({ error: 'invalid_client' }, { status: 401 }),
    'oauth: the token endpoint answered 401',
  ],
  [
    '400',
    () => Response.json({ error: 'invalid_scope' }, { status: 400 }),
    'oauth: the token endpoint answered 400',
  ],
  ['a redirect', () => new Response('', { status: 302 }), 'oauth: the token endpoint answered 302'],
  ['503', () => new Response('', { status: 503 }), 'oauth: the token endpoint answered 503'],
])('a token endpoint that answers %s has failed, in a sentence', async (_what, answer, reason) => {
  const { ask, state, calls } = carrierWith()
  state.token = answer
  expect(await ask()).toMatchObject({ result: 'failed', reason })
  expect(calls).toEqual([])
})

test.each([undefined, null, '', 0, -5, 'soon'])(
  'a token whose end is %o lasts for `lifetime`, or until a 401',
  async (expires_in) => {
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
  },
)

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
  expect(await ask('one', { id: 'one', secret: '' })).toMatchObject({
    reason: 'oauth: credentials.secret is not set',
  })
  expect((await ask('one', { id: 'one' })).reason).toContain(
    'the settings of shop one are missing or wrong (secret',
  )
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
  expect(() => oauth({ tokenUrl: 'carrier.example', timeout: -1, scop: 'x' } as never)).toThrow(
    /tokenUrl: [\s\S]*credentials: [\s\S]*scop/,
  )
})

test.each([400, 200, 403, 500])(
  'a login that has ended, by the carrier’s words at %i, is renewed once',
  async (status) => {
    const expired = (said: number, body: unknown) =>
      said === status && (body as { code?: string }).code === 'EXPIRED'
    const ended = (old: string[]) => (token: string) =>
      old.includes(token) ? { status, code: 'EXPIRED' } : 200
    const { ask, state, logins } = carrierWith({}, ended([]), { expired })
    await ask()
    state.says = ended(['token-1'])
    const renewed = await ask()
    expect([renewed.result, logins.length]).toEqual(['methods', 2])
    await ask()
    expect(logins).toHaveLength(2)
    state.says = ended(['token-1', 'token-2', 'token-3'])
    expect(await ask()).toMatchObject({
      result: 'failed',
      reason: `carrier: the carrier calls the login ended, with ${status}`,
    })
    expect(logins).toHaveLength(3)
  },
)

test('a login that has ended is a failure of the account, also without oauth; expired() that throws says no', async () => {
  let calls = 0
  const bearer = remoteRates({
    name: 'carrier',
    url: 'https://carrier.example/rates',
    auth: { bearer: 'key' },
    answer: () => [],
    expired: (_status, body) => (body as { error: { code: string } }).error.code === 'EXPIRED',
  })
  const rates = ratesWith([bearer])
  const asked = async (answer: Response) => {
    rates.world.outgoing.fetch = async () => {
      calls++
      return answer
    }
    return (await rates.ask()).adapters[0]!
  }
  expect(await asked(Response.json({ error: { code: 'EXPIRED' } }, { status: 400 }))).toMatchObject({
    result: 'failed',
  })
  expect(calls).toBe(1)
  for (let shop = 0; shop < 6; shop++) {
    rates.world.outgoing.fetch = async () => Response.json({ error: { code: 'EXPIRED' } }, { status: 400 })
    await rates.ask(undefined, `shop-${shop}`)
  }
  expect(rates.breakers.open()).toEqual([])
  const empty = await asked(new Response(null, { status: 404 }))
  expect(empty).toMatchObject({ result: 'none', reason: 'it offered nothing' })
  expect(empty.notes[0]).toMatch(/^expired\(\) threw, at oauth\.test\.ts:\d+$/)
})
