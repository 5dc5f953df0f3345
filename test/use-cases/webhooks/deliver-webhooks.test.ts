import { expect, test } from 'vitest'
import type { PaymentReport } from '../../../src/payments/report.ts'
import { StoreUnavailable } from '../../../src/store.ts'
import { reportPayment } from '../../../src/use-cases/payments/learn-payment.ts'
import { readStatus } from '../../../src/use-cases/payments/read-status.ts'
import { WebhookDelivery } from '../../../src/use-cases/webhooks/deliver-webhooks.ts'
import { payment } from '../../http/messages.ts'
import { sized } from '../../long.ts'
import { paymentsWith } from '../provider.ts'
import { runBackground } from '../run.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const paid = { status: 'paid', amount: '29.34', currency: 'eur' } as const

function setUp() {
  const moved = paymentsWith({ start: () => ({ redirect: 'https://psp.example/1' }) })
  const { workings } = moved
  const start = (id = 1001) => moved.start({ id })
  const report = (said: PaymentReport, orderId = 1001) => reportPayment(workings, { orderId }, said)
  /** Delivers what comes due within so many milliseconds, each at its own time, without the polls of the background between them. */
  const deliverFor = async (ms: number) => {
    const { store, world } = workings
    const end = world.now() + ms
    const delivery = new WebhookDelivery(workings)
    for (;;) {
      const due = await store.nextWebhookDue()
      if (due === undefined || due > end) break
      await moved.move(Math.max(0, due - world.now()))
      await delivery.deliverDue()
      await delivery.idle()
    }
  }
  return { ...moved, start, report, deliverFor }
}

test('a payment that leaves pending is delivered at once, with the order id and no status', async () => {
  const { start, report, move, calls, workings } = setUp()
  runBackground(workings)
  await start()
  await move(minute)
  expect(calls).toHaveLength(0)
  await report(paid)
  await move(0)
  expect(calls).toMatchObject([
    { url: payment().webhook_url, method: 'POST', body: '{"order_id":1001}', timeout: 15_000 },
  ])
  expect(await readStatus(workings, 'default', '1001')).toBe('paid')
  await move(sized(2, 24) * hour, minute)
  expect(calls).toHaveLength(1)
})

test('an order that is refused is sent again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, and then every 10 h', async () => {
  const { start, report, deliverFor, calls, receiver, world } = setUp()
  receiver.answer = async () => ({ status: 404 })
  await start()
  await report(paid)
  const from = world.now()
  await deliverFor(30 * hour)
  const waits = calls.map(({ at }, place) => Math.round((at - (calls[place - 1]?.at ?? from)) / second))
  expect(waits).toEqual([0, 5, 30, 120, 600, 1800, 3600, 7200, 14400, 36000, 36000])
})

test('what is owed for 14 days becomes a dead letter', async () => {
  const { start, report, deliverFor, receiver, workings, calls, world } = setUp()
  receiver.answer = () => Promise.reject(new Error('refused'))
  await start()
  await report(paid)
  const from = world.now()
  await deliverFor(30 * 24 * hour)
  expect(await workings.store.countWebhooks()).toMatchObject({ owed: 0, dead: 1 })
  expect(calls.at(-1)!.at - from).toBeGreaterThanOrEqual(14 * 24 * hour)
})

test('Retry-After is honoured', async () => {
  const { start, report, move, receiver, calls, workings } = setUp()
  receiver.answer = async () => (calls.length === 1 ? { status: 503, retryAfter: '600' } : { status: 200 })
  runBackground(workings)
  await start()
  await report(paid)
  await move(599 * second)
  expect(calls).toHaveLength(1)
  await move(2 * second)
  expect(calls).toHaveLength(2)
})

test('a status that changes during the call is delivered as well', async () => {
  const { start, report, move, receiver, calls, workings } = setUp()
  receiver.answer = async () => {
    if (calls.length === 1) await report(paid)
    return { status: 200 }
  }
  runBackground(workings)
  await start()
  await report({ status: 'cancelled' })
  await move(minute)
  expect(calls).toHaveLength(2)
  const { statusVersion, deliveredVersion } = (await workings.store.payment('default', '1001'))!
  expect([statusVersion, deliveredVersion]).toEqual([2, 2])
})

