import assert from 'node:assert/strict'
import { failAll, ordersOf, oweMany } from './lane.ts'
import {
  again,
  asReported,
  at,
  cancelled,
  claim,
  delivered,
  each,
  failed,
  keep,
  minute,
  openOwed,
  paid,
  type StoreCases,
  start,
} from './store-case.ts'

const second = 1_000

/** The rules of every store for deliveries that are settled together. */
export const batchCases: StoreCases = {
  async 'a batch settles its own deliveries and no other, keeps the answers, and opens lanes'(store) {
    await oweMany(store, 6)
    const claimed = await store.claimWebhooks({ ...claim, perLane: 4 })
    await openOwed(store, { shopId: 'other', orderId: '7', webhookUrl: 'https://other.example/' })
    const [ofOther] = await store.claimWebhooks(claim)
    await store.postponeWebhook(ofOther!, failed(), again(start))
    const [repeated] = await store.claimWebhooks(claim)
    const batch = [...claimed.slice(0, 3), repeated!].map((owed) => ({ owed, call: delivered() }))
    const left = await store.settleWebhooks(batch)
    // Its success opens the lane.
    assert.deepEqual(each(left, 'owed'), [repeated])
    await store.settleWebhook(repeated!, delivered())
    const owed = await store.webhooks({ limit: 10 })
    assert.deepEqual(each(owed, 'orderId').sort(), [claimed[3]!.orderId, '4', '5'].sort())
    for (const [orderId, version] of [[claimed[0]!.orderId, 1] as const, ['5', 0] as const])
      assert.equal((await store.payment('default', orderId))?.deliveredVersion, version)
    const { reminded } = await store.remindUnread({ now: start + 15 * minute, limit: 10 })
    assert.equal(reminded.length, 4)
    assert.equal(await store.countUnread(start + 15 * minute), 4)
    assert.deepEqual(await store.deliveries('default', claimed[1]!.orderId), [
      { version: 1, calls: 1, first: delivered(), last: undefined },
    ])
    assert.deepEqual(await store.deliveries('other', '7'), [
      { version: 1, calls: 2, first: failed(), last: delivered() },
    ])
    const ofLane = { shopId: 'other', kind: 'webhook', to: 'other.example' } as const
    assert.equal((await store.lanes({ ...ofLane, now: start, limit: 5 }))[0]?.failures, 0)
    // The lane was full, and has places now.
    assert.deepEqual(ordersOf(await store.claimWebhooks({ ...claim, perLane: 4 })), ['4', '5'])
  },
  async 'a batch frees places, which the next claim takes'(store) {
    await oweMany(store, 5)
    const two = { ...claim, perLane: 2 }
    const claimed = await store.claimWebhooks(two)
    await store.settleWebhooks(claimed.map((owed) => ({ owed, call: delivered() })))
    const next = await store.claimWebhooks(two)
    assert.equal(next.length, 2)
    assert.equal(new Set(each([...claimed, ...next], 'orderId')).size, 4)
  },
  async 'a batch leaves the probe of a closed lane, and its own success opens the lane'(store) {
    await oweMany(store, 4)
    await failAll(store)
    await oweMany(store, 1, 4)
    const [probe] = await store.claimWebhooks(at(start + 30 * second))
    assert.equal(probe?.orderId, '4')
    const call = delivered(start + 30 * second)
    const left = await store.settleWebhooks([{ owed: probe!, call }])
    assert.equal(left.length, 1)
    await store.settleWebhook(probe!, call)
    assert.equal((await store.claimWebhooks(at(start + 30 * second))).length, 4)
  },
  async 'a batch ends nothing of a call that another process took over, or whose status has changed'(store) {
    await oweMany(store, 1)
    const attempt = await openOwed(store, { orderId: '1' }, cancelled)
    const claimed = await store.claimWebhooks(claim)
    assert.equal(claimed.length, 2)
    await store.learn('default', '1', attempt.id, [paid], asReported)
    const taken = await store.claimWebhooks({ ...at(start + 2 * minute), owner: 'b' })
    assert.deepEqual(ordersOf(taken), ['0', '1'])
    const batch = claimed.map((owed) => ({ owed, call: delivered() }))
    const left = await store.settleWebhooks([...batch, batch[0]!])
    for (const { owed, call } of left) await store.settleWebhook(owed, call)
    assert.equal((await store.countWebhooks()).owed, 2)
    const versions = (await store.payments({ limit: 5 })).map((one) => [one.orderId, one.deliveredVersion])
    assert.deepEqual(Object.fromEntries(versions), { 0: 1, 1: 1 })
    const more = taken.map((owed) => ({ owed, call: { ...delivered(), version: owed.version } }))
    assert.deepEqual(await store.settleWebhooks(more), [])
    assert.equal((await store.countWebhooks()).owed, 0)
  },
  async 'old deliveries and pushes are deleted a few at a time, oldest first'(store) {
    await oweMany(store, 5)
    const claimed = (await store.claimWebhooks(claim)).toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))
    await store.settleWebhooks(claimed.map((owed, second) => ({ owed, call: delivered(start + second) })))
    for (let key = 0; key < 5; key++) await keep(store, [`${key}`], { receivedAt: start + key })
    const lease = { ...claim, adapter: 'psp', now: start + 10 }
    for (const push of await store.claimPushes(lease))
      await store.settlePush(push, { outcome: 'processed', detail: '' }, start)
    const left = async () => {
      const kept = await Promise.all([0, 1, 2, 3, 4].map((order) => store.deliveries('default', `${order}`)))
      const keys = each(await store.pushes({ limit: 10 }), 'key').sort()
      return [each(kept, 'length').join(''), keys.join('')]
    }
    assert.equal(await store.forget(start + 4, 2), true)
    assert.deepEqual(await left(), ['00111', '234'])
    assert.equal(await store.forget(start + 4, 2), true)
    assert.deepEqual(await left(), ['00001', '4'])
    assert.equal(await store.forget(start + 4, 2), false)
    assert.deepEqual(await left(), ['00001', '4'])
  },
  async 'an answer with any text is kept'(store) {
    await oweMany(store, 1)
    const [owed] = await store.claimWebhooks(claim)
    const answer = 'a "quoted\\" {text}, NULL, \ud83d and\nÿ'
    await store.settleWebhooks([{ owed: owed!, call: { ...delivered(), answer } }])
    const [kept] = await store.deliveries('default', '0')
    assert.equal(kept?.first.answer, answer.toWellFormed())
  },
}
