import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createProvider } from '../../src/index.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { movableClock } from '../../src/testing/index.ts'
import { checkout } from '../http/messages.ts'
import { listening } from '../listening.ts'
import { lastingStore, production } from '../production-store.ts'
import { observedProvider } from './pair.ts'

/** The numbers by name and labels: `purveyor_dead_letters`, `purveyor_anomalies_open{kind="paid_other_currency"}`. */
async function numbers(origin: string, token?: string): Promise<Record<string, number>> {
  const asked = supertest(origin).get('/metrics')
  const { text } = await (token ? asked.set('authorization', `Bearer ${token}`) : asked).expect(200)
  const lines = [...text.matchAll(/^(?!#)(.+) (\S+)$/gm)]
  return Object.fromEntries(lines.map(([, name, value]) => [name!, Number(value)]))
}

test('requests, adapters, the cache and the store have metrics', async () => {
  const { provider, endpoint, origin, order, answers } = await observedProvider()
  await supertest(endpoint).post('/shipment_methods').send(checkout).expect(201)
  await supertest(endpoint).post('/shipment_methods').send(checkout).expect(201)
  await supertest(endpoint).post('/payment').send(order(1)).expect(201)
  await supertest(endpoint).get('/payment/1').expect(200)
  await supertest(endpoint).get('/payment/2').expect(404)
  answers.set('/webhook', 410)
  await provider.payments.report({ orderId: 1 }, { status: 'cancelled' })
  await provider.payments.report({ orderId: 1 }, { status: 'paid', amount: '99.00', currency: 'usd' })

  await expect.poll(async () => (await numbers(origin)).purveyor_dead_letters, { timeout: 120_000 }).toBe(1)
  const now = await numbers(origin)
  expect(now).toMatchObject({
    'purveyor_request_duration_seconds_count{method="POST",route="/e/:token/shipment_methods",status="201"}': 2,
    'purveyor_request_duration_seconds_count{method="POST",route="/e/:token/payment",status="201"}': 1,
    'purveyor_request_duration_seconds_count{method="GET",route="/e/:token/payment/:id",status="404"}': 1,
    'purveyor_adapter_duration_seconds_count{adapter="door",call="quote",outcome="ok"}': 1,
    'purveyor_adapter_duration_seconds_count{adapter="psp",call="start",outcome="ok"}': 1,
    'purveyor_rate_cache_total{adapter="door",answer="hits"}': 1,
    'purveyor_rate_cache_total{adapter="door",answer="misses"}': 1,
    'purveyor_rate_answers_total{adapter="door",result="methods"}': 2,
    'purveyor_rate_answers_total{adapter="door",result="skipped"}': 0,
    'purveyor_anomalies_open{kind="paid_other_currency"}': 1,
    'purveyor_anomalies_open{kind="webhook_gone"}': 1,
    'purveyor_anomaly_causes{kind="paid_other_currency"}': 1,
    'purveyor_anomaly_causes{kind="webhook_gone"}': 1,
    purveyor_takeovers_total: 0,
    purveyor_webhooks_owed: 0,
    purveyor_oldest_owed_webhook_seconds: 0,
    purveyor_store_up: 1,
  })
  expect(now['purveyor_delivery_duration_seconds_count{outcome="dead"}']).toBeGreaterThan(0)
  expect(now.nodejs_eventloop_lag_p99_seconds).toBeGreaterThan(0)
})

test('how long the oldest webhook is owed, and what was taken over from a process that died', async () => {
  const store = memoryStore()
  const { provider, endpoint, origin, order, answers } = await observedProvider({ store })
  await supertest(endpoint).post('/payment').send(order(1)).expect(201)
  answers.set('/webhook', 500)
  const since = Date.now()
  await provider.payments.report({ orderId: 1 }, { status: 'cancelled' })
  await expect
    .poll(async () => (await numbers(origin)).purveyor_oldest_owed_webhook_seconds, { timeout: 120_000 })
    .toBeGreaterThan(0.2)
  const now = await numbers(origin)
  expect(now.purveyor_oldest_owed_webhook_seconds).toBeLessThanOrEqual((Date.now() - since) / 1000)
  expect(now.purveyor_webhooks_owed).toBe(1)
})

test('a store that is away is a number, and its 503 has a cause; the other metrics are served all the same', async () => {
  const store = memoryStore()
  const { endpoint, origin, order } = await observedProvider({ store })
  await store.close()
  await supertest(endpoint).post('/payment').send(order(1)).expect(503)
  await supertest(origin).get('/health/ready').expect(503)
  const now = await numbers(origin)
  expect(now.purveyor_store_up).toBe(0)
  expect(now.purveyor_webhooks_owed).toBeUndefined()
  expect(now['purveyor_unavailable_total{cause="STORE_UNAVAILABLE"}']).toBe(2)
})

test('a request without the token gets the same 404 as an unknown address', async () => {
  const token = randomBytes(24).toString('hex')
  const rates = { name: 'door', quote: () => [] }
  const made = (metricsToken: string | undefined) =>
    listening({ ...production, rates, http: { metricsToken } })
  const withToken = await made(token)
  for (const { port } of [withToken, await made(undefined)])
    for (const shown of [undefined, 'Bearer', `Bearer ${token}x`, `Basic ${token}`, 'Bearer ']) {
      const headers = shown === undefined ? {} : { authorization: shown }
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
    }

  const off = createProvider({ ...production, store: lastingStore(), rates, http: { metricsToken: token } })
  await expect(off.metrics()).rejects.toMatchObject({ code: 'METRICS_OFF' })
  const origin = `http://127.0.0.1:${withToken.port}`
  expect(await numbers(origin, token)).toMatchObject({ purveyor_store_up: 1 })
  await supertest(origin).head('/metrics').set('authorization', `Bearer ${token}`).expect(404)
  const short = /metricsToken \(PURVEYOR_METRICS_TOKEN\) needs at least 16 characters/
  await expect(made('short')).rejects.toThrow(short)
})

test('a start that takes too long has failed when its deadline is over, though it may still come back', async () => {
  const clock = movableClock()
  const start = () => {
    // Its deadline begins once it has returned.
    setImmediate(() => clock.move(60_000))
    return new Promise<never>(() => {})
  }
  const adapters = { name: 'psp', methods: () => [], start }
  const payments = { adapters, deadlines: { start: 60_000 } }
  const { endpoint, origin, order } = await observedProvider({ clock, payments })
  await supertest(endpoint).post('/payment').send(order(1)).expect(504)
  expect(await numbers(origin)).toMatchObject({
    'purveyor_adapter_duration_seconds_count{adapter="psp",call="start",outcome="failed"}': 1,
  })
})

test('who leaves before the answer is counted as one who left', async () => {
  const rendering = Promise.withResolvers<void>()
  const render = () => {
    rendering.resolve()
    return new Promise<never>(() => {})
  }
  const page = { render, submit: () => ({ status: 'pending' as const }) }
  const psp = { name: 'psp', methods: () => [], start: () => ({ page: true as const }), page }
  const { endpoint, origin, order } = await observedProvider({ payments: psp })
  const { body } = await supertest(endpoint).post('/payment').send(order(1)).expect(201)
  const call = request(`${origin}${new URL(body.payment_url).pathname}`)
  call.on('error', () => {})
  call.end()
  await rendering.promise
  call.destroy()
  const left = 'purveyor_request_duration_seconds_count{method="GET",route="/p/:token",status="499"}'
  await expect.poll(async () => (await numbers(origin))[left]).toBe(1)
})

test('a provider that was stopped starts again, with numbers from the start', async () => {
  const { provider, endpoint } = await observedProvider()
  await supertest(endpoint).get('/payment/1').expect(404)
  await provider.stop()
  await expect(provider.metrics()).rejects.toMatchObject({ code: 'METRICS_OFF' })
  const { url } = await provider.listen({ port: 0 })
  await supertest(url).get('/health/ready').expect(200)
  expect(Object.keys(await numbers(url)).filter((name) => name.includes('payment/:id'))).toEqual([])
})

test('rate adapters that are left alone are counted, by adapter, for all shops and for how many', async () => {
  const quote = () => Promise.reject(new Error('down'))
  const { provider, endpoint, origin } = await observedProvider({ rates: { name: 'carrier', quote } })
  const open = async () => {
    const { 'purveyor_rate_breakers_open{adapter="carrier",scope="all"}': all, ...others } =
      await numbers(origin)
    return [all, others['purveyor_rate_breakers_open{adapter="carrier",scope="shop"}']]
  }
  expect(await open()).toEqual([0, 0])
  for (let time = 0; time < 6; time++)
    await supertest(endpoint).post('/shipment_methods').send(checkout).expect(201)
  expect(await open()).toEqual([0, 1])
  const breaker = { adapter: 'carrier', shop: 'default', lastFailure: 'Error' }
  expect(provider.rates.openBreakers()).toMatchObject([breaker])
  expect(provider.rates.releaseBreakers('carrier')).toBe(1)
  expect(await open()).toEqual([0, 0])
})