test('a receiver that hangs holds up nobody else', async () => {
  const { start, report, move, receiver, calls, workings } = setUp()
  let release = () => {}
  receiver.answer = (call) =>
    call.body.includes('1001')
      ? new Promise((resolve) => (release = () => resolve({ status: 200 })))
      : Promise.resolve({})
  runBackground(workings)
  await start(1001)
  await report(paid)
  await move(0)
  await start(1002)
  await report(paid, 1002)
  // Its outcome waits 40 ms for others.
  await move(40)
  expect(calls.map(({ body }) => body)).toEqual(['{"order_id":1001}', '{"order_id":1002}'])
  expect((await workings.store.payment('default', '1002'))?.deliveredVersion).toBe(1)
  release()
})

test('another process takes over 15 s after a deliverer died, and never while it lives', async () => {
  const { start, report, receiver, calls, workings, world, move, settle } = setUp()
  await start()
  await report(paid)
  receiver.answer = () => new Promise(() => {})
  // Its timers end with it, and so do its leases.
  let lives = true
  const after: typeof world.after = (ms, call) => world.after(ms, () => lives && call())
  const dying = new WebhookDelivery({ ...workings, world: { ...world, after } })
  const other = new WebhookDelivery(workings)
  await dying.deliverDue()
  await settle()
  receiver.answer = async () => ({ status: 200 })
  await move(60 * second)
  await other.deliverDue()
  lives = false
  await move(14 * second)
  await other.deliverDue()
  expect(calls).toHaveLength(1)
  await move(second)
  await other.deliverDue()
  await other.idle()
  expect(calls).toHaveLength(2)
  expect((await workings.store.payment('default', '1001'))?.deliveredVersion).toBe(1)
  expect(world.now()).toBeGreaterThan(0)
})

test('a hundred owed calls go out, at most 32 at a time', async () => {
  const { start, report, receiver, workings, settle } = setUp()
  let open = 0
  let most = 0
  receiver.answer = async () => {
    most = Math.max(most, ++open)
    await new Promise((resolve) => setImmediate(resolve))
    open--
    return { status: 200 }
  }
  for (let order = 1; order <= 100; order++) {
    await start(order)
    await report(paid, order)
  }
  const delivery = new WebhookDelivery(workings)
  await delivery.deliverDue()
  await delivery.idle()
  await settle()
  expect(most).toBe(32)
  expect(await workings.store.countWebhooks()).toMatchObject({ owed: 0, dead: 0 })
})

test('where half of the calls of a receiver hang, its other webhooks take the places of those that ended', async () => {
  const { start, report, receiver, workings, calls, settle } = setUp()
  const open: (() => void)[] = []
  receiver.answer = () => new Promise((resolve) => open.push(() => resolve({ status: 200 })))
  for (let order = 1; order <= 48; order++) {
    await start(order)
    await report(paid, order)
  }
  const delivery = new WebhookDelivery(workings)
  await delivery.deliverDue()
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
  await delivery.idle()
})

test('only leaving pending and a late paid owe a call', async () => {
  const { start, report, workings } = setUp()
  const owed = async () => (await workings.store.payment('default', '1001'))!.statusVersion
  await start()
  expect(await owed()).toBe(0)
  await report({ status: 'pending' })
  expect(await owed()).toBe(0)
  await report({ status: 'cancelled' })
  expect(await owed()).toBe(1)
  // Started again: pending once more, which the platform knows, for it asked for it.
  await start()
  expect(await owed()).toBe(1)
  await report({ status: 'expired' })
  expect(await owed()).toBe(2)
  await report(paid)
  expect(await owed()).toBe(3)
  await report(paid)
  await report({ ...paid, status: 'refunded' })
  expect(await owed()).toBe(3)
  expect((await workings.store.payment('default', '1001'))?.status).toBe('paid')
})

