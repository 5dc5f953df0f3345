import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import {
  createProvider,
  memoryStore,
  type Provider,
  type ProviderOptions,
  PurveyorError,
  postgresStore,
  sqliteStore,
} from '../../src/index.ts'

const rates = { name: 'a', quote: () => [] }

const logger = pino({ level: 'silent' })

function problemsOf(options: object): string[] {
  try {
    createProvider({ logger, rates, ...options } as ProviderOptions)
    return []
  } catch (error) {
    if (error instanceof PurveyorError)
      return error.faults.map(({ path, message }) => (path === undefined ? message : `${path} ${message}`))
    throw error
  }
}

const current = 'a secret of 16 characters'
const withRates = (more: object) => ({ rates: { ...rates, ...more } })
const among = (more: object) => ({ rates: { adapters: rates, ...more } })

const openId = (more: object) => ({
  console: { openId: { issuer: 'https://login.example', clientId: 'a', groups: {}, ...more } },
})

describe('options are refused by name', () => {
  test.each<[object, ...string[]]>([
    [{ rate: rates }, 'rate is not an option: did you mean rates?'],
    [{ publicURL: 'http://localhost' }, 'publicURL is not an option: did you mean publicUrl?'],
    [{ units: { weight: 'g' } }, 'units is not an option: it is rates.units'],
    [
      { store: { file: 'shops.db' } },
      'store must be sqliteStore(), postgresStore() or memoryStore(), or the URL of a database',
    ],
    [{ databaseUrl: 'sqlite:a.db' }, 'databaseUrl is not an option: it is store'],
    [
      withRates({ cache: { ttl: 1, extra: 2 } }),
      'rates: cache.extra of "a" is not an option: known are ttl, staleFor, noneTtl, key',
    ],
    [{ metricsToken: 'x' }, 'metricsToken is not an option: it is http.metricsToken'],
    [among({ fallbacks: [] }), 'rates.fallbacks is not an option: did you mean fallback?'],
    [among({ onNothing: 'fail' }), "rates.onNothing must be 'empty' or 'error'"],
    [among({ deadline: 2.5 }), 'rates.deadline must be 50 or more: it is in milliseconds'],
    [{ development: 'false' }, 'development must be true or false'],
    [{ log: console }, 'log is not an option: did you mean logger?'],
    [
      { payments: { adapters: [], deadline: 5 } },
      'payments.deadline is not an option: did you mean deadlines?',
    ],
    [{ console: { port: 70_000, url: 'https://a.example' } }, 'console.port must be a port'],
    [{ console: { users: [] } }, 'console.users is not an option: known are port, url, name, openId'],
    [
      openId({ groups: { all: 'root' } }),
      'console.openId.groups.all must be one of reader, support, finance, admin',
    ],
    [openId({ scope: 'profile groups' }), 'console.openId.scope must hold openid'],
    [openId({ issuer: 'http://login.example' }), 'console.openId.issuer must be an https address'],
    [
      openId({ clientSecret: undefined }),
      'console.openId.clientSecret is not set: leave it out for a public client',
    ],
    [
      { console: { port: 3100 } },
      'console.url is needed with port: the address of its server as people reach it',
    ],
    [{ http: { port: 80 } }, 'http.port is not an option: it is port'],
    [
      { publicUrl: 3000 },
      'publicUrl (PURVEYOR_PUBLIC_URL) must be an http or https address of this machine, such as http://127.0.0.1:3000/checkout',
    ],
    [{ secret: ['a', 'b'] }, 'secret must be text, or an object such as { current, previous }'],
    [withRates({ cache: true }), 'rates: cache of "a" must be an object such as { ttl: 60_000 }'],
    [{ rates: null }, 'rates must be an adapter, a list of adapters, or an object with adapters'],
    [
      withRates({ files: {}, promises: 3, measures: ['wieght'], cache: { ttl: 1, key: 3 } }),
      'rates: promises of "a" must be a function',
      'rates: files of "a" must have look() and list()',
      'rates: measures.0 of "a" must be one of weight, volume, length',
      'rates: cache.key of "a" must be a function',
    ],
    [among({ deadline: '2 s' }), 'rates.deadline must be a number of milliseconds'],
    [
      { payments: { adapters: [], deadlines: { begin: 5 } } },
      'payments.deadlines.begin is not an option: known are methods, start, status, page',
    ],
    [{ http: { limits: { burst: -1 } } }, 'http.limits.burst must be a number above 0'],
    [{ http: { callers: { form: [] } } }, 'http.callers.form is not an option: did you mean from?'],
    ...[current, ['an older one of before', current]].map((previous): [object, string] => [
      { secret: { current, previous } },
      'secret.previous (PURVEYOR_PREVIOUS_SECRET) is the same as secret (PURVEYOR_SECRET), so nothing would change: set it to the secret before the change, or remove it',
    ]),
    ...[0, -1, 1.5, Number.NaN, '1mb', 65_535, 16_777_217].map((maxBody): [object, string] => [
      { http: { maxBody } },
      'http.maxBody must be a number of bytes, 65536 to 16777216',
    ]),
    [{ http: null }, 'http must be an object'],
    [{ http: { callers: { from: [] } } }, 'http.callers.from is an empty list, which rejects every caller'],
    [{ clock: {} }, 'clock must have now() and after(), as movableClock() has'],
    [{ logger: console }, 'logger must be a pino logger'],
    [{ rates: { adaptors: [rates] } }, 'rates.adaptors is not an option: did you mean adapters?'],
    [
      { http: { callers: { basic: { usr: 'a', password: 'b' } } } },
      'http.callers.basic.usr is not an option: did you mean user?',
    ],
    [
      { http: { callers: { bearer: { jwk: 'https://keys.example' } } } },
      'http.callers.bearer.jwk is not an option: did you mean jwks?',
      'http.callers.bearer needs either jwks or secret',
    ],
    [{ http: { callers: { from: '192.0.2.1' } } }, 'http.callers.from must be a list of addresses'],
    [{ secret: { curent: 'x' } }, 'secret.curent is not an option: did you mean current?'],
    [
      { stor: 1, port: 99_999, http: { stopDelay: -1 } },
      'stor is not an option: did you mean store?',
      'port (PORT) must be at most 65535',
      'http.stopDelay (PURVEYOR_STOP_DELAY) must be 0 or more',
    ],
  ])('%j', (options, ...problems) => {
    expect(problemsOf(options)).toEqual(problems)
  })

  test('every option that is documented is taken', () => {
    expect(
      problemsOf({
        rates: {
          ...{ adapters: [rates], units: { weight: 'g' }, fallback: [], onNothing: 'error' },
          ...{ convert: () => 1, deadline: 1_000 },
        },
        payments: {
          adapters: { name: 'p', methods: () => [], start: () => ({ later: true }) },
          deadlines: { methods: 50, start: 51, status: 52, page: 53 },
          ...{ signWebhooks: true, retention: 30 },
        },
        store: 'sqlite::memory:',
        secret: { current, previous: ['another of 16 characters'] },
        publicUrl: 'http://localhost:3000',
        port: 0,
        development: true,
        resourceEvents: { orders() {}, shipments() {} },
        http: {
          ...{ callers: { shopId: true }, limits: { perSecond: 1 }, maxBody: 65_536, trustProxy: 1 },
          ...{ openapi: true, metricsToken: '0123456789abcdef', stopDelay: 0 },
        },
        network: { allowLoopback: true, nameServers: ['10.0.0.53'] },
      }),
    ).toEqual([])
  })
})

