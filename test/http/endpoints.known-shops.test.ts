import supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { StoreUnavailable } from '../../src/store.ts'
import type { StorePort } from '../../src/store-port.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { movableClock } from '../../src/testing/index.ts'
import { door } from '../helpers/rates.ts'
import { keptLog, listening } from '../listening.ts'
import { checkout, payment } from './messages.ts'

const minute = 60_000

/** A provider whose store works, cannot be reached, or answers only once it is let. */
async function providerOn(options: { payments?: boolean } = {}) {
  let state: 'there' | 'away' | 'slow' = 'there'
  const held: (() => void)[] = []
  const letAnswer = () => {
    for (const answer of held.splice(0)) answer()
  }
  let looks = 0
  const inner = memoryStore()
  const commands = Object.entries(inner).map(([name, command]) => [
    name,
    typeof command !== 'function'
      ? command
      : async (...args: unknown[]) => {
          if (name === 'shopByEndpoint') looks++
          if (state === 'away') throw new StoreUnavailable('The store is away.')
          const answer = await (command as (...args: unknown[]) => unknown).apply(inner, args)
          if (state === 'slow' && name === 'shopByEndpoint')
            await new Promise<void>((resolve) => held.push(resolve))
          return answer
        },
  ])
  const clock = movableClock()
  const { lines, logger } = keptLog('info')
  const { provider, endpoint, url } = await listening({
    store: Object.fromEntries(commands) as StorePort,
    clock,
    logger,
    rates: { name: 'table', quote: () => [door] },
    ...(options.payments && {
      payments: { name: 'psp', methods: () => [], start: () => ({ redirect: 'https://psp.example/1' }) },
    }),
  })
  // Before the provider is stopped.
  onTestFinished(() => {
    state = 'there'
    letAnswer()
  })
  const status = async (path: string, from = endpoint, body: object = checkout) =>
    (await supertest(from).post(path).send(body)).status
  /** Slows the store down, and asks once more, half a second later: how often it was asked before, and what that call gets. */
  const slowed = async <T>(ask: () => Promise<T>): Promise<[before: number, answer: T]> => {
    state = 'slow'
    const before = looks
    const first = ask()
    await expect.poll(() => looks).toBe(before + 1)
    clock.advance(600)
    return [before, await first]
  }
  return {
    provider,
    clock,
    slowed,
    said: () => lines.map(({ msg }) => msg as string),
    status,
    quote: (from = endpoint, body: object = checkout) => status('/shipment_methods', from, body),
    ready: async (path = '') => {
      const { status, body } = await supertest(url).get(`/health/ready${path}`)
      return [status, body.store]
    },
    be: (next: typeof state) => (state = next),
    letAnswer,
    looks: () => looks,
  }
}

test('rates go on while the store is away, for an hour, for shops that were known', async () => {
  const { provider, clock, be, quote, status, said } = await providerOn({ payments: true })
  const { endpoint: known } = await provider.shops.add('known')
  const { endpoint: quiet } = await provider.shops.add('quiet')
  expect([await quote(), await quote(known)]).toEqual([201, 201])

  be('away')
  clock.advance(10 * minute)
  expect([await quote(), await quote(known), await quote(quiet)]).toEqual([201, 201, 503])
  // Its ids are stored later.
  const inFrench = structuredClone(checkout)
  Object.assign(inFrench.shop, { language: 'fr', id: 77 })
  expect(await quote(known, inFrench)).toBe(201)
  expect(await status('/payment', known, payment())).toBe(503)
  expect(await quote(`${known.slice(0, -43)}${'x'.repeat(43)}`)).toBe(503)
  clock.advance(49 * minute)
  expect(await quote()).toBe(201)
  clock.advance(2 * minute)
  expect([await quote(), await quote(known)]).toEqual([503, 503])

  be('there')
  expect([await quote(), await quote(known), await quote(quiet)]).toEqual([201, 201, 201])
  expect(said().filter((line) => line.includes('the store'))).toEqual([
    'the store does not answer: rates are still answered for shops that were looked up within the last hour',
    'the store answers again',
  ])
})

