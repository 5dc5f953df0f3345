import assert from 'node:assert/strict'
import type { OwedWebhook, StorePort } from '../../../src/store-port.ts'
import {
  again,
  at,
  cancelled,
  claim,
  deliverAll,
  delivered,
  each,
  failed,
  minute,
  open,
  openOwed,
  type StoreCases,
  start,
} from './store-case.ts'

const second = 1_000
export const lane = { kind: 'webhook', shopId: 'default', to: 'shop.example' } as const

export async function oweMany(store: StorePort, count: number, from = 0, now = start): Promise<void> {
  for (let order = from; order < from + count; order++) await openOwed(store, { orderId: `${order}`, now })
}

const refused = (at = start) => ({ ...failed(at), status: 404, failure: 'status 404' })
export const ordersOf = (claimed: readonly OwedWebhook[]) => claimed.map(({ orderId }) => orderId).sort()

/** Fails the calls that are due at a moment; each is due again `later`. */
export async function failAll(store: StorePort, now = start, call = failed(now), later = 60 * minute) {
  for (const one of await store.claimWebhooks(at(now)))
    await store.postponeWebhook(one, call, again(now + later))
}

/** The rules of every store for the lanes of webhooks: which calls wait for each other. */
export const laneCases: StoreCases = {
  async 'a lane takes as many calls at a time as it may, and the next when one ends'(store) {
    await oweMany(store, 5)
    const claimed = await store.claimWebhooks({ ...claim, perLane: 2 })
    assert.equal(claimed.length, 2)
    assert.deepEqual(await store.claimWebhooks({ ...claim, perLane: 2, owner: 'b' }), [])
    await store.settleWebhook(claimed[0]!, delivered())
    assert.equal((await store.claimWebhooks({ ...claim, perLane: 2 })).length, 1)
  },
  async 'a lane whose receiver fails is probed by one call, and its first success makes it all due'(store) {
    await oweMany(store, 8)
    const claimed = await store.claimWebhooks({ ...claim, perLane: 4 })
    for (const one of claimed) await store.postponeWebhook(one, failed(), again(start + 60 * minute))
    assert.deepEqual(await store.claimWebhooks(at(start + 29 * second)), [])
    const probes = await store.claimWebhooks(at(start + 30 * second))
    assert.equal(probes.length, 1)
    assert.deepEqual(await store.claimWebhooks(at(start + 30 * second)), [])
    await store.postponeWebhook(probes[0]!, failed(start + 30 * second), again(start + 60 * minute))
    const [probe] = await store.claimWebhooks(at(start + 10 * minute))
    await store.settleWebhook(probe!, delivered(start + 10 * minute))
    assert.equal((await store.claimWebhooks(at(start + 10 * minute))).length, 7)
  },
  async 'a lane that fails delays no other, of the same host either'(store) {
    await oweMany(store, 5)
    await failAll(store)
    await openOwed(store, { shopId: 'other', orderId: '7' })
    assert.deepEqual(each(await store.claimWebhooks(claim), 'shopId'), ['other'])
  },
  async 'an order that is refused waits alone: 4xx but 408 and 429 never close a lane'(store) {
    await oweMany(store, 6)
    await failAll(store, start, refused())
    await oweMany(store, 2, 6, start + second)
    assert.deepEqual(ordersOf(await store.claimWebhooks(at(start + second))), ['6', '7'])
    assert.deepEqual(each(await store.lanes({ now: start + second, limit: 5 }), 'probeAt'), [undefined])
  },
  async 'fresh orders go before refused ones, and each kind has places of its own'(store) {
    await oweMany(store, 20)
    for (let round = 0; round < 2; round++) await failAll(store, start, refused())
    const now = start + 60 * minute
    await oweMany(store, 12, 100, now)
    const eight = { ...at(now), perLane: 8 }
    const isFresh = ({ orderId }: OwedWebhook) => Number(orderId) >= 100
    const claimed = await store.claimWebhooks(eight)
    assert.deepEqual([claimed.length, claimed.filter(isFresh).length], [8, 6])
    assert.deepEqual(await store.claimWebhooks(eight), [])
    for (const one of claimed) {
      await (isFresh(one)
        ? store.settleWebhook(one, delivered(now))
        : store.postponeWebhook(one, refused(now), again(now + 600 * minute)))
    }
    const next = await store.claimWebhooks(eight)
    assert.deepEqual([next.length, next.filter(isFresh).length], [8, 6])
    for (const one of next.filter(isFresh)) await store.settleWebhook(one, delivered(now))
    assert.deepEqual(await store.claimWebhooks(eight), [])
    await oweMany(store, 3, 200, now)
    assert.deepEqual(ordersOf(await store.claimWebhooks(eight)), ['200', '201', '202'])
  },
  async 'refused orders use free places one quarter at a time until all of them were called'(store) {
    await oweMany(store, 10)
    await failAll(store, start, refused())
    const now = start + 60 * minute
    const called = new Set<string>()
    for (let round = 0; round < 5; round++) {
      const claimed = await store.claimWebhooks({ ...at(now), perLane: 8 })
      assert.deepEqual([claimed.length, claimed[0]?.full], [2, round < 4])
      for (const one of claimed) {
        called.add(one.orderId)
        await store.postponeWebhook(one, refused(now), again(now + 600 * minute))
      }
    }
    assert.equal(called.size, 10)
    assert.equal(await store.nextWebhookDue(), now + 600 * minute)
  },
  async 'an order that its lane may be to blame for is as fresh as one that was never tried'(store) {
    await oweMany(store, 9)
    await failAll(store, start, refused())
    await oweMany(store, 4, 20)
    await failAll(store)
    const now = start + 60 * minute
    await store.openLane(lane, now)
    const claimed = ordersOf(await store.claimWebhooks({ ...at(now), perLane: 4 }))
    assert.equal(claimed.filter((order) => Number(order) >= 20).length, 3)
  },
  async 'faults of the receiver close a lane: no answer, 5xx, 408 and 429'(store) {
    for (const [order, status] of [undefined, 500, 408, 429].entries()) {
      await oweMany(store, 1, order)
      await failAll(store, start, { ...failed(), status, failure: 'failed' })
    }
    const [lane] = await store.lanes({ now: start, limit: 5 })
    assert.deepEqual([lane?.failures, lane?.closedAt, lane?.probeAt], [4, start, start + 30 * second])
  },
  async 'a closed lane is probed by an order that was not tried, else by the one tried least'(store) {
    await oweMany(store, 4)
    await failAll(store, start, failed(), second)
    await oweMany(store, 1, 4, start + 2 * second)
    const first = await store.claimWebhooks(at(start + minute))
    assert.deepEqual(ordersOf(first), ['4'])
    await store.postponeWebhook(first[0]!, failed(start + minute), again(start + minute + second))
    const next = await store.claimWebhooks(at(start + 2 * minute))
    assert.equal(next[0]?.tries, 1)
    assert.notEqual(next[0]?.orderId, '4')
  },
  async 'whatever waits in a closed lane probes it, hours before its time too; refused orders last'(store) {
    await oweMany(store, 2)
    await failAll(store, start, refused())
    await oweMany(store, 4, 2)
    await failAll(store)
    const next = async (now: number) => {
      assert.equal(await store.nextWebhookDue(), now)
      assert.deepEqual(await store.claimWebhooks(at(now - 1)), [])
      const [probe, ...others] = await store.claimWebhooks(at(now))
      assert.deepEqual(others, [])
      return probe!
    }
    let now = start + 30 * second
    for (const _ of [1, 2, 3]) {
      const probe = await next(now)
      assert.ok(Number(probe.orderId) >= 2)
      await store.postponeWebhook(probe, failed(now), again(now + 600 * minute))
      now += 30 * second
    }
    for (const order of ['2', '3', '4', '5']) await store.erasePayment('default', order, now)
    const last = await next(now)
    assert.ok(Number(last.orderId) < 2)
    await store.settleWebhook(last, delivered(now))
    assert.deepEqual(await store.claimWebhooks(at(now)), [])
  },
  async 'after a long outage all that failed in it is due, also what was recalled often before'(store) {
    await oweMany(store, 4)
    await failAll(store)
    for (const after of [1, 2, 3, 4, 5, 20, 35]) {
      const now = start + after * minute
      await oweMany(store, 1, 100 + after, now)
      const [probe] = await store.claimWebhooks(at(now))
      await store.settleWebhook(probe!, delivered(now))
      const due = await store.claimWebhooks({ ...at(now), perLane: 40 })
      assert.deepEqual([ordersOf(due), due[0]!.tries], [['0', '1', '2', '3'], 1])
      for (const one of due) await store.postponeWebhook(one, failed(now), again(now + 600 * minute))
    }
  },
  async 'a probe that is refused as a single order opens the lane'(store) {
    await oweMany(store, 4)
    await failAll(store)
    await oweMany(store, 3, 4)
    const [probe] = await store.claimWebhooks(at(start + minute))
    await store.postponeWebhook(probe!, refused(start + minute), again(start + 60 * minute))
    assert.equal((await store.claimWebhooks(at(start + minute))).length, 6)
  },
  async 'a success that opens a lane makes no order due that was refused itself'(store) {
    await oweMany(store, 1)
    await failAll(store, start, refused())
    await oweMany(store, 4, 1)
    await failAll(store)
    await oweMany(store, 1, 5)
    const [probe] = await store.claimWebhooks(at(start + minute))
    assert.equal(probe?.orderId, '5')
    await store.settleWebhook(probe!, delivered(start + minute))
    assert.deepEqual(ordersOf(await store.claimWebhooks(at(start + minute))), ['1', '2', '3', '4'])
  },
  async 'a receiver that flaps leaves no order behind, and one that fails is recalled five times'(store) {
    await oweMany(store, 4)
    await failAll(store)
    for (let opening = 1; opening <= 6; opening++) {
      const now = start + opening * minute
      await oweMany(store, 1, 3 + opening, now)
      const [probe] = await store.claimWebhooks(at(now))
      assert.equal(probe?.orderId, `${3 + opening}`)
      await store.settleWebhook(probe!, delivered(now))
      const recalled = await store.claimWebhooks({ ...at(now), perLane: 40 })
      assert.deepEqual(ordersOf(recalled), opening < 6 ? ['0', '1', '2', '3'] : [])
      for (const one of recalled) await store.postponeWebhook(one, failed(now), again(start + 60 * minute))
    }
  },
  async 'a success among failures makes nothing due before its time while the lane is open'(store) {
    await oweMany(store, 3)
    await failAll(store)
    await oweMany(store, 1, 3)
    const [good] = await store.claimWebhooks(at(start))
    await store.settleWebhook(good!, delivered())
    assert.deepEqual(await store.claimWebhooks(at(start + minute)), [])
  },
  async 'sending one order again opens its lane, and so does a person; what waits is due at once'(store) {
    await oweMany(store, 5)
    await failAll(store)
    assert.equal(await store.replayWebhook('default', '2', start + second), true)
    assert.equal((await store.claimWebhooks(at(start + second))).length, 5)

    await oweMany(store, 4, 10, start + 2 * minute)
    await failAll(store, start + 2 * minute)
    assert.equal(await store.openLane({ ...lane, to: 'nowhere.example' }, start), undefined)
    assert.equal(await store.openLane(lane, start + 2 * minute + second, 'ada'), 9)
    assert.equal((await store.claimWebhooks(at(start + 2 * minute + second))).length, 9)
    const [last] = await store.auditTrail({ shopId: 'default', limit: 1 })
    assert.deepEqual([last?.action, last?.by], ['lane.opened', 'ada'])
  },
  async 'a person opens a lane that is not closed: all that failed is due, refused on its own or not'(store) {
    await oweMany(store, 2)
    await failAll(store, start, refused())
    await oweMany(store, 2, 2)
    await failAll(store)
    const [shown] = await store.lanes({ ...lane, now: start, limit: 1 })
    assert.deepEqual([shown?.waiting, shown?.refused, shown?.probeAt], [4, 2, undefined])
    assert.equal(await store.openLane(lane, start + second), 4)
    const claimed = await store.claimWebhooks({ ...at(start + second), perLane: 8 })
    assert.deepEqual(ordersOf(claimed), ['0', '1', '2', '3'])
  },
  async 'what is owed to an address that the platform replaces is called at the new one, at once'(store) {
    for (const orderId of ['0', '1']) await openOwed(store, { orderId }, cancelled)
    const webhookUrl = 'https://new.example/webhook'
    const [failing, called] = await store.claimWebhooks(at(start))
    await store.postponeWebhook(failing!, failed(), again(start + 8 * 60 * minute))
    const now = start + second
    for (const orderId of ['0', '1'])
      await store.openAttempt(open({ orderId, now, webhookUrl, hostsListed: true }))
    const moved = await store.claimWebhooks({ ...at(now), owner: 'b' })
    assert.deepEqual(ordersOf(moved), ['0', '1'])
    for (const one of moved) assert.deepEqual([one.webhookUrl, one.tries], [webhookUrl, 0])
    // An answer of the old address ends nothing.
    await store.settleWebhook(called!, delivered(now))
    assert.equal((await store.webhooks({ limit: 5 })).length, 2)
    for (const one of moved) await store.settleWebhook(one, delivered(now))
    assert.deepEqual(await store.webhooks({ limit: 5 }), [])
  },
  async 'a lane in which nothing waits is forgotten, closed or not, and there for the next webhook'(store) {
    await oweMany(store, 5)
    await failAll(store)
    await store.forget(0)
    assert.equal((await store.lanes({ now: start, limit: 5 })).length, 1)
    for (let order = 0; order < 5; order++) await store.erasePayment('default', `${order}`, start)
    await store.claimWebhooks(at(start + 2 * 60 * minute))
    await store.forget(0)
    assert.deepEqual(await store.lanes({ now: start, limit: 5 }), [])
    assert.deepEqual(each(await store.countWaiting(start), 'lanesClosed'), [0, 0, 0])
    await oweMany(store, 1, 7, start + 3 * 60 * minute)
    assert.equal((await store.claimWebhooks(at(start + 3 * 60 * minute))).length, 1)
  },
  async 'lanes are listed with what waits in them, since when and why, and an idle one is not'(store) {
    await oweMany(store, 6)
    await failAll(store)
    const now = start + second
    const shown = {
      ...{ ...lane, failures: 6, waiting: 6, open: 0, refused: 0 },
      ...{ closedAt: start, probeAt: start + 30 * second, lastFailure: 'status 500' },
      ...{ failingSince: start, dueAt: start + 60 * minute, waitingSince: start, lastOutage: undefined },
    }
    assert.deepEqual(await store.lanes({ now, limit: 5 }), [shown])
    assert.deepEqual(await store.lanes({ now, kind: 'push', limit: 5 }), [])
    assert.deepEqual(await store.lanes({ now, shopId: 'defaul_', limit: 5 }), [])
    assert.equal((await store.lanes({ now, shopId: 'default', limit: 5 })).length, 1)
    await store.openLane(lane, now)
    await deliverAll(store, now)
    assert.deepEqual(await store.lanes({ now, limit: 5 }), [])
  },
  async 'a lane in which nothing waits is not looked at again'(store) {
    await oweMany(store, 1)
    await deliverAll(store)
    await store.claimWebhooks(at(start + 2 * minute))
    assert.equal(await store.nextWebhookDue(), undefined)
  },
  async 'of the answers for one status the first, the last and the count are kept'(store) {
    await oweMany(store, 1)
    for (let call = 0; call < 50; call++) {
      const now = start + call * minute
      const [owed] = await store.claimWebhooks(at(now))
      const answer = { ...refused(now), answer: `answer ${call}` }
      await store.postponeWebhook(owed!, answer, again(now + minute))
    }
    const [kept, ...others] = await store.deliveries('default', '0')
    assert.deepEqual(others, [])
    assert.deepEqual([kept?.calls, kept?.first.answer, kept?.last?.answer], [50, 'answer 0', 'answer 49'])
  },
  async 'what a shop does not read is owed again after 15 min, 1 h, 6 h and then daily for a week'(store) {
    await oweMany(store, 1)
    const hour = 60 * minute
    const due: number[] = []
    // Every five minutes at first, then at each full hour and five minutes before it.
    const pause = (after: number) =>
      after < 7 * hour || after % hour === 55 * minute ? 5 * minute : 55 * minute
    for (let now = start; now < start + 30 * 24 * hour; now += pause(now - start)) {
      const { reminded } = await store.remindUnread({ now, limit: 5 })
      const [owed] = await store.claimWebhooks(at(now))
      assert.equal(owed !== undefined && now > start, reminded.length > 0)
      if (owed) await store.settleWebhook(owed, delivered(now))
      if (reminded.length > 0) due.push((now - start) / hour)
    }
    assert.deepEqual(due, [0.25, 1, 6, 24, 48, 72, 96, 120, 144, 168])
    const over = start + 30 * 24 * hour
    assert.equal(await store.countUnread(over - minute), 1)
    const { reminded, neverRead } = await store.remindUnread({ now: over, limit: 5 })
    assert.deepEqual([reminded, neverRead], [[], [{ shopId: 'default', orderId: '0' }]])
    assert.equal(await store.countUnread(over), 0)
  },
  async 'a status that is read is not owed again, read before the call, during or after it'(store) {
    await oweMany(store, 3)
    await store.noteRead('default', '0', 1, start)
    const claimed = await store.claimWebhooks(claim)
    await store.noteRead('default', '1', 1, start)
    for (const one of claimed) await store.settleWebhook(one, delivered())
    const nothing = { reminded: [], neverRead: [], more: false }
    assert.deepEqual(await store.remindUnread({ now: start + 14 * minute, limit: 5 }), nothing)
    assert.equal(await store.countUnread(start + 14 * minute), 0)
    const { reminded } = await store.remindUnread({ now: start + 15 * minute, limit: 5 })
    assert.deepEqual(reminded, [{ shopId: 'default', orderId: '2' }])
    assert.equal(await store.countUnread(start + 15 * minute), 1)
    await store.noteRead('default', '2', 1, start + 16 * minute)
    assert.equal(await store.countUnread(start + 16 * minute), 0)
    assert.deepEqual(await store.remindUnread({ now: start + 60 * minute, limit: 5 }), nothing)
  },
  async 'a webhook that is owed already, or was given up, is not owed again for being unread'(store) {
    await oweMany(store, 1)
    await deliverAll(store)
    const now = start + 20 * minute
    assert.equal((await store.remindUnread({ now, limit: 5 })).reminded.length, 1)
    const [repeated] = await store.claimWebhooks(at(now))
    await store.postponeWebhook(repeated!, refused(now), again())
    assert.deepEqual((await store.remindUnread({ now: now + 60 * minute, limit: 5 })).reminded, [])
    assert.equal((await store.countWebhooks()).dead, 1)
  },
}
