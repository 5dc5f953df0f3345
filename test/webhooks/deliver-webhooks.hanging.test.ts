import { expect, test } from 'vitest'
import type { Claim, OwedWebhook, StorePort } from '../../src/store-port.ts'
import { WebhookDelivery } from '../../src/webhooks/deliver-webhooks.ts'
import { paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'
import { movableWorld, providerIn } from '../helpers/world.ts'
import { owedWebhook } from './owed.ts'

const second = 1000

/** A provider whose shops' receivers hang, except those at good hosts. */
async function besideHanging() {
  const moved = paymentsWith({})
  const { world } = moved
  const heardAt = new Map<string, number>()
  let open = 0
  let mostOpen = 0
  moved.receiver.answer = async ({ url, timeout }) => {
    const { host } = new URL(url)
    if (host.startsWith('good')) {
      heardAt.set(host, world.now())
      return { status: 200 }
    }
    mostOpen = Math.max(mostOpen, ++open)
    await new Promise<void>((resolve) => world.after(timeout, resolve))
    open--
    throw new Error('no answer within 15 s')
  }
  let orders = 0
  return {
    ...moved,
    background: runBackground(moved.workings),
    heardAt,
    mostOpen: () => mostOpen,
    async pay(host: string) {
      await moved.pay(++orders, `https://${host}/`)
      return world.now()
    },
  }
}

test('300 receivers that hang at once, as those of one hosting company do, delay no other shop by more than 3 s', async () => {
  const { pay, move, heardAt, background } = await besideHanging()
  for (let host = 0; host < 300; host++) await pay(`hangs${host}.example`)
  const paidAt = await pay('good.example')
  await move(3 * second)
  expect((heardAt.get('good.example') ?? Number.NaN) - paidAt).toBeLessThanOrEqual(3 * second)
  const stopped = background.stop()
  await move(20 * second)
  await stopped
})

test('deliveries that hang are bounded, and free their places in the end', async () => {
  const { workings, move, mostOpen } = await besideHanging()
  let claimed = 0
  const store = Object.assign(Object.create(workings.store) as StorePort, {
    claimWebhooks: async ({ limit, owner }: { limit: number; owner: string }) =>
      Array.from({ length: limit }, () => owedWebhook(`${++claimed}`, owner)),
    postponeWebhook: async () => {},
    renewLeases: async () => {},
  })
  const delivery = new WebhookDelivery({ ...workings, store })
  await delivery.pool.wake()
  expect(claimed).toBe(1_024)
  await move(14 * second)
  // Nothing is claimed ahead of receivers that hang, so that another process may take it.
  expect([mostOpen(), claimed]).toEqual([1_280, 1_280])
  await move(4 * second)
  expect(mostOpen()).toBe(1_280)
  expect(claimed).toBeGreaterThan(1_280)
  const stopped = delivery.pool.stop()
  await move(20 * second)
  await stopped
})

/** A deliverer for which any number of webhooks is due. Its calls end when the test says so. */
function withoutEnd() {
  const { world, move, receiver, calls } = movableWorld()
  let claimed = 0
  const claims: number[] = []
  const renewed: number[] = []
  const take = ({ limit, owner }: { limit: number; owner: string }) => {
    claims.push(limit)
    return Array.from({ length: limit }, () => owedWebhook(`${++claimed}`, owner))
  }
  const workings = providerIn(world, {})
  const store = Object.assign(Object.create(workings.store) as StorePort, {
    claimWebhooks: async (claim: Claim) => take(claim),
    settleWebhooks: async (_batch: unknown, claim?: Claim) => ({
      left: [],
      claimed: claim ? take(claim) : [],
    }),
    renewLeases: async (leased: readonly OwedWebhook[]) => void renewed.push(leased.length),
  })
  const ends: (() => void)[] = []
  receiver.answer = () => new Promise((resolve) => ends.push(() => resolve({ status: 200 })))
  const end = async (count: number) => {
    for (const one of ends.splice(0, count)) one()
    await move(0)
  }
  const delivery = new WebhookDelivery({ ...workings, store })
  const stop = async () => {
    const stopped = delivery.pool.stop()
    for (let rounds = 0; rounds < 9; rounds++) await end(256)
    await stopped
  }
  return { delivery, move, end, stop, calls, claims, renewed }
}

test('768 more are claimed ahead, so that calls go on during the next claim', async () => {
  const { delivery, end, stop, calls, claims } = withoutEnd()
  await delivery.pool.wake()
  expect([claims, calls.length]).toEqual([[512, 512], 256])
  // What waits takes each place at once. Each claim is a commit: at least 512 are claimed by one.
  await end(256)
  await end(255)
  expect([claims, calls.length]).toEqual([[512, 512], 767])
  await end(1)
  expect([claims, calls.length]).toEqual([[512, 512, 512], 768])
  await stop()
  expect(calls.length).toBe(1_536)
})

test('the leases of what waits for a place are renewed, and a deliverer that stops calls it', async () => {
  const { delivery, stop, move, calls, renewed } = withoutEnd()
  await delivery.pool.wake()
  await move(5_000)
  // Those that hang have given up their places.
  expect(calls.length).toBe(768)
  expect(renewed.at(-1)).toBe(1_024)
  await stop()
  expect(calls.length).toBe(1_024)
})

test('a process that stood still for 20 s does not call those whose lease has ended: another one has them now', async () => {
  const { delivery, stop, move, calls, claims } = withoutEnd()
  await delivery.pool.wake()
  expect([claims, calls.length]).toEqual([[512, 512], 256])
  await move(20_000, 20_000)
  await move(1_000)
  // Those that hang have given up their places, and what is called then was claimed anew.
  const orders = calls.map(({ body }) => JSON.parse(body).order_id as number)
  expect(claims.length).toBeGreaterThan(1)
  expect(orders.slice(256).filter((order) => order <= 1_024)).toEqual([])
  expect(orders.length).toBeGreaterThan(256)
  await stop()
})
