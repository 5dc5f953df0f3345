import { expect, onTestFinished, test } from 'vitest'
import type { AnyPaymentAdapter } from '../../../src/any-adapter.ts'
import type { PushedReport } from '../../../src/payments/adapter-context.ts'
import { Background } from '../../../src/provider/background.ts'
import { listLanes } from '../../../src/webhooks/lanes.ts'
import { processPushes } from '../../background.ts'
import { day, minute, paymentsWith } from '../../helpers/provider.ts'
import { push } from '../../helpers/push.ts'
import { sized } from '../../long.ts'

const second = 1000
/** More than every limit of what is under way. */
const many = sized(250, 1_000)

/** Two payment services whose pushes only say whom to ask. Each answers as the test says. */
function services() {
  const hanging = new Set<string>()
  const serviceOf = (name: string): Partial<AnyPaymentAdapter> => ({
    name,
    start: ({ orderId }) => ({ redirect: `https://${name}.example/1`, reference: `${name}-${orderId}` }),
    status: (attempt, { shop }) => {
      if (hanging.has(name) || hanging.has(shop.id)) return new Promise(() => {})
      return { status: 'paid', amount: attempt.amount, currency: attempt.currency }
    },
    push: { confirm: 'status', read: ({ body }) => JSON.parse(body.toString()) as PushedReport },
  })
  const report = { status: 'paid', amount: '29.3400', currency: 'eur' } as const
  /** Its pushes carry their own report, so that it is never asked. */
  const reporting: Partial<AnyPaymentAdapter> = {
    ...serviceOf('reporting'),
    push: {
      verify: () => true,
      read: ({ body }) =>
        hanging.has('reporting')
          ? new Promise(() => {})
          : { ...(JSON.parse(body.toString()) as { reference: string }), report },
    },
  }
  const moved = paymentsWith(serviceOf('slow'), serviceOf('fast'), reporting)
  const { workings } = moved
  const outcomes: string[] = []
  workings.world.observer = {
    ...workings.world.observer,
    pushed: (adapter, outcome) => void outcomes.push(`${adapter} ${outcome}`),
  }
  const background = new Background(workings)
  workings.wake = () => background.wake()
  onTestFinished(async () => {
    const stopping = background.stop()
    // Calls that hang end at their deadline.
    await moved.move(5 * second)
    await stopping
  })
  const take = (adapter: string, body: string, shop?: string) => push(workings, body, { shop, adapter })
  const pushJson = (name: string, content: object, shop?: string) => take(name, JSON.stringify(content), shop)
  return {
    ...moved,
    workings,
    hanging,
    outcomes,
    background,
    push: pushJson,
    take,
    /** Starts a payment and pushes about it. */
    async pay(name: string, order: number, shop = 'default') {
      await moved.start({ id: order, method: `${name}:${name}`, shop })
      await pushJson(name, { reference: `${name}-${order}` }, shop)
    },
    statusOf: async (order: number, shop = 'default') =>
      (await workings.store.payment(shop, `${order}`))?.status,
    lanes: () => listLanes(workings.store, { now: moved.world.now(), kind: 'push', limit: 10 }),
  }
}

test('many pushes of a payment service that hangs delay no push of another one', async () => {
  const { pay, hanging, background, move, statusOf } = services()
  hanging.add('slow')
  for (let order = 1; order <= many; order++) await pay('slow', order)
  for (let order = 2_001; order <= 2_010; order++) await pay('fast', order)
  background.start()
  await move(0)
  for (let order = 2_001; order <= 2_010; order++) expect(await statusOf(order)).toBe('paid')
})

test('many attempts of a payment service that hangs delay no look at those of another one', async () => {
  const { pay, hanging, background, move, statusOf, workings } = services()
  hanging.add('slow')
  // No push comes, so that only the looks find out.
  workings.store.keepPush = async () => {}
  for (let order = 1; order <= many; order++) await pay('slow', order)
  for (let order = 2_001; order <= 2_030; order++) await pay('fast', order)
  await move(2 * minute)
  background.start()
  for (let ms = 0; ms < 50; ms++) await move(1)
  for (let order = 2_001; order <= 2_030; order++) expect(await statusOf(order)).toBe('paid')
  hanging.clear()
  await move(minute)
})

test('a shop whose account at the payment service hangs delays no other shop of the same service', async () => {
  const { pay, hanging, background, move, statusOf, outcomes } = services()
  hanging.add('bad')
  for (let order = 1; order <= 100; order++) await pay('fast', order, 'bad')
  for (let order = 1; order <= 30; order++) await pay('fast', order, 'good')
  background.start()
  // No call that hangs ends meanwhile.
  for (let ms = 0; ms < 50; ms++) await move(1)
  for (let order = 1; order <= 30; order++) expect(await statusOf(order, 'good')).toBe('paid')
  // Its lane is closed after four failures, and probed by single pushes: after 5 s at first, then by and by every 30 s.
  await move(10 * minute)
  expect(outcomes.filter((one) => one === 'fast failed').length).toBeLessThan(90)
})

