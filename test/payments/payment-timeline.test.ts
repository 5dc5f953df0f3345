import { expect, test } from 'vitest'
import { paymentTimeline, timelineWords } from '../../src/payments/payment-timeline.ts'
import { memoryStore } from '../../src/stores/memory.ts'

const method = { adapter: 'psp', methodId: 'card', mode: 'test' }
const attempt = { id: 'default.1', ...method, amount: '29.34', currency: 'eur', openedAt: 100, facts: [] }
const opened = 'attempt default.1 opened: 29.34 eur (test) by psp card'
const call = { ms: 12, version: 1, status: 200, failure: undefined, answer: '' }

/** The timeline of an order as the store has it, as `at what`. */
async function events(stored: {
  attempts: object[]
  calls?: object[]
  anomalies?: object[]
  requests?: object[]
  readAt?: number
}) {
  const { attempts, calls = [], anomalies = [], requests = [], readAt } = stored
  const store = {
    ...memoryStore(),
    moneyRequests: async () => requests,
    payment: async () => ({ attempts, readAt, readVersion: 1 }),
    deliveries: async () => calls,
    anomalies: async () => anomalies,
  }
  const timeline = await paymentTimeline(store as never, 'default', '1')
  return timeline!.events.map((event) => `${event.at} ${timelineWords(event)}`)
}

test('all that happened to a payment is in the order in which it happened', async () => {
  const facts = [
    { kind: 'pending', source: 'push', at: 130, detail: 'open' },
    { kind: 'paid', amount: '29.34', currency: 'eur', mode: 'test', source: 'push', at: 300 },
  ]
  const times = { openedAt: 310, closedAt: 900 }
  const anomaly = { kind: 'overpaid', attemptId: 'default.1', event: '', ...times, note: 'paid back' }
  const first = { ...call, at: 400, failure: 'no answer within 15 s' }
  const attempts = [{ ...attempt, facts, started: { how: 'redirect', reference: 'tr_7' } }]
  const calls = [{ version: 1, calls: 3, first, last: { ...call, at: 600 } }]
  expect(await events({ attempts, calls, anomalies: [anomaly], readAt: 200 })).toEqual([
    `100 ${opened}; redirect, reference tr_7`,
    '130 attempt default.1: pending (push) open',
    '200 the shop read status version 1',
    '300 attempt default.1: paid 29.34 eur test (push)',
    '310 anomaly overpaid opened for attempt default.1',
    '400 webhook for status version 1: failed: no answer within 15 s in 12 ms',
    '600 webhook for status version 1: answered 200 in 12 ms (last of 3 deliveries)',
    '900 anomaly overpaid closed: paid back',
  ])
})

test('an attempt whose start has no outcome, or no reference, says so', async () => {
  const attempts = [attempt, { ...attempt, openedAt: 200, started: { how: 'page' } }]
  const words = [`100 ${opened}; the outcome of the start is unknown`, `200 ${opened}; page`]
  expect(await events({ attempts })).toEqual(words)
})

test('an order that the shop has no payment of has no timeline', async () => {
  const store = memoryStore()
  await store.open()
  expect(await paymentTimeline(store, 'default', '1')).toBeUndefined()
})

test('a refund that was asked for is there with its key, also while its outcome is unknown', async () => {
  const about = { kind: 'refund', attemptId: 'default.1', amount: '5.00', currency: 'eur' }
  const requests = [
    { ...about, key: 'k1', askedAt: 200, outcome: undefined },
    { ...about, key: 'k2', askedAt: 300, outcome: 'refused', detail: 'too old' },
    { ...about, key: 'k3', askedAt: 400, outcome: 'done' },
  ]
  const refund = 'refund of 5.00 eur of attempt default.1 asked for with key'
  expect(await events({ attempts: [attempt], requests })).toEqual([
    `100 ${opened}; the outcome of the start is unknown`,
    `200 ${refund} k1: its outcome is unknown; the same command asks again`,
    `300 ${refund} k2: refused: too old`,
    `400 ${refund} k3: done`,
  ])
})
