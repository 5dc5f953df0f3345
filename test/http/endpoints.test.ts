import { type Provider, type ProviderOptions, sqliteStore } from 'purveyor'
import { movableClock } from 'purveyor/testing'
import { expect, test } from 'vitest'
import { folderWith } from '../folder.ts'
import { keptLog, listening } from '../listening.ts'
import { onThisMachine, production } from '../production-store.ts'
import { checkout, payment, shopUrls } from './messages.ts'

async function running(options: Partial<ProviderOptions> = {}) {
  const { lines, logger } = keptLog()
  const made = await listening({
    ...production,
    logger,
    rates: { name: 'door', quote: () => [] },
    payments: { name: 'psp', methods: () => [], start: () => ({ redirect: 'https://psp.example/1' }) },
    ...options,
    http: { metricsToken: 'the-token-of-who-reads-numbers' },
  })
  const { provider } = made
  const url = onThisMachine(made)
  const call = async (path: string, { header, body }: { header?: string; body?: object } = {}) => {
    const { status } = await fetch(`${url}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(header !== undefined && { 'x-shop-id': header }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return status
  }
  const rates = (header?: string, id?: unknown) =>
    call('shipment_methods', {
      ...(header !== undefined && { header }),
      body: { ...checkout, shop: { ...checkout.shop, id } },
    })
  return { provider, call, rates, lines, bound: () => boundOf(provider) }
}

const boundOf = async (provider: Provider) => (await provider.shops.show('default')).platformId
const refusals = (code: string, count: number) =>
  expect.stringContaining(`purveyor_refused_total{code="${code}"} ${count}\n`)

test.each(['EVIL', '666'])('a GET with X-Shop-Id: %s does not shut the real shop out', async (header) => {
  const { call, rates, bound } = await running()
  await call('payment/1', { header })
  await call('nowhere', { header, body: {} })
  await call('shipment_methods', { header, body: { shop: 'broken', quote: 7 } })
  expect(await bound()).toBeUndefined()
  expect(await rates('4711')).toBe(201)
  expect(await bound()).toBe('4711')
})

test.each([
  ['text', 'EVIL'],
  ['a sign', '-7'],
  ['a fraction', '7.0'],
  ['leading zeros', '007'],
  ['two numbers', '7, 8'],
  ['more than JSON carries', '9007199254740993'],
  ['a long text', 'x'.repeat(5_000)],
])('a header of %s names no shop: refused, counted, logged once, nothing is bound', async (_what, header) => {
  const { provider, call, rates, lines, bound } = await running()
  expect([await rates(header), await rates(header, 4711)]).toEqual([404, 404])
  expect(await call('payment/1', { header })).toBe(404)
  expect(await bound()).toBeUndefined()
  expect(await provider.metrics()).toEqual(refusals('SHOP_ID_INVALID', 3))
  expect(lines.filter(({ code }) => code === 'SHOP_ID_INVALID')).toMatchObject([{ shop: 'default' }])
  // Ids of requests are random.
  const said = lines.map(({ requestId: _r, traceId: _t, time: _at, ...line }) => line)
  expect(JSON.stringify(said)).not.toContain(header)
})

test('a body whose shop.id is text binds nothing either', async () => {
  const { rates, bound } = await running()
  expect(await rates(undefined, 'EVIL')).toBe(404)
  expect([await rates(undefined, '4711'), await bound()]).toEqual([201, '4711'])
})

test('a header and a body that disagree are refused and bind nothing', async () => {
  const { provider, rates, lines, bound } = await running()
  expect(await rates('7', 8)).toBe(404)
  expect(await bound()).toBeUndefined()
  expect(await provider.metrics()).toEqual(refusals('OTHER_SHOP', 1))
  expect(lines).toMatchObject([{ level: 40, code: 'OTHER_SHOP', shop: 'default', platformId: '8' }])
  expect([await rates('7', 7), await bound()]).toEqual([201, '7'])
})

test('another shop learns nothing of a bound endpoint, whatever its body is', async () => {
  const { rates, call } = await running()
  expect(await rates('7')).toBe(201)
  for (const body of [{}, { shop: 'broken' }, payment()])
    expect(await call('payment', { header: '8', body })).toBe(404)
  expect(await call('shipment_methods', { header: '7', body: {} })).toBe(422)
})

test('POST payment, which names no shop in its body, binds by its header', async () => {
  const { call, bound } = await running()
  const body = { ...payment(), ...shopUrls }
  await call('payment', { body })
  expect(await bound()).toBeUndefined()
  await call('payment', { header: '4711', body: { ...body, webhook_url: undefined } })
  expect(await bound()).toBeUndefined()
  expect([await call('payment', { header: '4711', body }), await bound()]).toEqual([201, '4711'])
})

test('of shops that race for an endpoint one gets it, and the others are refused', async () => {
  const { rates, bound } = await running()
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, id) => rates(String(id))))
  const winner = Number(await bound())
  expect(statuses).toEqual(statuses.map((_, id) => (id === winner ? 201 : 404)))
})

test('bind corrects a wrongly bound endpoint, in every process within five seconds', async () => {
  const file = `${folderWith()}/shops.db`
  const clock = movableClock()
  const one = await running({ store: sqliteStore({ file }), clock })
  const two = await running({ store: sqliteStore({ file }), clock })
  expect([await one.rates('666'), await two.rates('666')]).toEqual([201, 201])
  expect([await one.rates('4711'), await two.rates('4711')]).toEqual([404, 404])

  await one.provider.shops.bind('default', '4711')
  clock.advance(5_000)
  for (const { rates } of [one, two]) expect([await rates('4711'), await rates('666')]).toEqual([201, 404])

  await two.provider.shops.bind('default', null, { by: 'alice' })
  clock.advance(5_000)
  expect([await one.rates(), await one.bound()]).toEqual([201, undefined])
  expect([await one.rates('8'), await two.bound()]).toEqual([201, '8'])
  const trail = await one.provider.shops.log('default')
  expect(trail.map(({ by, action }) => `${by} ${action}`)).toEqual([
    'provider shop.added',
    'provider platform.bound',
    'code platform.bound',
    'alice platform.unbound',
    'provider platform.bound',
  ])
})

test('a shop that another process removes a moment ago is not found, also by the call that would bind it', async () => {
  const file = `${folderWith()}/shops.db`
  const one = await running({ store: sqliteStore({ file }) })
  const two = await running({ store: sqliteStore({ file }) })
  expect(await one.rates()).toBe(201)
  await two.provider.shops.remove('default')
  expect(await one.rates('4711')).toBe(404)
})

test('bind refuses what is not an id, and a shop that is not there', async () => {
  const { provider, bound } = await running()
  const invalid = { code: 'PLATFORM_ID_INVALID' }
  for (const id of ['EVIL', '', '007', undefined as never, 7 as never]) {
    await expect(provider.shops.bind('default', id)).rejects.toMatchObject(invalid)
    if (id === undefined) continue
    await expect(provider.shops.add('x', { platformId: id })).rejects.toMatchObject(invalid)
  }
  await expect(provider.shops.bind('nobody', '7')).rejects.toMatchObject({ code: 'UNKNOWN_SHOP' })
  expect([await bound(), (await provider.shops.list()).length]).toEqual([undefined, 1])
})
