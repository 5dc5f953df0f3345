import assert from 'node:assert/strict'
import { again, claim, failed, minute, open, paid, type StoreCase, start } from './store-case.ts'

/** What every store keeps to of what the one on call looks at. */
export const onCallCases: readonly StoreCase[] = [
  {
    name: 'what waits is counted by the state of its lane, and only open lanes are late',
    async run(store) {
      const none = { open: 0, closed: 0, dueSince: undefined, lanesClosed: 0 }
      assert.deepEqual(await store.countWaiting(start), [
        { ...none, kind: 'webhook' },
        { ...none, kind: 'push' },
        { ...none, kind: 'check' },
      ])
      const owe = async (shopId: string, orderId: string) => {
        const { attempt } = await store.openAttempt(open({ shopId, orderId, checkAt: start + 2 * minute }))
        await store.learn(shopId, orderId, attempt.id, [paid], start)
      }
      for (const order of ['1', '2', '3', '4']) await owe('default', order)
      for (const one of await store.claimNotifications(claim))
        await store.postponeNotification(one, failed(), again(start + minute))
      await owe('other', '5')
      const later = start + 10 * minute
      const [webhooks, , checks] = await store.countWaiting(later)
      assert.deepEqual(webhooks, { kind: 'webhook', open: 1, closed: 4, dueSince: start, lanesClosed: 1 })
      assert.equal(checks?.dueSince, checks?.open === 0 ? undefined : start + 2 * minute)
      // A call that somebody makes at the moment is not late.
      const held = { ...claim, now: later, leaseUntil: later + minute, limit: 100 }
      await store.claimNotifications(held)
      assert.equal((await store.countWaiting(later))[0]?.dueSince, undefined)

      const push = { shopId: 'default', adapter: 'psp', body: '', headers: {}, query: '' }
      await store.keepPush({ ...push, key: 'a', receivedAt: start }, start)
      assert.deepEqual((await store.countWaiting(later))[1], {
        ...none,
        kind: 'push',
        open: 1,
        dueSince: start,
      })
    },
  },
]
