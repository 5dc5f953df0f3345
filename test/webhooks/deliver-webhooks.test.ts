import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/store.ts'
import { WebhookDelivery } from '../../src/webhooks/deliver-webhooks.ts'
import { deliverWebhooks } from '../background.ts'
import { hour, minute, paid, paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'
import { payment } from '../http/messages.ts'
import { sized } from '../long.ts'

const second = 1000

function setUp() {
  const moved = paymentsWith({})
  const { workings } = moved
  /** Delivers what comes due within so many milliseconds, each at its own time, without the polls of the background between them. */
  const deliverFor = async (ms: number) => {
    const { store, world } = workings
    const end = world.now() + ms
    for (;;) {
      const due = await store.nextWebhookDue()
      if (due === undefined || due > end) break
      await moved.move(Math.max(0, due - world.now()))
      await deliverWebhooks(workings)
    }
  }
  const payMany = async (orders: number) => {
    for (let order = 1; order <= orders; order++) await moved.pay(order)
  }
  /** The seconds from one call to the next, the first since `from`. */
  const waits = (from: number) =>
    moved.calls.map(({ at }, place) => Math.round((at - (moved.calls[place - 1]?.at ?? from)) / second))
  const count = () => workings.store.countWebhooks()
  return { ...moved, deliverFor, payMany, waits, count }
}

test('a payment that leaves pending is delivered at once, with the order id and no status', async () => {
  const { start, report, status, move, calls, workings } = setUp()
  runBackground(workings)
  await start()
  await move(minute)
  expect(calls).toHaveLength(0)
  await report(paid)
  await move(0)
  expect(calls).toMatchObject([
    { url: payment().webhook_url, method: 'POST', body: '{"order_id":1001}', timeout: 15_000 },
  ])
  expect(await status()).toBe('paid')
  await move(sized(2, 24) * hour, minute)
  expect(calls).toHaveLength(1)
})

test('an order that is refused is sent again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, and then every 10 h', async () => {
  const { pay, deliverFor, waits, receiver, world } = setUp()
  receiver.answer = async () => ({ status: 404 })
  await pay(1001)
  const from = world.now()
  await deliverFor(30 * hour)
  expect(waits(from)).toEqual([0, 5, 30, 120, 600, 1800, 3600, 7200, 14400, 36000, 36000])
})

test('what is owed for 14 days becomes a dead letter', async () => {
  const { pay, deliverFor, receiver, count, calls, world } = setUp()
  receiver.answer = () => Promise.reject(new Error('refused'))
  await pay(1001)
  const from = world.now()
  await deliverFor(30 * 24 * hour)
  expect(await count()).toMatchObject({ owed: 0, dead: 1 })
  expect(calls.at(-1)!.at - from).toBeGreaterThanOrEqual(14 * 24 * hour)
})

test.each([
  [
    ['1', '600', '9999999'],
    [0, 5, 600, 24 * 3600],
  ],
  [['nonsense'], [0, 5]],
])('Retry-After is honoured, up to a day, and never shortens the wait: %j', async (asked, expected) => {
  const { pay, deliverFor, waits, receiver, calls, world } = setUp()
  receiver.answer = async () => ({
    status: calls.length % 2 ? 503 : 429,
    retryAfter: asked[calls.length - 1],
  })
  const from = world.now()
  await pay(1001)
  await deliverFor(25 * hour)
  expect(waits(from).slice(0, expected.length)).toEqual(expected)
})

test('a status that changes during the call is delivered as well', async () => {
  const { start, report, move, receiver, calls, workings, stored } = setUp()
  receiver.answer = async () => {
    if (calls.length === 1) await report(paid)
    return { status: 200 }
  }
  runBackground(workings)
  await start()
  await report({ status: 'cancelled' })
  await move(minute)
  expect(calls).toHaveLength(2)
  expect(await stored()).toMatchObject({ statusVersion: 2, deliveredVersion: 2 })
})

test('another process takes over 15 s after a deliverer died, and never while it lives', async () => {
  const { pay, receiver, calls, workings, world, move, settle, stored } = setUp()
  let takenOver = 0
  world.observer = { ...world.observer, tookOver: () => void takenOver++ }
  await pay(1001)
  receiver.answer = () => new Promise(() => {})
  // Its timers end with it, and so do its leases.
  let lives = true
  const after: typeof world.after = (ms, call) => world.after(ms, () => lives && call())
  const dying = new WebhookDelivery({ ...workings, world: { ...world, after } })
  const other = new WebhookDelivery(workings)
  await dying.pool.wake()
  await settle()
  receiver.answer = async () => ({ status: 200 })
  await move(60 * second)
  await other.pool.wake()
  lives = false
  await move(14 * second)
  await other.pool.wake()
  expect([calls.length, takenOver]).toEqual([1, 0])
  await move(second)
  await other.pool.wake()
  await other.pool.idle()
  expect(calls).toHaveLength(2)
  expect((await stored()).deliveredVersion).toBe(1)
  expect(takenOver).toBe(1)
})

test('where half of the calls of a receiver hang, its other webhooks take the places of those that ended', async () => {
  const { payMany, receiver, workings, calls, settle } = setUp()
  const open: (() => void)[] = []
  receiver.answer = () => new Promise((resolve) => open.push(() => resolve({ status: 200 })))
  await payMany(48)
  const delivery = new WebhookDelivery(workings)
  await delivery.pool.wake()
  await settle()
  expect(calls).toHaveLength(32)
  for (const answer of open.splice(0, 15)) answer()
  await settle()
  // Claims one by one would cost as many commits.
  expect(calls).toHaveLength(32)
  open.shift()!()
  await settle()
  expect(calls).toHaveLength(48)
  for (const answer of open) answer()
  await delivery.pool.idle()
})

test('two deliverers side by side call each receiver once', async () => {
  const { payMany, receiver, workings, calls } = setUp()
  receiver.answer = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return { status: 204 }
  }
  await payMany(60)
  await deliverWebhooks(workings, 2)
  expect(calls).toHaveLength(60)
  expect(new Set(calls.map(({ body }) => body)).size).toBe(60)
})

