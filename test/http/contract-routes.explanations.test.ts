import supertest from 'supertest'
import { expect, test } from 'vitest'
import {
  createProvider,
  memoryStore,
  none,
  type ProviderOptions,
  type QuoteRequest,
  type RateContext,
} from '../../src/index.ts'
import { door } from '../helpers/rates.ts'
import { listening } from '../listening.ts'
import { openShop } from '../platform/sandbox.ts'
import { onThisMachine, production } from '../production-store.ts'
import { serveOrigin } from '../serve-origin.ts'
import { checkout } from './messages.ts'

const adapters = [
  { name: 'table', quote: () => [door], estimate: 'quote' as const },
  { name: 'far', quote: () => none('too far'), estimate: 'quote' as const },
]

async function open(options: Partial<ProviderOptions> = {}) {
  const made = await listening({ rates: adapters, ...options })
  return { ...made, endpoint: onThisMachine(made) }
}

test('in development an answer says where its explanation is', async () => {
  const { endpoint } = await open()
  const answer = await supertest(endpoint).post('/shipment_methods').send(checkout)
  const id = answer.headers['purveyor-explanation']
  const { body } = await supertest(endpoint).get(`/explanations/${id}`)
  expect(body.methods).toEqual(answer.body.shipment_methods)
  expect(body.adapters).toMatchObject([
    { adapter: 'table', result: 'methods', cache: 'off' },
    { adapter: 'far', result: 'none', reason: 'too far' },
  ])
  expect(JSON.stringify(body)).not.toMatch(/Jansen|jan@|Damrak/)
  expect((await supertest(endpoint).get('/explanations/another-one')).status).toBe(404)
})

test('in production nobody gets it', async () => {
  const { endpoint } = await open(production)
  const answer = await supertest(endpoint).post('/shipment_methods').send(checkout)
  expect(answer.status).toBe(201)
  expect(answer.headers).not.toHaveProperty('purveyor-explanation')
  expect((await supertest(endpoint).get(`/explanations/${answer.headers['x-request-id']}`)).status).toBe(404)
})

test("the sandbox's log shows why", async () => {
  const { endpoint } = await open()
  const shop = await openShop({ endpoint, services: ['rates'] })
  await shop.estimate({ country: 'nl', zipcode: '1016GV' })
  expect(shop.calls[0]!.explanation?.adapters.map(({ result }) => result)).toEqual(['methods', 'none'])
  const log = await (await fetch(`${shop.url}/log?call=1`)).text()
  expect(log).toContain('Adapters')
  expect(log).toContain('too far')
})

test("the sandbox's log shows an adapter's own words, their place, the status of its calls and what it weighed", async () => {
  const carrier = await serveOrigin((_req, res) => res.writeHead(503).end('{}'))
  const own = {
    name: 'own',
    async quote({ quote }: QuoteRequest, ctx: RateContext) {
      ctx.parcels(quote, { unit: 'kg' })
      ctx.explain('zone 3')
      const { status } = await ctx.fetch(`${carrier}/v1/rates`)
      throw new RangeError(`the carrier <b>said</b> ${status}`)
    },
  }
  const { endpoint } = await open({ rates: { adapters: own, deadline: 60_000, units: { weight: 'g' } } })
  const shop = await openShop({ endpoint, services: ['rates'] })
  await shop.checkout({}).shipmentMethods()
  const log = await (await fetch(`${shop.url}/log?call=1`)).text()
  const [, entry = ''] = /<strong>own([\s\S]*?)<\/ul>/.exec(log) ?? []
  const failed =
    '<li>RangeError: the carrier &lt;b&gt;said&lt;/b&gt; 503 at contract-routes.explanations.test.ts:'
  expect(entry).toContain(failed)
  expect(entry).toMatch(
    /<li>Calls <code>GET 127\.0\.0\.1:\d+\/v1\/rates<\/code>: 503 after \d+ ms <code>\{\}<\/code><\/li>/,
  )
  expect(entry).toContain('<li>zone 3</li>')
})

test('nothing left is 503 where the provider says so', async () => {
  const down = { name: 'down', quote: () => Promise.reject(new Error('refused')) }
  const { endpoint } = await open({ rates: { adapters: down, onNothing: 'error' } })
  const answer = await supertest(endpoint).post('/shipment_methods').send(checkout)
  const { status, body, headers } = answer
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'RATES_UNAVAILABLE', '5'])
})

test('readiness names an adapter that holds up the process', async () => {
  const busy = () => {
    // Its own time counts, not that of others on the machine.
    const began = process.threadCpuUsage()
    const spent = () => {
      const { user, system } = process.threadCpuUsage(began)
      return (user + system) / 1000
    }
    while (spent() < 60);
    return [door]
  }
  const { endpoint, url } = await open({ rates: { name: 'busy', quote: busy } })
  await supertest(endpoint).post('/shipment_methods').send(checkout)
  expect((await supertest(url).get('/health/ready')).body).toMatchObject({ status: 'ok', blocking: ['busy'] })
})

test('from code: a body is explained, and a wrong one is refused', async () => {
  const { provider } = await open()
  expect((await provider.rates.explain(checkout)).methods).toHaveLength(1)
  await expect(provider.rates.explain({ shop: 1 })).rejects.toMatchObject({ code: 'BODY_INVALID' })
})

const plain = { name: 'a', quote: () => [] }
const needs = ['customer.email']
test.each<[ProviderOptions['rates'], string]>([
  [{ adapters, units: { weight: 'stone' as never } }, 'rates.units.weight must be one of mg, g, kg, oz, lb'],
  [{ adapters, fallback: [{ title: 'x' } as never] }, 'rates.fallback[0].price_incl is missing'],
  [{ ...plain, estimate: 'yes' as never }, 'estimate of "a" must be a function, or'],
  [{ ...plain, cache: {} as never }, 'cache.ttl of "a" must be a number of milliseconds'],
  [{ ...plain, cache: { ttl: -1 } }, 'cache.ttl of "a" must be a number of milliseconds'],
  [
    { ...plain, needs: needs as never, cache: { ttl: 1 } },
    `cache of "a" needs cache.key(), because no two requests are equal in ${needs}`,
  ],
])('what is set wrongly is refused with its name: %#', (rates, message) => {
  expect(() => createProvider({ store: memoryStore(), rates })).toThrow(message)
})