test('two deliverers side by side call each receiver once', async () => {
  const { start, report, receiver, workings, calls } = setUp()
  receiver.answer = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return { status: 204 }
  }
  for (let order = 1; order <= 60; order++) {
    await start(order)
    await report(paid, order)
  }
  const pair = [new WebhookDelivery(workings), new WebhookDelivery(workings)]
  await Promise.all(pair.map((one) => one.deliverDue()))
  await Promise.all(pair.map((one) => one.idle()))
  expect(calls).toHaveLength(60)
  expect(new Set(calls.map(({ body }) => body)).size).toBe(60)
})

test('a shorter Retry-After does not shorten the wait, and more than a day is a day', async () => {
  const { start, report, deliverFor, receiver, calls, world } = setUp()
  const asked = ['1', '9999999', 'nonsense']
  receiver.answer = async () => ({ status: 429, retryAfter: asked[calls.length - 1] })
  const from = world.now()
  await start()
  await report(paid)
  await deliverFor(25 * hour)
  const seconds = calls.slice(0, 4).map(({ at }) => Math.round((at - from) / second))
  expect(seconds).toEqual([0, 5, 5 + 24 * 3600, 5 + 24 * 3600 + 120])
})

test.each([
  [301, false],
  [204, true],
  [299, true],
  [404, false],
  [500, false],
])('an answer of %s settles: %s', async (status, settles) => {
  const { start, report, receiver, workings } = setUp()
  receiver.answer = async () => ({ status })
  await start()
  await report(paid)
  const delivery = new WebhookDelivery(workings)
  await delivery.deliverDue()
  await delivery.idle()
  expect((await workings.store.countWebhooks()).owed).toBe(settles ? 0 : 1)
})

test('a receiver that redirects is not followed, and its failure says so', async () => {
  const { start, report, receiver, workings } = setUp()
  receiver.answer = async () => ({ status: 302 })
  await start()
  await report(paid)
  const delivery = new WebhookDelivery(workings)
  await delivery.deliverDue()
  await delivery.idle()
  const [owed] = await workings.store.webhooks({ limit: 1 })
  expect(owed?.lastFailure).toBe('status 302, a redirect, which is not followed')
})

test('a receiver that is gone is not called any more, and an anomaly opens', async () => {
  const { start, report, move, receiver, calls, workings } = setUp()
  receiver.answer = async () => ({ status: 410 })
  runBackground(workings)
  await start()
  await report(paid)
  await move(sized(2, 48) * hour, minute)
  expect(calls).toHaveLength(1)
  expect(await workings.store.countWebhooks()).toMatchObject({ owed: 0, dead: 1 })
  const anomalies = await workings.store.anomalies({ limit: 10 })
  expect(anomalies.map(({ kind }) => kind)).toEqual(['webhook_gone'])
})

test('what cannot be noted is called again when the lease is over', async () => {
  const { start, report, move, workings, calls, lines } = setUp()
  const { settleWebhooks } = workings.store
  let down = true
  workings.store.settleWebhooks = (...args) =>
    down ? Promise.reject(new StoreUnavailable('locked')) : settleWebhooks(...args)
  runBackground(workings)
  await start()
  await report(paid)
  await move(10 * second)
  expect(calls).toHaveLength(1)
  down = false
  await move(12 * second)
  expect(calls).toHaveLength(2)
  expect(await workings.store.countWebhooks()).toMatchObject({ owed: 0, dead: 0 })
  expect(lines.map(({ message }) => message)).toContain('the store did not note a delivery')
})

test('background work that fails is tried again', async () => {
  const { start, report, move, workings, calls, lines } = setUp()
  const { claimWebhooks } = workings.store
  workings.store.claimWebhooks = () => Promise.reject(new Error('locked'))
  runBackground(workings)
  await start()
  await report(paid)
  await move(second)
  expect(calls).toHaveLength(0)
  workings.store.claimWebhooks = claimWebhooks
  await move(5 * second)
  expect(calls).toHaveLength(1)
  expect(lines.map(({ message }) => message)).toContain('background work failed, will be tried again')
})
