import { expect, onTestFinished, test } from 'vitest'
import type { StorePort } from '../../src/store-port.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sharedPostgres } from '../postgres.ts'
import { startProxy } from '../proxy.ts'
import {
  again,
  asReported,
  at,
  delivered,
  failed,
  minute,
  open,
  openOwed,
  paid,
  redirect,
  start,
  times,
} from './cases/store-case.ts'
import { clientOf, opened } from './opened.ts'

const server = await sharedPostgres()

/** A store behind a network on which an answer takes 30 ms. */
async function farStore() {
  const proxy = await startProxy(server.port, { delay: 30 })
  onTestFinished(() => proxy.close())
  const url = await server.databaseWithTables()
  const store = await opened(postgresStore({ url: proxy.through(url), connections: 4 }))
  const near = await opened(postgresStore({ url }))
  // Each connection is new once, and each query is prepared once.
  async function flights(command: () => Promise<unknown>): Promise<number> {
    const before = proxy.flights
    await command()
    return proxy.flights - before
  }
  return { store, near, flights }
}

test('each command asks a far server as seldom as it can', async () => {
  const { store, near, flights } = await farStore()
  // The first command opens the connection.
  await store.openAttempt(open({ orderId: 'first' }))

  const { attempt } = await near.openAttempt(open({ orderId: '1' }))
  const orders = Array.from({ length: 20 }, (_, order) => open({ orderId: `a${order}` }))
  const counted = {
    openAttempt: await flights(() => store.openAttempt(open({ orderId: '2' }))),
    'openAttempt, again': await flights(() => store.openAttempt(open({ orderId: '2' }))),
    '20 of openAttempt': await flights(() => Promise.all(orders.map((one) => store.openAttempt(one)))),
    noteStart: await flights(() => store.noteStart(attempt, redirect, times(60))),
    learn: await flights(() => store.learn('default', '1', attempt.id, [paid], asReported)),
    'learn, nothing new': await flights(() => store.learn('default', '1', attempt.id, [paid], asReported)),
    noteRead: await flights(() => store.noteRead('default', '1', 1, start)),
    payment: await flights(() => store.payment('default', '1')),
    shop: await flights(() => store.shop('default')),
    shopByEndpoint: await flights(() => store.shopByEndpoint('h', start)),
    countAll: await flights(() => store.countAll(start)),
  }
  expect(counted).toEqual({
    openAttempt: 2,
    'openAttempt, again': 2,
    // They may be those of several transactions side by side.
    '20 of openAttempt': expect.toBeOneOf([2, 4, 6, 8]),
    noteStart: 2,
    learn: 2,
    'learn, nothing new': 2,
    noteRead: 2,
    payment: 1,
    shop: 1,
    shopByEndpoint: 1,
    countAll: 1,
  })
})

test('so do claims and what becomes of their calls', async () => {
  const { store, near, flights } = await farStore()
  for (let order = 0; order < 300; order++)
    await openOwed(near, { shopId: `shop-${order % 20}`, orderId: `owed-${order}` })
  await store.openAttempt(open({ orderId: 'first' }))
  type Webhooks = Awaited<ReturnType<StorePort['claimWebhooks']>>
  let webhooks: Webhooks = []
  const next = { ...at(start + minute), perLane: 32, limit: 256 }
  const claiming = await flights(async () => {
    webhooks = await store.claimWebhooks(next)
  })
  expect([webhooks.length, claiming]).toEqual([256, 3])
  const [one, other, ...others] = webhooks
  expect(await flights(() => store.settleWebhook(one!, delivered()))).toBe(2)

  const batchOf = (some: Webhooks) => some.map((owed) => ({ owed, call: delivered() }))
  let settled: Awaited<ReturnType<StorePort['settleWebhooks']>> | undefined
  const settle = (some: Webhooks) => async () => {
    settled = await store.settleWebhooks(batchOf(some))
  }
  expect(await flights(settle(others.slice(0, 128)))).toBe(2)
  expect(settled).toEqual([])
  const late = again(start + 9 * minute)
  expect(await flights(() => store.postponeWebhook(other!, failed(), late))).toBeLessThanOrEqual(3)
})

/** A store, and another client of its server. */
async function withStranger() {
  const url = await server.databaseWithTables()
  return { store: await opened(postgresStore({ url })), stranger: await clientOf(url) }
}

test('a claim of all that is due leaves out a call whose row another client has locked', async () => {
  const { store, stranger } = await withStranger()
  for (const orderId of ['1', '2']) await openOwed(store, { orderId })
  await stranger.query('begin')
  await stranger.query("select 1 from webhooks where order_id = '1' for update")
  const claimed = await store.claimWebhooks({ ...at(start + minute), limit: 2 })
  expect(claimed.map(({ orderId }) => orderId)).toEqual(['2'])
  await stranger.query('rollback')
})

test('a lock that a stranger takes anywhere on the server stops no write', async () => {
  const { store, stranger } = await withStranger()
  await stranger.query('select pg_advisory_lock(7236844117)')
  const isOurs = await stranger.query(
    `select 1 from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()`,
  )
  expect((await store.openAttempt(open({ orderId: '1' }))).payment.attempts).toHaveLength(1)
  expect(isOurs.rowCount).toBe(0)
})
