import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/store.ts'
import type { Claim, Delivered, StorePort } from '../../src/store-port.ts'
import { SettleDelivered, WebhookDelivery } from '../../src/webhooks/deliver-webhooks.ts'
import { movableWorld, providerIn } from '../helpers/world.ts'
import { owedWebhook } from './owed.ts'

const delivered = (orderId: string): Delivered => ({
  owed: owedWebhook(orderId),
  call: { at: 0, ms: 1, version: 1, status: 200, failure: undefined, answer: '' },
})

/** A store that notes its commands. `settle` answers a batch. */
function noted(settle: (batch: readonly Delivered[]) => Promise<Delivered[]> = async () => []) {
  const { world, move } = movableWorld()
  const workings = providerIn(world, {})
  const commands: string[] = []
  const ordersOf = (batch: readonly Delivered[]) => batch.map(({ owed }) => owed.orderId).join(' ')
  const store: Pick<StorePort, 'settleWebhooks' | 'settleWebhook' | 'claimWebhooks'> = {
    async settleWebhooks(batch) {
      commands.push(ordersOf(batch))
      return settle(batch)
    },
    async settleWebhook(owed) {
      commands.push(`alone ${owed.orderId}`)
      if (owed.orderId === 'bad') throw new StoreUnavailable('locked')
    },
    async claimWebhooks() {
      commands.push('claim')
      return []
    },
  }
  const settling = new SettleDelivered({ ...workings, store: { ...workings.store, ...store } })
  return { settling, commands, move }
}

const claim: Claim = { now: 0, leaseUntil: 1, limit: 1, perLane: 1, owner: 'a' }

test('deliveries that end within 40 ms of each other are settled by one command', async () => {
  const { settling, commands, move } = noted()
  const done = Promise.all([settling.add(delivered('1')), settling.add(delivered('2'))])
  await move(39)
  expect(commands).toEqual([])
  await move(1)
  await done
  expect(commands).toEqual(['1 2'])
})

test('1,024 of them wait no longer, and those that wait are settled when nothing else comes', async () => {
  const { settling, commands } = noted()
  const many = Array.from({ length: 1_024 }, (_, order) => settling.add(delivered(`${order}`)))
  await Promise.all(many)
  const last = settling.add(delivered('last'))
  settling.settle()
  await last
  expect(commands.map((one) => one.split(' ').length)).toEqual([1_024, 1])
})

test('the probe of a closed lane is settled alone and at once, because its success opens the lane', async () => {
  const { settling, commands } = noted()
  const { owed, call } = delivered('1')
  await settling.add({ owed: { ...owed, probe: true }, call })
  expect(commands).toEqual(['alone 1'])
})

test('a claim settles what waits first, and is a claim alone where nothing does', async () => {
  const { settling, commands } = noted()
  const settled = settling.add(delivered('1'))
  await settling.claim(claim)
  await settled
  await settling.claim(claim)
  expect(commands).toEqual(['1', 'claim', 'claim'])
})

test('a claim waits for a batch that is being settled, so that it finds its places free', async () => {
  let end = (_left: Delivered[]) => {}
  const { settling, commands } = noted(() => new Promise((resolve) => (end = resolve)))
  const settled = settling.add(delivered('1'))
  settling.settle()
  const claimed = settling.claim(claim)
  await new Promise(setImmediate)
  expect(commands).toEqual(['1'])
  end([])
  await Promise.all([settled, claimed])
  expect(commands).toEqual(['1', 'claim'])
})

test.each<[string, Parameters<typeof noted>[0], string, string[], string[]]>([
  [
    'of a batch those that are left are settled alone, and one that fails fails alone',
    async (batch) => batch.slice(1),
    '1 bad 3',
    ['fulfilled', 'rejected', 'fulfilled'],
    ['alone bad', 'alone 3'],
  ],
  [
    'a batch that a single one breaks is settled one by one',
    () => Promise.reject(new Error('a damaged page')),
    '1 bad',
    ['fulfilled', 'rejected'],
    ['alone 1', 'alone bad'],
  ],
  [
    'without a store all of a batch fail, and none is tried once more',
    () => Promise.reject(new StoreUnavailable('away')),
    '1 2',
    ['rejected', 'rejected'],
    [],
  ],
])('%s', async (_what, settle, orders, outcomes, further) => {
  const { settling, commands, move } = noted(settle)
  const settled = Promise.allSettled(orders.split(' ').map((order) => settling.add(delivered(order))))
  await move(40)
  expect((await settled).map(({ status }) => status)).toEqual(outcomes)
  expect(commands).toEqual([orders, ...further])
})

test('while more is due than has a place, what was delivered is settled by few commands', async () => {
  const { world, receiver } = movableWorld()
  receiver.answer = () => new Promise((resolve) => void setImmediate(resolve, { status: 200 }))
  const workings = providerIn(world, {})
  const commands: [settled: number, claimed: number][] = []
  let due = 2_048
  const take = ({ limit }: Claim) =>
    Array.from({ length: Math.min(limit, due) }, () => owedWebhook(`${due--}`))
  const store: Pick<StorePort, 'settleWebhooks' | 'claimWebhooks'> = {
    async claimWebhooks(claim) {
      const claimed = take(claim)
      commands.push([0, claimed.length])
      return claimed
    },
    async settleWebhooks(batch) {
      commands.push([batch.length, 0])
      return []
    },
  }
  const delivery = new WebhookDelivery({ ...workings, store: { ...workings.store, ...store } })
  await delivery.pool.wake()
  await delivery.pool.idle()
  const claims = commands.filter(([, claimed]) => claimed > 0)
  expect(claims.slice(0, 2)).toEqual([
    [0, 512],
    [0, 512],
  ])
  expect(commands.length).toBeLessThan(16)
  expect(commands.reduce((sum, [settled]) => sum + settled, 0)).toBe(2_048)
})