test('a payment service that answers again is caught up with within a minute', async () => {
  const { pay, hanging, background, move, statusOf, lanes, world } = services()
  hanging.add('slow')
  background.start()
  for (let order = 1; order <= 100; order++) {
    await pay('slow', order)
    await move(6 * second)
  }
  const [lane] = await lanes()
  expect(lane).toMatchObject({ shopId: 'default', to: 'slow', waiting: 100 })
  expect(lane?.lastFailure).toMatch(/no answer within/)
  expect(lane!.nextTryAt).toBeGreaterThanOrEqual(world.now())
  hanging.clear()
  await move(minute)
  for (let order = 1; order <= 100; order++) expect(await statusOf(order)).toBe('paid')
  expect(await lanes()).toEqual([])
})

test.each([5, 40, 70, 120, 300, 1_200, 7_200])(
  'a push that is alone in its lane is processed within a minute of the end of an outage of %i s',
  async (seconds) => {
    const { pay, hanging, background, move, statusOf } = services()
    hanging.add('slow')
    background.start()
    await pay('slow', 1)
    await move(seconds * second)
    hanging.clear()
    await move(minute)
    expect(await statusOf(1)).toBe('paid')
  },
)

test('the log says when a push that failed is tried again: by itself, and with the next probe of a closed lane', async () => {
  const { pay, hanging, background, move, lines } = services()
  hanging.add('slow')
  background.start()
  await pay('slow', 1)
  await move(2 * minute)
  const waits = lines
    .filter(({ message }) => message === 'a push could not be processed, will be tried again')
    .map(({ level, fields }) => [level, fields.shop, fields.adapter, fields.againInMs])
  const of = (ms: number) => ['warn', 'default', 'slow', ms]
  expect(waits.slice(0, 5)).toEqual([5, 30, 30, 5, 5].map((seconds) => of(seconds * second)))
  hanging.clear()
  await move(minute)
})

test('a push about a payment that is not here is counted apart, and so is one that cannot be read', async () => {
  const { pay, push, take, background, move, outcomes } = services()
  background.start()
  await pay('fast', 1)
  await push('fast', { reference: 'of somebody else' })
  await push('fast', [])
  await take('fast', '{')
  await move(0)
  expect(outcomes.sort()).toEqual(['fast failed', 'fast ignored', 'fast processed', 'fast unmatched'])
})

test('a push that is late once a week closes no lane of pushes that carry their own report', async () => {
  const { pay, workings, hanging, move, statusOf, lanes } = services()
  const processed = async () => {
    const processing = processPushes(workings)
    await move(6 * second)
    await processing
  }
  for (let week = 1; week <= 6; week++) {
    hanging.add('reporting')
    await pay('reporting', 10 * week)
    await processed()
    expect(await lanes()).toMatchObject([{ to: 'reporting', state: 'open', failures: 1 }])
    hanging.clear()
    await move(minute)
    await pay('reporting', 10 * week + 1)
    await processed()
    for (const order of [0, 1]) expect(await statusOf(10 * week + order)).toBe('paid')
    await move(7 * day)
  }
})

test('a closed lane of pushes that carry their own report opens with the first one that is processed', async () => {
  const { pay, hanging, background, move, lanes } = services()
  background.start()
  hanging.add('reporting')
  for (let order = 1; order <= 4; order++) await pay('reporting', order)
  await move(6 * second)
  expect(await lanes()).toMatchObject([{ to: 'reporting', state: 'closed' }])
  hanging.clear()
  await move(minute)
  expect(await lanes()).toEqual([])
  hanging.add('reporting')
  await pay('reporting', 5)
  await move(6 * second)
  // One failure since, and not five.
  expect(await lanes()).toMatchObject([{ to: 'reporting', state: 'open', failures: 1 }])
  hanging.clear()
  await move(minute)
})

test('a push that takes longer than its lease is processed once, by one of two nodes', async () => {
  const { workings, background, move, take, outcomes, pay } = services()
  const other = new Background(workings)
  // Thirty payments in one push, and a service that takes 1.4 s for each.
  for (let order = 1; order <= 30; order++) await pay('slow', order)
  await processPushes(workings)
  outcomes.length = 0
  let claims = 0
  const { claimPushes } = workings.store
  workings.store.claimPushes = async (claim) => {
    const claimed = await claimPushes(claim)
    claims += claimed.length
    return claimed
  }
  const references = Array.from({ length: 30 }, (_, order) => ({ reference: `slow-${order + 1}` }))
  workings.payments.adapters.find(({ name }) => name === 'slow')!.status = () =>
    new Promise((resolve) => workings.world.after(1_400, () => resolve({ status: 'pending' })))
  await take('slow', JSON.stringify(references))
  background.start()
  other.start()
  await move(90 * second)
  expect([claims, outcomes]).toEqual([1, ['slow processed']])
  await other.stop()
})