test.each([undefined, null, 'rates'])('createProvider(%j) is refused', (options) => {
  expect(() => createProvider(options as unknown as ProviderOptions)).toThrow(
    'createProvider() must be an object',
  )
})

test.each([
  [rates, '{ rates: adapter }'],
  [[rates], '{ rates: adapter }'],
  [{ name: 'p', methods: () => [], start: () => ({}) }, '{ payments: adapter }'],
])('an adapter in the place of the options is refused with its place: %j', (options, place) => {
  expect(() => createProvider(options as ProviderOptions)).toThrow(
    `The configuration has a problem:\n  - createProvider() takes options, and not an adapter: write createProvider(${place})`,
  )
})

test.each<[string, (provider: Provider) => Promise<unknown>, string]>([
  ['listen', ({ listen }) => listen({ prot: 1 } as object), 'prot is not an option: did you mean port?'],
  ['listen', ({ listen }) => listen({ port: 70_000 }), 'port must be at most 65535'],
  ['stop', ({ stop }) => stop({ ligner: 1 } as object), 'ligner is not an option: did you mean linger?'],
  ['stop', ({ stop }) => stop({ delay: -1 }), 'delay must be 0 or more'],
])('%s() refuses a wrong option by name', async (name, call, words) => {
  const provider = createProvider({ rates, store: memoryStore(), logger })
  const refused = { code: 'ARGUMENT_INVALID', message: `${name}(): ${words}` }
  await expect(call(provider)).rejects.toMatchObject(refused)
  await provider.stop()
})

const postgres = (more: object) => () => postgresStore({ url: 'postgres://db/a', ...more })
test.each<[() => unknown, string]>([
  [() => sqliteStore({ fiel: 'a.db' } as never), 'sqliteStore(): fiel is not an option: did you mean file?'],
  [() => sqliteStore({ file: '' }), 'sqliteStore(): file must be a path'],
  [() => sqliteStore('a.db' as never), 'sqliteStore() takes an object: sqliteStore({ file })'],
  [postgres({ conections: 2 }), 'postgresStore(): conections is not an option: did you mean connections?'],
  [postgres({ preparedStatements: 'no' }), 'postgresStore(): preparedStatements must be true or false'],
  [postgres({ connections: 0 }), 'postgresStore(): connections must be 1 or more'],
  [() => postgresStore(undefined as never), 'postgresStore(): options must be an object'],
])('a store refuses a wrong option by name: %s', (make, message) => {
  expect(make).toThrow(expect.objectContaining({ code: 'ARGUMENT_INVALID', message }))
})
