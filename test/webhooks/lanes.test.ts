import { expect, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { allShops, type LanesAsked, listLanes, openLane } from '../../src/webhooks/lanes.ts'

const now = 1_000_000
const idle = { open: 0, closedAt: undefined, probeAt: undefined, dueAt: undefined, waitingSince: undefined }
const about = { kind: 'webhook', shopId: 'one', to: 'shop.example' }
const lane = { ...about, waiting: 3, failures: 2, lastFailure: 'answered 500', ...idle }
const times = { since: 400_000, nextTry: 900_000 }
const breaker = { adapter: 'courier', shopId: undefined, ...times, lastFailure: 'x', nodes: 2 }

/** The listed lanes and breakers. */
function listed(
  lanes: object[],
  breakers: object[] = [],
  asked: Partial<LanesAsked> = {},
  outages: object[] = [],
  failures: object[] = [],
) {
  const store = {
    ...memoryStore(),
    lanes: async () => lanes,
    breakers: async () => breakers,
    rateOutages: async () => outages,
    serviceFailures: async () => [],
    laneFailures: async () => failures,
  }
  return listLanes(store as never, { now, limit: 10, ...asked })
}

test('the lane that waits longest comes first, of webhooks, pushes and rates, up to the limit', async () => {
  const lanes = [
    { ...lane, to: 'late', waitingSince: 700_000 },
    { ...lane, to: 'idle' },
    { ...lane, to: 'early', waitingSince: 100_000 },
    { ...lane, to: 'closed', waitingSince: 650_000, closedAt: 600_000, probeAt: 1_100_000 },
  ]
  const order = 'early courier closed late idle'.split(' ')
  for (const limit of [10, 2])
    expect((await listed(lanes, [breaker], { limit })).map(({ to }) => to)).toEqual(order.slice(0, limit))
})

test('a lane is open, closed or probing, and says when something is tried next', async () => {
  const views = await listed([
    { ...lane, to: 'open', dueAt: 1_000_500, waitingSince: 900_000 },
    { ...lane, to: 'due', dueAt: 999_000, waitingSince: 910_000 },
    { ...lane, to: 'closed', dueAt: 999_000, probeAt: 1_300_000, closedAt: 800_000, waitingSince: 100_000 },
    { ...lane, to: 'older', dueAt: 1_400_000, probeAt: 1_300_000, waitingSince: 700_000 },
    { ...lane, to: 'probing', probeAt: 1_300_000, closedAt: 600_000, open: 1 },
  ])
  expect(views.map(({ to, state, since, nextTryAt }) => [to, state, since, nextTryAt])).toEqual([
    ['probing', 'probing', 600_000, undefined],
    ['older', 'closed', 700_000, 1_300_000],
    ['closed', 'closed', 800_000, 1_300_000],
    ['open', 'open', 900_000, 1_000_500],
    ['due', 'open', 910_000, now],
  ])
})

test('rates that are left out for all shops or for one are a lane too', async () => {
  const ofOne = { ...breaker, shopId: 'one', since: 500_000, nextTry: 1_200_000 }
  const [all, one] = await listed([], [breaker, ofOne])
  expect(all).toEqual({
    kind: 'rates',
    shopId: allShops,
    to: 'courier',
    state: 'closed',
    since: 400_000,
    nextTryAt: now,
    waiting: 0,
    refused: 0,
    failures: undefined,
    lastFailure: 'x',
    nodes: 2,
    outages: [],
  })
  expect(one).toMatchObject({ shopId: 'one', nextTryAt: 1_200_000 })
})

test('of the outages of rates the last one comes first', async () => {
  const outage = (endedAt: number) => ({ adapter: 'courier', shopId: undefined, endedAt })
  // As the store lists them.
  const [lane] = await listed([], [], { endedSince: 0 }, [outage(200_000), outage(300_000)])
  expect(lane?.outages.map(({ endedAt }) => endedAt)).toEqual([300_000, 200_000])
})

test.each([
  [undefined, ['webhook', 'rates']],
  ['rates', ['rates']],
  ['webhook', ['webhook']],
  ['push', ['webhook']],
] as const)('of the kind %s only those are looked up', async (kind, kinds) => {
  const views = await listed([{ ...lane, waitingSince: 1 }], [breaker], { kind })
  expect(views.map((view) => view.kind)).toEqual(kinds)
})

test('a lane of rates is opened on the nodes that leave the adapter out, for all shops or for one', async () => {
  const released: unknown[] = []
  const store = {
    ...memoryStore(),
    releaseBreakers: async (...asked: unknown[]) => (released.push(asked) === 1 ? 2 : 0),
    openLane: async ({ to }: { to: string }) => (to === 'shop.example' ? 7 : undefined),
  } as never
  const open = (kind: 'rates' | 'webhook', shopId: string, to: string, how?: { by: string }) =>
    openLane(store, { kind, shopId, to }, now, how)
  expect(await open('rates', allShops, 'courier')).toEqual({ due: 0, nodes: 2 })
  expect(await open('rates', 'one', 'courier', { by: 'ann' })).toBeUndefined()
  expect(released).toEqual([
    [{ adapter: 'courier', shopId: undefined }, now, 'code'],
    [{ adapter: 'courier', shopId: 'one' }, now, 'ann'],
  ])
  expect(await open('webhook', 'one', 'shop.example')).toEqual({ due: 7, nodes: 0 })
  expect(await open('webhook', 'one', 'other.example')).toBeUndefined()
})

test('an open lane shows why its calls wait, also after a success of another call', async () => {
  const waiting = { ...lane, kind: 'push', to: 'psp', waiting: 1, refused: 0, lastFailure: undefined }
  const failure = 'no answer within 2000 ms'
  const [view] = await listed([waiting], [], {}, [], [{ failure, calls: 1, orderId: undefined }])
  expect(view).toMatchObject({ state: 'open', lastFailure: failure })
})

test('starts of a shop fail by its own calls on any node, and not by those of another shop', async () => {
  const row = { kind: 'start', adapter: 'psp', calls: 2, failure: 'down', firstAt: now - 300_000 }
  const failures = [
    { ...row, shopId: 'one', lastAt: now - 200_000, okAt: now - 90_000 },
    { ...row, shopId: 'one', lastAt: now - 120_000, okAt: undefined },
    { ...row, shopId: 'two', lastAt: now - 1_000, okAt: undefined },
  ]
  const store = { ...memoryStore(), serviceFailures: async () => failures } as never
  const starts = (shopId?: string) =>
    listLanes(store, { kind: 'starts', shopId, now, limit: 10, endedSince: 0 })
  const outages = [{ beganAt: now - 300_000, endedAt: now - 90_000, calls: 4, shops: ['one', 'two'] }]
  expect(await starts('one')).toMatchObject([{ state: 'open', failures: undefined, outages }])
  expect(await starts('two')).toMatchObject([{ state: 'failing', failures: 2, shops: ['one', 'two'] }])
  expect(await starts()).toMatchObject([{ state: 'failing', failures: 6 }])
})