test('a receiver that redirects is not followed, and its failure says so', async () => {
  const { pay, receiver, workings } = setUp()
  receiver.answer = async () => ({ status: 302 })
  await pay(1001)
  await deliverWebhooks(workings)
  const [owed] = await workings.store.webhooks({ limit: 1 })
  expect(owed?.lastFailure).toBe('status 302, a redirect, which is not followed')
})

test('a receiver that is gone is not called any more, and an anomaly opens', async () => {
  const { pay, move, receiver, calls, workings, count, anomalies } = setUp()
  receiver.answer = async () => ({ status: 410 })
  runBackground(workings)
  await pay(1001)
  await move(sized(2, 48) * hour, minute)
  expect(calls).toHaveLength(1)
  expect(await count()).toMatchObject({ owed: 0, dead: 1 })
  expect(await anomalies()).toEqual(['webhook_gone'])
})

test('what cannot be noted is called again when the lease is over', async () => {
  const { pay, move, workings, calls, lines, count } = setUp()
  const { settleWebhooks } = workings.store
  let down = true
  workings.store.settleWebhooks = (...args) =>
    down ? Promise.reject(new StoreUnavailable('locked')) : settleWebhooks(...args)
  runBackground(workings)
  await pay(1001)
  await move(10 * second)
  expect(calls).toHaveLength(1)
  down = false
  await move(12 * second)
  expect(calls).toHaveLength(2)
  expect(await count()).toMatchObject({ owed: 0, dead: 0 })
  expect(lines.map(({ message }) => message)).toContain('a delivery could not be stored')
})

test('background work that fails is tried again', async () => {
  const { pay, move, workings, calls, lines } = setUp()
  const { claimWebhooks } = workings.store
  workings.store.claimWebhooks = () => Promise.reject(new Error('locked'))
  runBackground(workings)
  await pay(1001)
  await move(second)
  expect(calls).toHaveLength(0)
  workings.store.claimWebhooks = claimWebhooks
  await move(5 * second)
  expect(calls).toHaveLength(1)
  expect(lines.map(({ message }) => message)).toContain('background work failed, will be tried again')
})

test('a pause of the store while a call is signed is no failure of the receiver: the call is made once the lease is over', async () => {
  const { pay, calls, workings, move, stored, count } = setUp()
  await pay(1001)
  const { webhookKeys } = workings.store
  workings.store.webhookKeys = () => Promise.reject(new StoreUnavailable('locked'))
  const delivery = new WebhookDelivery({ ...workings, signsWebhooks: true })
  const wake = () => delivery.pool.wake().then(() => delivery.pool.idle())
  await wake()
  workings.store.webhookKeys = webhookKeys
  expect(await workings.store.webhooks({ limit: 1 })).toMatchObject([{ tries: 0, lastFailure: undefined }])
  await move(15 * second)
  await wake()
  expect(calls).toMatchObject([{ headers: { 'webhook-signature': expect.any(String) } }])
  expect([(await stored()).deliveredVersion, (await count()).owed]).toEqual([1, 0])
})
