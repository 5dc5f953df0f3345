import assert from 'node:assert/strict'
import { failAll, lane, oweMany } from './lane.ts'
import {
  again,
  at,
  claim,
  deliverAll,
  delivered,
  failed,
  keep,
  minute,
  open,
  type StoreCases,
  start,
} from './store-case.ts'

const second = 1_000
const refused = (status: number) => ({ ...failed(), status, failure: `status ${status}` })
const psp = { kind: 'push', shopId: 'default', to: 'psp' } as const
const pushClaim = { ...claim, adapter: 'psp' }
const hung = { dueAt: start + 60 * minute, failure: 'no answer within 2000 ms', aboutPush: false }

/** What every store keeps of what is over: when a lane began to fail, its last outage, why calls failed, what services answered. */
export const laneHistoryCases: StoreCases = {
  async 'the moment at which a lane began to fail stays when it closes, and goes with a success'(store) {
    const look = async () => (await store.lanes({ now: start, limit: 1 }))[0]
    await oweMany(store, 5)
    const claimed = await store.claimWebhooks(at(start))
    for (const [place, one] of claimed.slice(0, 4).entries()) {
      const then = start + place * second
      await store.postponeWebhook(one, failed(then), again(start + 60 * minute))
      const shown = await look()
      const closedAt = place < 3 ? undefined : start + 3 * second
      assert.deepEqual([shown?.failingSince, shown?.closedAt], [start, closedAt])
    }
    await store.settleWebhook(claimed[4]!, delivered(start + minute))
    assert.equal((await look())?.failingSince, undefined)
  },
  async 'the last outage of a lane is kept when it opens, also where nothing waits in it any more'(store) {
    await oweMany(store, 4)
    await failAll(store)
    const now = start + 10 * minute
    await oweMany(store, 1, 4, now)
    assert.equal((await store.lanes({ ...lane, now, limit: 1 }))[0]?.lastOutage, undefined)
    const [probe] = await store.claimWebhooks(at(now))
    await store.settleWebhook(probe!, delivered(now))
    const outage = { beganAt: start, endedAt: now, failure: 'status 500', calls: 4 }
    assert.deepEqual((await store.lanes({ ...lane, now, limit: 1 }))[0]?.lastOutage, outage)
    await deliverAll(store, now)

    const later = now + 3 * minute
    await store.claimWebhooks(at(later))
    await store.forget(now)
    assert.deepEqual(await store.lanes({ now: later, limit: 5 }), [])
    assert.deepEqual(await store.lanes({ now: later, endedSince: now + 1, limit: 5 }), [])
    const [ended] = await store.lanes({ now: later, endedSince: now, limit: 5 })
    assert.deepEqual([ended?.to, ended?.waiting, ended?.lastOutage], ['shop.example', 0, outage])
    await store.forget(now + 1)
    assert.deepEqual(await store.lanes({ now: later, endedSince: now, limit: 5 }), [])
  },
  async 'the last outage of a lane of pushes is kept, also one that a person ends'(store) {
    await keep(store, ['a', 'b', 'c', 'd'])
    for (const one of await store.claimPushes(pushClaim)) await store.postponePush(one, hung, start)
    await store.openLane(psp, start + minute)
    const [shown] = await store.lanes({ ...psp, now: start + minute, limit: 1 })
    const outage = { beganAt: start, endedAt: start + minute, calls: 4, failure: hung.failure }
    assert.deepEqual([shown?.lastOutage, shown?.closedAt], [outage, undefined])
  },
  async 'why the calls that wait in a lane failed last is counted, and shown for each order'(store) {
    await oweMany(store, 3, 1)
    await failAll(store, start, refused(404))
    await oweMany(store, 1, 4)
    await failAll(store, start, refused(410))
    await oweMany(store, 1, 5)
    assert.deepEqual(await store.laneFailures(lane, 5), [
      { failure: 'status 404', calls: 3, orderId: '1' },
      { failure: 'status 410', calls: 1, orderId: '4' },
    ])
    assert.equal((await store.laneFailures(lane, 1)).length, 1)
    assert.deepEqual(await store.laneFailures({ ...lane, to: 'other.example' }, 5), [])
    const reasons = (await store.webhooks({ limit: 9 })).map((one) => [one.orderId, one.lastFailure])
    const notFound = 'status 404'
    assert.deepEqual(Object.fromEntries(reasons), {
      ...{ 1: notFound, 2: notFound, 3: notFound, 4: 'status 410', 5: undefined },
    })
  },
  async 'why pushes that wait failed last is counted'(store) {
    for (const key of ['a', 'b', 'c']) await keep(store, [key], { sealed: `sealed ${key}` })
    const [one, other, third] = await store.claimPushes(pushClaim)
    await store.postponePush(one!, hung, start)
    await store.postponePush(other!, { ...hung, failure: 'Unexpected token', aboutPush: true }, start)
    await store.settlePush(third!, { outcome: 'processed', detail: 'noted' }, start)
    const reasons = (await store.laneFailures(psp, 5)).map(({ failure, calls }) => `${calls} ${failure}`)
    assert.deepEqual(reasons.sort(), ['1 Unexpected token', '1 no answer within 2000 ms'])
  },
  async 'in a closed lane an order is called with the next probe, unless it was refused on its own'(store) {
    const nextOf = async () => {
      const states = await store.webhooks({ limit: 9 })
      return Object.fromEntries(states.map(({ orderId, dueAt }) => [orderId, dueAt! - start]))
    }
    await oweMany(store, 1)
    await failAll(store, start, refused(404), 120 * minute)
    await oweMany(store, 4, 1)
    for (const one of await store.claimWebhooks(claim))
      await store.postponeWebhook(one, failed(), again(start + Number(one.orderId) * 20 * minute))
    const probe = 30 * second
    const waiting = { 0: 120 * minute, 1: probe, 2: probe, 3: probe, 4: probe }
    assert.deepEqual(await nextOf(), waiting)
    await oweMany(store, 1, 5, start + second)
    assert.deepEqual(await nextOf(), { ...waiting, 5: probe })
    const [record] = await store.lanes({ now: start, limit: 1 })
    assert.equal(Math.max(record!.dueAt!, record!.probeAt!), start + probe)
  },
  async 'what a payment service answered last is kept with its attempt, and when it is asked next'(store) {
    const { attempt } = await store.openAttempt(open())
    assert.equal((await store.attempt('default', attempt.id))?.asked, undefined)
    const next = async () => (await store.attempt('default', attempt.id))?.checkAt
    assert.equal(await next(), start + 60 * minute)
    // While a process has it, the time is the end of its lease.
    const now = start + 61 * minute
    await store.claimChecks({ now, leaseUntil: now + 5 * minute, limit: 1 })
    assert.equal(await next(), now + 5 * minute)
    await store.setCheck('default', attempt.id, now + 60 * minute)
    assert.equal(await next(), now + 60 * minute)
    await store.noteAsked('default', attempt.id, { at: start, answer: 'failed: no answer' })
    await store.noteAsked('default', attempt.id, { at: start + 1, answer: 'pending' })
    const { asked } = (await store.payment('default', '1001'))!.attempts[0]!
    assert.deepEqual(asked, { at: start + 1, answer: 'pending' })
    await store.setCheck('default', attempt.id, undefined)
    assert.equal(await next(), undefined)
  },
}
