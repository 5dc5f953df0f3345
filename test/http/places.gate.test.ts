import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { html } from '../../src/index.ts'
import { StoreUnavailable } from '../../src/store.ts'
import type { StorePort } from '../../src/store-port.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { listening } from '../listening.ts'
import { stillClock } from '../still-clock.ts'
import { checkout, payment } from './messages.ts'

const folder = folderWith()

type LookUp = 'shopByEndpoint' | 'attemptByPage' | 'shopByPushToken'
const lookUps: LookUp[] = ['shopByEndpoint', 'attemptByPage', 'shopByPushToken']

/** A store whose look-ups of tokens can be held up. */
function slowStore(store: StorePort = memoryStore()) {
  const held: { name: LookUp; go: (error?: Error) => void }[] = []
  const state = { hold: false, asked: 0 }
  const slow = (name: LookUp) =>
    async function lookUp(...of: unknown[]) {
      state.asked++
      if (state.hold)
        await new Promise<void>((resolve, reject) => {
          held.push({ name, go: (error) => (error ? reject(error) : resolve()) })
        })
      return (store[name] as (...of: unknown[]) => unknown)(...of)
    }
  return {
    store: { ...store, ...Object.fromEntries(lookUps.map((name) => [name, slow(name)])) } as StorePort,
    state,
    /** Lets look-ups go on that are under way, one for each that is given. */
    release: (count = held.length, error?: Error) => {
      for (const { go } of held.splice(0, count)) go(error)
    },
    held,
  }
}

async function provide(given?: StorePort) {
  const slow = slowStore(given)
  const clock = stillClock()
  let pushUrl = ''
  const { provider, endpoint, url } = await listening({
    store: slow.store,
    clock,
    rates: { name: 'a', quote: () => [] },
    payments: {
      name: 'page',
      methods: () => [{ id: 'card', title: 'Card' }],
      start(_attempt, ctx) {
        pushUrl = ctx.pushUrl!
        return { page: true }
      },
      page: { render: () => html`<p>Pay</p>`, submit: () => ({ status: 'pending' as const }) },
      push: { verify: () => true, read: () => [] },
    },
  })
  const { body } = await supertest(endpoint)
    .post('/payment')
    .send(payment({ method: 'page:card' }))
  const strangers = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      knock(url, at).then(({ status, headers }) => ({ status, headers })),
    )
  const push = () => supertest(pushUrl).post('').send('{}').then(statusOf)
  const made = { provider, clock, endpoint, url, pageUrl: String(body.payment_url), pushUrl }
  return { ...slow, ...made, strangers, push }
}
const statusOf = ({ status }: { status: number }) => status
const quote = (endpoint: string) =>
  supertest(endpoint).post('/shipment_methods').send(checkout).then(statusOf)

const unknown = (at: number) => String(at).padStart(43, 'x')
const paths = [
  (at: number) => `/e/${unknown(at)}/payment/1`,
  (at: number) => `/p/${unknown(at)}`,
  (at: number) => `/n/page/${unknown(at)}`,
]
const knock = (url: string, at: number) => {
  const path = paths[at % paths.length]!(at)
  return fetch(`${url}${path}`, { method: path.startsWith('/n/') ? 'POST' : 'GET' })
}

async function until(holds: () => boolean) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('unknown tokens wait for each other, and known ones for none of them', async () => {
  const { endpoint, pageUrl, push, clock, state, held, release, strangers } = await provide()
  await push()
  // Past the time for which a shop is remembered, so that the store is asked again.
  clock.advance(60_000)
  state.hold = true
  const unknown = strangers(60)
  await until(() => held.length === 4)
  const known = [quote(endpoint), fetch(pageUrl).then(statusOf), push()]
  await until(() => held.length === 7)
  const looked = held.slice(4).map(({ name }) => name)
  expect(looked.sort()).toEqual([...lookUps].sort())
  for (const { go } of held.splice(4)) go()
  expect(await Promise.all(known)).toEqual([201, 200, 204])
  state.hold = false
  release()
  expect(new Set((await Promise.all(unknown)).map(statusOf))).toEqual(new Set([404]))
})

