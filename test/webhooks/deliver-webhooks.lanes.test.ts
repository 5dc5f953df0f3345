import { expect, test } from 'vitest'
import { readStatus } from '../../src/payments/read-status.ts'
import { Background } from '../../src/provider/background.ts'
import { listLanes, openLane } from '../../src/webhooks/lanes.ts'
import { hour, minute, paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'
import { isLong, sized } from '../long.ts'

const second = 1000
/** Good orders that come for 50 minutes. */
const good = sized(100, 300)
const between = (50 * minute) / good

/** A provider whose shop is called about paid orders, by a receiver that answers each order as the test says. */
async function delivering() {
  const moved = paymentsWith({})
  const { workings } = moved
  const answers = new Map<string, number | 'fault'>()
  const heard = new Set<string>()
  moved.receiver.answer = async ({ body }) => {
    const order = String((JSON.parse(body) as { order_id: number }).order_id)
    const answer = answers.get(order) ?? 200
    if (answer === 'fault') throw new Error('connect ECONNREFUSED')
    if (answer === 200) {
      heard.add(order)
      await readStatus(workings, 'default', order)
    }
    return { status: answer }
  }
  /** Orders that are paid, about which the shop is called: it answers with this. */
  const payAll = async (orders: number[], answer: number | 'fault') => {
    for (const order of orders) {
      answers.set(`${order}`, answer)
      await moved.pay(order)
    }
  }
  return {
    ...moved,
    answers,
    payAll,
    /** The good orders, from this number on. */
    async payGood(from: number) {
      for (let order = 0; order < good; order++) {
        await moved.pay(from + order)
        await moved.move(between)
      }
    },
    heard,
    background: runBackground(moved.workings),
    callsOf: (order: number) => moved.calls.filter(({ body }) => body.includes(`:${order}}`)),
    lanes: () => listLanes(workings.store, { now: moved.world.now(), limit: 10 }),
  }
}

test.each([404, 500])(
  'three orders that fail with %s beside good ones are called on their own schedule alone',
  async (status) => {
    const { payAll, payGood, heard, callsOf } = await delivering()
    await payAll([1, 2, 3], status)
    await payGood(4)
    expect(heard.size).toBe(good)
    // At 0 s, 5 s, 30 s, 2 min, 10 min and 30 min.
    for (const bad of [1, 2, 3]) expect(callsOf(bad)).toHaveLength(6)
  },
)

test('five orders that fail with 500 close the lane, and five openings at most call each again, however long good ones come', async () => {
  const { payAll, payGood, move, heard, callsOf } = await delivering()
  await payAll([1, 2, 3, 4, 5], 500)
  await payGood(6)
  await move(5 * minute)
  expect(heard.size).toBe(good)
  // Six times by its own schedule.
  for (const bad of [1, 2, 3, 4, 5]) expect(callsOf(bad).length).toBeLessThanOrEqual(11)
})

/** In the short form those of the contract, the ends of each hundred, and every sixteenth beside them. */
const codes = Array.from({ length: 500 }, (_, number) => 100 + number).filter(
  (code) =>
    isLong ||
    code % 16 === 0 ||
    [0, 1, 99].includes(code % 100) ||
    [204, 403, 404, 408, 409, 410, 411, 429, 451].includes(code),
)

/** What an answer does, by its code: the webhook is settled, given up, waits alone, or its failure counts against the lane. */
function effectOf(code: number): string {
  if (code >= 200 && code < 300) return 'settled'
  if (code === 410) return 'given up'
  return code >= 400 && code < 500 && code !== 408 && code !== 429 ? 'waits alone' : 'counts'
}

test('an answer of each code from 100 to 599 settles, waits alone, counts against its lane or is given up', async () => {
  const { pay, move, answers, callsOf, workings, world } = await delivering()
  for (const code of codes) {
    answers.set(`${code}`, code)
    await pay(code, `https://answers${code}.example/`)
  }
  await move(second)
  const lanes = await listLanes(workings.store, { now: world.now(), limit: 1_000 })
  const webhooks = await workings.store.webhooks({ since: 0, limit: 1_000 })
  for (const code of codes) {
    const { state } = webhooks.find(({ orderId }) => orderId === `${code}`)!
    const failures = lanes.find(({ to }) => to === `answers${code}.example`)?.failures ?? 0
    const ofOwed = failures > 0 ? 'counts' : 'waits alone'
    const effect = state === 'delivered' ? 'settled' : state === 'dead' ? 'given up' : ofOwed
    expect([code, effect, callsOf(code).length]).toEqual([code, effectOf(code), 1])
  }
})

test('a receiver that is back after ten minutes hears everything within a minute', async () => {
  const { payAll, move, answers, heard } = await delivering()
  for (let order = 1; order <= 60; order++) {
    await payAll([order], 'fault')
    await move(10 * second)
  }
  expect(heard.size).toBe(0)
  answers.clear()
  await move(minute)
  expect(heard.size).toBe(60)
})

test('an order that is alone in its lane is called as others are: until its lane closes, then by each probe', async () => {
  const { payAll, move, callsOf, lanes, world } = await delivering()
  const from = world.now()
  await payAll([1], 503)
  await move(10 * minute)
  const seconds = callsOf(1).map(({ at }) => Math.round((at - from) / second))
  expect(seconds.slice(0, 8)).toEqual([0, 5, 35, 155, 185, 215, 245, 275])
  const [lane] = await lanes()
  expect(lane).toMatchObject({ state: 'closed', waiting: 1 })
  expect(lane!.nextTryAt! - world.now()).toBeLessThanOrEqual(minute)
})

test.each([[[1]], [[1, 2, 3, 4]]])(
  '%j hear of their status within 5 min of the repair of their shop, however long it was away',
  async (orders) => {
    const minutes = isLong ? [1, 2, 3, 10, 31, 64, 180, 720, 1_440, 2_880, 4_320] : [2, 64, 180]
    for (const away of minutes) {
      const { payAll, move, answers, heard, background } = await delivering()
      await payAll(orders, 'fault')
      await move(away * minute)
      expect(heard.size).toBe(0)
      answers.clear()
      await move(5 * minute)
      expect([away, heard.size]).toEqual([away, orders.length])
      await background.stop()
    }
  },
)

test('a shop that hangs and is repaired during a probe is called within 5 min of the repair', async () => {
  const { pay, move, receiver, heard, world } = await delivering()
  const answer = receiver.answer
  let lastBegan = 0
  receiver.answer = async (call) => {
    lastBegan = world.now()
    await new Promise<void>((resolve) => void world.after(15 * second, resolve))
    throw new Error(`no answer from ${new URL(call.url).host}`)
  }
  await pay(1)
  await move(sized(2, 6) * hour)
  for (let began = lastBegan; lastBegan === began; ) await move(second)
  receiver.answer = answer
  await move(5 * minute)
  expect(heard.size).toBe(1)
})

test('a shop that fails once more after a long outage hears of each order within 10 min of the last repair', async () => {
  const { payAll, move, answers, heard } = await delivering()
  await payAll([1, 2], 'fault')
  await move(sized(4, 24) * hour)
  answers.delete('1')
  await move(10 * minute)
  expect([...heard]).toEqual(['1'])
  answers.clear()
  await move(10 * minute)
  expect(heard.size).toBe(2)
})

test('a lane shows what waits, since when and why; it shows no moment that has passed; a person opens it', async () => {
  const { payAll, move, answers, lanes, heard, background, workings, world } = await delivering()
  const from = world.now()
  await payAll([1, 2, 3, 4, 5, 6], 503)
  await move(second)
  expect(await lanes()).toEqual([
    {
      ...{ kind: 'webhook', shopId: 'default', to: '127.0.0.1:9', state: 'closed', since: from },
      ...{ nextTryAt: from + 30 * second, waiting: 6, failures: 4, lastFailure: 'status 503' },
      ...{ closedAt: from, outages: [], dueSince: undefined, refused: 0 },
    },
  ])
  answers.clear()
  await background.stop()
  await move(hour)
  expect((await lanes())[0]?.nextTryAt).toBe(world.now())

  const next = new Background(workings)
  const lane = { kind: 'webhook', shopId: 'default', to: '127.0.0.1:9' } as const
  expect(await openLane(workings.store, lane, world.now(), { by: 'ada' })).toEqual({ due: 6, nodes: 0 })
  next.start()
  await move(0)
  expect(heard.size).toBe(6)
  expect(await lanes()).toEqual([])
  await next.stop()
})

test('a webhook that the shop accepts without reading the status is delivered again until it reads', async () => {
  const { pay, move, receiver, calls, world, workings } = await delivering()
  receiver.answer = async () => ({ status: 200 })
  let reminded = 0
  workings.world.observer = { ...workings.world.observer, reminded: () => reminded++ }
  const from = world.now()
  await pay(1)
  await move(2 * hour, minute)
  const minutes = calls.map(({ at }) => Math.floor((at - from) / minute))
  expect(minutes).toEqual([0, 15, 60])
  expect(reminded).toBe(2)
  await readStatus(workings, 'default', '1')
  await move(5 * hour, minute)
  expect(calls).toHaveLength(3)
})
