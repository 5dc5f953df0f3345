import { expect, test } from 'vitest'
import { z } from 'zod'
import { paymentAdapter } from '../../src/index.ts'
import { keptLog, listening } from '../listening.ts'
import { payment } from './messages.ts'
import { postJson } from './post.ts'

/** Two shops of one account: each signs with a key of its own, and its pushes come to one address. */
async function withAccount() {
  const log = keptLog()
  const started: string[] = []
  const { provider } = await listening({
    logger: log.logger,
    payments: paymentAdapter({
      name: 'psp',
      settings: z.object({ key: z.string() }),
      methods: () => [{ id: 'psp', title: 'Pay', price_incl: 0, price_excl: 0, tax_rate: 0 }],
      start({ id, orderId }, { shop }) {
        started.push(id)
        return { later: true, reference: orderId === '7' ? 'same' : `${shop.id} ${orderId}` }
      },
      push: {
        verify: ({ headers }, { settings }) => headers['x-key'] === settings.key,
        read: ({ body }) => JSON.parse(body.toString()).reports,
        owner: ({ body }) => JSON.parse(body.toString()).owner,
        challenge: ({ query }, { shop }) => (query === 'challenge' ? shop.id : undefined),
      },
    }),
  })
  const endpoints: Record<string, string> = {}
  for (const shop of ['one', 'two']) {
    const settings = { adapters: { psp: { key: `key of ${shop}` } } }
    endpoints[shop] = (await provider.shops.add(shop, { settings })).endpoint
  }
  const [, shared] = (await provider.shops.show('two', { reveal: true })).pushAddresses!
  const paid = { status: 'paid', amount: '29.34', currency: 'eur', event: 'tr_1' }
  return {
    ...{ provider, started, log, shared: shared! },
    start: (shop: string, id: number) => postJson(`${endpoints[shop]}/payment`, payment({ id })),
    push: async (owner: unknown, key: string, reference: unknown = 'two 1') => {
      const body = { owner, reports: [{ reference, report: paid }] }
      return postJson(shared!.url, body, { 'x-key': key })
    },
    status: async (shop: string, orderId = 1) => (await provider.payments.get({ shop, orderId }))?.status,
  }
}

test('all shops of an account have one push address, and a push reaches the shop that it names or its payment', async () => {
  const { provider, shared, start, push, status, started } = await withAccount()
  expect(shared).toMatchObject({ adapter: 'psp', ofAllShops: true })
  const ofOne = (await provider.shops.show('one', { reveal: true })).pushAddresses!
  expect(ofOne[1]).toEqual(shared)
  for (const shop of ['one', 'two']) for (const id of [1, 2, 3]) await start(shop, id)

  expect((await push({ shop: 'two' }, 'key of two')).status).toBe(204)
  await expect.poll(() => status('two')).toBe('paid')
  expect((await push({ reference: 'one 2' }, 'key of one', 'one 2')).status).toBe(204)
  await expect.poll(() => status('one', 2)).toBe('paid')
  expect((await push({ attemptId: started.at(-1) }, 'key of two', 'two 3')).status).toBe(204)
  await expect.poll(() => status('two', 3)).toBe('paid')
  expect([await status('one'), await status('two', 2)]).toEqual(['pending', 'pending'])
})

test('a push at the shared address is verified with the key of its shop, and pays for no other shop', async () => {
  const { provider, start, push, status, log, shared } = await withAccount()
  for (const shop of ['one', 'two']) for (const id of [1, 7]) await start(shop, id)
  // Whoever holds the key of one shop names another.
  expect((await push({ shop: 'two' }, 'key of one')).status).toBe(401)
  expect((await push({ reference: 'two 1' }, 'key of one')).status).toBe(401)
  expect((await push({ shop: 'one' }, 'key of one')).status).toBe(204)
  expect((await push({ ignored: 'of another system' }, '')).status).toBe(204)
  for (const owner of [{ shop: 'gone' }, { reference: 'gone' }, { reference: 'same' }, {}, 'shop', null]) {
    const refused = await push(owner, 'key of two')
    expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'PUSH_WITHOUT_SHOP' }])
  }
  expect(log.lines.some(({ err }) => /The shops one and two both have/.test(err?.message))).toBe(true)
  expect(await (await fetch(`${shared.url}?challenge`)).json()).toMatchObject({ code: 'PUSH_WITHOUT_SHOP' })
  await expect.poll(async () => (await provider.metrics()).includes('outcome="ignored"')).toBe(true)
  expect([await status('one'), await status('two')]).toEqual(['pending', 'pending'])
})

test('an adapter without `owner` has no shared address', async () => {
  const push = { verify: () => true, read: () => [] }
  const psp = { name: 'psp', methods: () => [], start: () => ({ later: true as const }), push }
  const { provider } = await listening({ payments: psp })
  expect((await provider.shops.show('default', { reveal: true })).pushAddresses).toHaveLength(1)
})