test('a store that answers has the last word: a disabled shop and an ended endpoint are shut as early as ever', async () => {
  const { provider, clock, quote, be } = await providerOn()
  const { endpoint } = await provider.shops.add('bikes')
  expect(await quote(endpoint)).toBe(201)
  await provider.shops.disable('bikes')
  clock.advance(6_000)
  expect(await quote(endpoint)).toBe(404)
  // And what the store has said once is not taken back while it is away.
  be('away')
  expect(await quote(endpoint)).toBe(503)
  be('there')
  await provider.shops.enable('bikes')
  expect(await quote(endpoint)).toBe(201)
  await provider.shops.rotate('bikes', { overlap: 0 })
  clock.advance(6_000)
  expect(await quote(endpoint)).toBe(404)
})

test('an endpoint that was changed ends on time, also while it is taken as it was and while the store is away', async () => {
  const { provider, clock, quote, be } = await providerOn()
  const { endpoint: first } = await provider.shops.add('bikes')
  expect(await quote(first)).toBe(201)
  const { endpoint: second } = await provider.shops.rotate('bikes', { overlap: 8_000 })
  clock.advance(6_000)
  expect([await quote(first), await quote(second)]).toEqual([201, 201])
  clock.advance(2_000)
  expect(await quote(first)).toBe(404)

  const { endpoint: third } = await provider.shops.rotate('bikes', { overlap: 10 * minute })
  clock.advance(6_000)
  expect([await quote(second), await quote(third)]).toEqual([201, 201])
  // New data of the shop keeps the end of its endpoint.
  const inFrench = structuredClone(checkout)
  Object.assign(inFrench.shop, { language: 'fr' })
  expect(await quote(second, inFrench)).toBe(201)
  be('away')
  clock.advance(9 * minute)
  expect([await quote(second), await quote(third)]).toEqual([201, 201])
  clock.advance(minute)
  expect([await quote(second), await quote(third)]).toEqual([404, 201])
})

test('a store that is slow shuts a shop with the first answer it gives', async () => {
  const { provider, clock, quote, be, letAnswer, looks, slowed } = await providerOn()
  const { endpoint } = await provider.shops.add('bikes')
  expect(await quote(endpoint)).toBe(201)
  await provider.shops.disable('bikes')
  clock.advance(6_000)
  const [before, answer] = await slowed(() => quote(endpoint))
  expect(answer).toBe(201)
  // No call waits for the running lookup, and none begins a second one.
  expect(await quote(endpoint)).toBe(201)
  expect(looks()).toBe(before + 1)
  be('there')
  letAnswer()
  await expect.poll(() => quote(endpoint)).toBe(404)
})

test('while the store is away few shops are looked up at a time, and nobody waits for it', async () => {
  const { provider, clock, quote, looks, slowed } = await providerOn()
  const endpoints: string[] = []
  for (let shop = 0; shop < 50; shop++) endpoints.push((await provider.shops.add(`shop-${shop}`)).endpoint)
  for (const endpoint of endpoints) expect(await quote(endpoint)).toBe(201)
  clock.advance(10_000)
  const [before, answer] = await slowed(() => quote(endpoints[0]))
  expect(answer).toBe(201)
  for (const endpoint of endpoints) expect(await quote(endpoint)).toBe(201)
  expect(looks()).toBe(before + 20)
})

test('a provider of rates alone is ready while they go on; with payments only for those who ask for rates', async () => {
  const rates = await providerOn()
  const both = await providerOn({ payments: true })
  for (const { be, quote } of [rates, both]) {
    expect(await quote()).toBe(201)
    be('away')
  }
  // The answer of the store is kept for a second.
  await expect.poll(() => both.ready()).toEqual([503, 'unreachable'])
  expect(await both.ready('/rates')).toEqual([200, 'unreachable'])
  await expect.poll(() => rates.ready()).toEqual([200, 'unreachable'])
  for (const { clock } of [rates, both]) clock.advance(61 * minute)
  expect(await both.ready('/rates')).toEqual([503, 'unreachable'])
  expect(await rates.ready()).toEqual([503, 'unreachable'])
})

test('a store that hangs counts as unreachable after half a second, until it answers', async () => {
  for (const [payments, whole] of [
    [false, 200],
    [true, 503],
  ] as const) {
    const { quote, ready, be, letAnswer, looks, slowed } = await providerOn({ payments })
    expect(await quote()).toBe(201)
    const [before, answer] = await slowed(ready)
    expect(answer).toEqual([whole, 'unreachable'])
    // The lookup continues, and no call waits for it.
    expect(await ready()).toEqual([whole, 'unreachable'])
    expect(await ready('/rates')).toEqual([200, 'unreachable'])
    expect(looks()).toBe(before + 1)
    be('there')
    letAnswer()
    await expect.poll(() => ready()).toEqual([200, 'ok'])
  }
})