test('whoever waits for 2 s is answered 429, with a valid token or not, and counted', async () => {
  const { provider, state, held, release, clock, strangers } = await provide()
  state.hold = true
  const { endpoint: fresh } = await provider.shops.add('fresh')
  let arrived = 0
  const count = () => void arrived++
  subscribe('http.server.request.start', count)
  onTestFinished(() => void unsubscribe('http.server.request.start', count))
  const unknown = strangers(100)
  await until(() => held.length === 4)
  const early = quote(fresh)
  // The last of them waits: no request is handled before its turn.
  await until(() => arrived === 101)
  await new Promise(setImmediate)
  clock.advance(2_000)
  expect(await early).toBe(429)
  state.hold = false
  release()
  const answers = await Promise.all(unknown)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(4)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(96)
  expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']))
  expect(await provider.metrics()).toContain('purveyor_refused_total{code="TOO_MANY_STRANGERS"} 97')
  // A valid token is served at its first visit.
  expect(await quote(fresh)).toBe(201)
})

test('a place is free again after a look-up that fails, an address without a token, and a peer that leaves', async () => {
  const { url, state, held, release, strangers } = await provide()
  state.hold = true
  const failing = strangers(4)
  await until(() => held.length === 4)
  release(4, new StoreUnavailable('gone'))
  expect((await Promise.all(failing)).map(statusOf)).toEqual(Array(4).fill(503))
  for (let call = 0; call < 5; call++) expect((await fetch(`${url}/nowhere`)).status).toBe(404)
  const leave = new AbortController()
  const left = Array.from({ length: 20 }, (_, at) =>
    fetch(`${url}/p/${unknown(at)}`, { signal: leave.signal }).catch(() => {}),
  )
  await until(() => held.length === 4)
  state.hold = false
  leave.abort()
  await Promise.all(left)
  // Those that left give their places back although the store still looks for their tokens.
  expect((await Promise.all(strangers(4))).map(statusOf)).toEqual(Array(4).fill(404))
  expect(held).toHaveLength(4)
  release()
})

test.each([
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore({ file: join(folder, 'store.db') })],
])('after a restart known shops wait for no stranger: %s', async (_kind, open) => {
  const store = open()
  onTestFinished(() => store.close())
  const kept = { ...store, close: async () => {} }
  const before = await provide(kept)
  await before.push()
  const paths = [new URL(before.pushUrl).pathname]
  for (let shop = 0; shop < 50; shop++) {
    const { endpoint } = await before.provider.shops.add(`shop-${shop}`)
    paths.push(`${new URL(endpoint).pathname}/shipment_methods`)
  }
  await before.provider.stop()

  const { url, state, held, release, strangers } = await provide(kept)
  state.hold = true
  const unknown = strangers(60)
  await until(() => held.length === 4)
  const calls = paths.map((path) => supertest(url).post(path).send(checkout).then(statusOf))
  await until(() => held.length === 4 + paths.length)
  for (const { go } of held.splice(4)) go()
  const [pushed, ...answers] = await Promise.all(calls)
  expect([pushed, new Set(answers)]).toEqual([204, new Set([201])])
  state.hold = false
  release()
  await Promise.all(unknown)
})

test('strangers who send a form slowly keep no place', async () => {
  const { url } = await provide()
  const { host, hostname, port } = new URL(url)
  const headers = `Host: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10`
  const slow = Array.from({ length: 4 }, (_, at) => {
    const socket = connect(Number(port), hostname)
    socket.write(`POST /p/${unknown(at)} HTTP/1.1\r\n${headers}\r\n\r\n`)
    return socket
  })
  onTestFinished(() => slow.forEach((socket) => void socket.destroy()))
  for (const [answer] of await Promise.all(slow.map((socket) => once(socket, 'data'))))
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 /)
  expect((await knock(url, 1)).status).toBe(404)
})

test('readiness asks the store once a second at most, for nothing that grows', async () => {
  const { url, state, store } = await provide()
  const { countWebhooks, countAll } = store
  const counting = () => {
    throw new Error('counts every owed call')
  }
  Object.assign(store, { countWebhooks: counting, countAll: counting })
  const before = state.asked
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/health/ready`)))
  const seconds = Math.ceil((performance.now() - began) / 1_000)
  Object.assign(store, { countWebhooks, countAll })
  expect(new Set(answers.map(statusOf))).toEqual(new Set([200]))
  expect(state.asked - before).toBeLessThanOrEqual(seconds + 1)
})
