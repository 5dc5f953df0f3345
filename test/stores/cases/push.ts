import assert from 'node:assert/strict'
import type { StorePort } from '../../../src/store-port.ts'
import { keep, minute, open, push, redirect, type StoreCases, start, times } from './store-case.ts'

const second = 1_000

const lease = (now = start, changes: { adapter?: string; perLane?: number; owner?: string } = {}) => ({
  ...{ adapter: 'psp', now, leaseUntil: now + minute, limit: 100, perLane: 100, owner: 'a' },
  ...changes,
})
const done = { outcome: 'processed', detail: 'noted' } as const
const hung = (dueAt: number) => ({ dueAt, failure: 'no answer within 2000 ms', aboutPush: false })
const unread = (dueAt: number) => ({ dueAt, failure: 'Unexpected token', aboutPush: true })
const keysOf = (claimed: readonly { key: string }[]) => claimed.map(({ key }) => key).sort()

async function failAll(store: StorePort, now = start, fault = hung): Promise<void> {
  for (const one of await store.claimPushes(lease(now)))
    await store.postponePush(one, fault(now + 60 * minute), now)
}

/** The rules of every store for pushes and their lanes. */
export const pushCases: StoreCases = {
  async 'a push is kept until it is processed, and a repeated one is processed again'(store) {
    await store.keepPush(push('k'), start)
    const [leased] = await store.claimPushes(lease())
    assert.deepEqual(leased, { ...push('k'), times: 1, tries: 0, owner: 'a', full: false })
    assert.deepEqual(await store.claimPushes(lease()), [])
    await store.settlePush(leased!, done, start)
    assert.deepEqual(await store.claimPushes(lease(start + 2 * minute)), [])
    await store.keepPush(push('k'), start + minute)
    const [repeated] = await store.claimPushes(lease(start + minute))
    assert.deepEqual([repeated?.times, repeated?.receivedAt], [2, start + minute])
    await store.settlePush(repeated!, { ...done, detail: 'known already' }, start + minute)
    const [record] = await store.pushes({ limit: 5 })
    assert.deepEqual([record?.times, record?.outcome, record?.detail], [2, 'processed', 'known already'])
    assert.deepEqual(await store.pushes({ shopId: 'other', limit: 5 }), [])
  },
  async 'a push that is kept once changes nothing when it comes again: waiting or processed'(store) {
    assert.equal(await store.keepPushOnce(push('k'), start), true)
    assert.equal(await store.keepPushOnce(push('k'), start + second), false)
    const [leased] = await store.claimPushes(lease(start + second))
    assert.deepEqual(leased, { ...push('k'), times: 1, tries: 0, owner: 'a', full: false })
    await store.settlePush(leased!, done, start + second)
    assert.equal(await store.keepPushOnce(push('k'), start + minute), false)
    assert.deepEqual(await store.claimPushes(lease(start + minute)), [])
    assert.equal(await store.keepPushOnce(push('k', { shopId: 'other' }), start + minute), true)
    const racing = await Promise.all([1, 2, 3].map(() => store.keepPushOnce(push('r'), start + minute)))
    assert.deepEqual(racing.filter(Boolean), [true])
  },
  async 'a push that comes again while it is processed is processed again'(store) {
    await store.keepPush(push('k'), start)
    const [leased] = await store.claimPushes(lease())
    await store.keepPush(push('k'), start + second)
    assert.deepEqual(await store.claimPushes(lease(start + second)), [])
    await store.settlePush(leased!, done, start + second)
    assert.deepEqual(keysOf(await store.claimPushes(lease(start + second))), ['k'])
  },
  async 'a push whose holder died is claimed again when the lease is over'(store) {
    await store.keepPush(push('k'), start)
    await store.claimPushes(lease())
    assert.deepEqual(await store.adaptersWithPushes(start + minute), ['psp'])
    assert.deepEqual(keysOf(await store.claimPushes(lease(start + minute))), ['k'])
  },
  async 'racing owners never hold the same push'(store) {
    const keys = Array.from({ length: 20 }, (_, place) => `k${place}`)
    await keep(store, keys)
    const claims = await Promise.all([1, 2, 3, 4].map(() => store.claimPushes(lease())))
    assert.deepEqual(keysOf(claims.flat()), keys.sort())
  },
  async 'pushes stand in lanes by adapter and shop, each with its own places'(store) {
    await keep(store, ['a', 'b', 'c'])
    await keep(store, ['d', 'e', 'f'], { shopId: 'other' })
    await keep(store, ['g'], { adapter: 'bank' })
    assert.deepEqual((await store.adaptersWithPushes(start)).sort(), ['bank', 'psp'])
    const claimed = await store.claimPushes(lease(start, { perLane: 2 }))
    assert.equal(claimed.length, 4)
    assert.deepEqual(await store.claimPushes(lease(start, { perLane: 2 })), [])
    assert.deepEqual(keysOf(await store.claimPushes(lease(start, { adapter: 'bank' }))), ['g'])
    await store.settlePush(claimed[0]!, done, start)
    assert.equal((await store.claimPushes(lease(start, { perLane: 2 }))).length, 1)
  },
  async 'a payment service that fails closes the lane of its shop alone, and single pushes probe it'(store) {
    await keep(store, ['a', 'b', 'c', 'd'])
    await failAll(store)
    await keep(store, ['e', 'f'], { receivedAt: start + second })
    await keep(store, ['g'], { shopId: 'other' })
    assert.deepEqual(keysOf(await store.claimPushes(lease(start + 2 * second))), ['g'])
    const [probe, ...others] = await store.claimPushes(lease(start + 5 * second))
    assert.deepEqual([probe?.key, probe?.tries, others], ['e', 0, []])
    assert.deepEqual(await store.claimPushes(lease(start + 6 * second)), [])
    await store.settlePush(probe!, done, start + 6 * second)
    assert.deepEqual(keysOf(await store.claimPushes(lease(start + 6 * second))), ['a', 'b', 'c', 'd', 'f'])
  },
  async 'a success makes due what failed because of the service, in an open lane too, and once'(store) {
    await keep(store, ['a', 'b', 'c', 'd'])
    const [hanging, other, good, last] = await store.claimPushes(lease())
    const later = start + 60 * minute
    await store.postponePush(other!, unread(later), start)
    await store.postponePush(hanging!, hung(later), start)
    await store.settlePush(good!, done, start)
    const due = await store.claimPushes(lease(start))
    assert.deepEqual(keysOf(due), [hanging!.key])
    const [lane] = await store.lanes({ kind: 'push', now: start, limit: 1 })
    assert.equal((await store.laneFailures(lane!, 9)).length, 2)
    // It failed by itself: it is not repeated for each good one.
    await store.postponePush(due[0]!, hung(later), start)
    await store.settlePush(last!, done, start)
    assert.deepEqual(await store.claimPushes(lease(start)), [])
  },
  async 'a lone push of a closed lane is due with each probe, after the pause that was asked for'(store) {
    await keep(store, ['a'])
    let now = start
    for (let time = 1; time <= 3; time++) {
      const [one] = await store.claimPushes(lease(now))
      now += 60 * minute
      assert.equal(await store.postponePush(one!, hung(now), now - 60 * minute), now)
    }
    const next = async (pause?: number) => {
      const [one] = await store.claimPushes(lease(now))
      const again = { ...hung(now + 60 * minute), ...(pause !== undefined && { pause }) }
      const dueAt = await store.postponePush(one!, again, now)
      assert.deepEqual(await store.claimPushes(lease(dueAt - 1)), [])
      return dueAt
    }
    assert.equal(await next(), now + 5 * second)
    now += 5 * second
    assert.equal(await next(20 * minute), now + 20 * minute)
    now += 20 * minute
    const [one] = await store.claimPushes(lease(now))
    const later = now + 60 * minute
    assert.equal(await store.postponePush(one!, unread(later), now), later)
  },
  async 'a push that cannot be read waits alone; one that is given up opens no lane, and others do'(store) {
    await keep(store, ['a', 'b', 'c', 'd', 'e'])
    await failAll(store, start, unread)
    await keep(store, ['f'])
    assert.deepEqual(keysOf(await store.claimPushes(lease())), ['f'])

    await keep(store, ['g', 'h', 'i', 'j'], { shopId: 'other' })
    await failAll(store)
    await keep(store, ['k', 'l'], { shopId: 'other' })
    const [probe] = await store.claimPushes(lease(start + 5 * second))
    await store.settlePush(probe!, { outcome: 'given_up', detail: 'given up' }, start + 5 * second)
    const [next, ...others] = await store.claimPushes(lease(start + 5 * second))
    assert.deepEqual(others, [])
    const unmatched = { outcome: 'unmatched', detail: 'not here', names: ['tr_9'] } as const
    await store.settlePush(next!, unmatched, start + 5 * second)
    assert.equal((await store.claimPushes(lease(start + 5 * second))).length, 4)
  },
  async 'fresh pushes go before those that cannot be read, which keep a place of their own'(store) {
    const spoiled = Array.from({ length: 9 }, (_, place) => `spoiled ${place}`)
    await keep(store, spoiled)
    const now = start + minute
    // Each is due a moment after the one before: of those that are due together any may come first.
    for (const one of await store.claimPushes(lease()))
      await store.postponePush(one, unread(now - 9 + spoiled.indexOf(one.key)), start)
    for (const [at, key] of ['a', 'b', 'c', 'd'].entries())
      await keep(store, [key], { receivedAt: now - 4 + at })
    const claimed = await store.claimPushes(lease(now, { perLane: 4 }))
    assert.deepEqual(keysOf(claimed), ['a', 'b', 'c', 'spoiled 0'])
    for (const one of claimed.slice(0, 3)) await store.settlePush(one, done, now)
    assert.deepEqual(keysOf(await store.claimPushes(lease(now, { perLane: 4 }))), ['d'])
  },
  async 'what became of pushes is found by outcome, shop, adapter, id and payment, newest first'(store) {
    const names = ['tr_100%', 'it is "theirs"']
    const outcomes = ['processed', 'unmatched', 'given_up', 'failed', 'ignored', 'waiting'] as const
    for (const [place, outcome] of outcomes.entries()) {
      await keep(store, [`key of ${outcome}`], { receivedAt: start + place })
      const [one] = outcome === 'waiting' ? [] : await store.claimPushes(lease(start + place))
      if (!one) continue
      const became = { detail: 'why', names: outcome === 'unmatched' ? names : [] }
      if (outcome === 'failed') await store.postponePush(one, unread(start + minute), start + place)
      else if (outcome !== 'waiting') await store.settlePush(one, { outcome, ...became }, start)
    }
    const keys = async (filter: Omit<Parameters<StorePort['pushes']>[0], 'limit'>) =>
      (await store.pushes({ ...filter, limit: 9 })).map(({ key }) => key)
    assert.deepEqual(await keys({}), outcomes.map((one) => `key of ${one}`).reverse())
    for (const outcome of outcomes) {
      const [record, ...others] = await store.pushes({ outcome, limit: 9 })
      assert.deepEqual([record?.key, record?.outcome, others], [`key of ${outcome}`, outcome, []])
    }
    const ofThePsp = { outcome: 'unmatched', shopId: 'default', adapter: 'psp' } as const
    for (const filter of [ofThePsp, { key: 'key of u' }, ...names.map((name) => ({ name }))])
      assert.deepEqual(await keys(filter), ['key of unmatched'])
    const unknown = ['tr_100', 'TR_100%', 'tr_1000', 'theirs', '%'].map((name) => ({ name }))
    for (const filter of [{ ...ofThePsp, shopId: 'other' }, { adapter: 'other' }, ...unknown])
      assert.deepEqual(await keys(filter), [])
    assert.deepEqual((await store.pushes({ outcome: 'unmatched', limit: 1 }))[0]?.names, names)
    assert.deepEqual(await store.countPushTroubles(start), { unmatched: 1, given_up: 1, failed: 1 })
    assert.deepEqual(await store.countPushTroubles(start + 2), { given_up: 1, failed: 1 })
    // One that comes again begins anew.
    await keep(store, ['key of unmatched'], { receivedAt: start + minute })
    assert.deepEqual(await keys({ outcome: 'unmatched' }), [])
    assert.deepEqual(await keys({ outcome: 'waiting' }), ['key of unmatched', 'key of waiting'])
  },
  async 'a payment service that flaps leaves no push behind'(store) {
    await keep(store, ['a', 'b', 'c', 'd'])
    await failAll(store)
    for (const opening of [1, 2, 3]) {
      const now = start + opening * minute
      await keep(store, [`probe ${opening}`], { receivedAt: now })
      const [probe] = await store.claimPushes(lease(now))
      await store.settlePush(probe!, done, now)
      const recalled = await store.claimPushes(lease(now))
      assert.deepEqual(keysOf(recalled), ['a', 'b', 'c', 'd'])
      for (const one of recalled) await store.postponePush(one, hung(now + 60 * minute), now)
    }
  },
  async 'the lease of a push is renewed by its owner alone, and no other postpones the push'(store) {
    await keep(store, ['k'])
    const [leased] = await store.claimPushes(lease())
    await store.renewPushes([leased!], start + 5 * minute)
    assert.deepEqual(await store.claimPushes(lease(start + 4 * minute, { owner: 'b' })), [])
    const [taken] = await store.claimPushes(lease(start + 5 * minute, { owner: 'b' }))
    assert.deepEqual([taken?.key, taken?.owner], ['k', 'b'])
    await store.renewPushes([leased!], start + 60 * minute)
    await store.postponePush(leased!, hung(start + 60 * minute), start + 5 * minute)
    await store.settlePush(taken!, done, start + 5 * minute)
    assert.equal((await store.pushes({ limit: 5 }))[0]?.detail, 'noted')
    assert.deepEqual(await store.claimPushes(lease(start + 7 * 60 * minute)), [])
  },
  async 'a person opens a lane of pushes that is not closed: all that failed is due, read or not'(store) {
    await keep(store, ['a', 'b', 'c'])
    const dueAt = start + 60 * minute
    for (const [place, one] of (await store.claimPushes(lease())).entries())
      await store.postponePush(one, place === 0 ? unread(dueAt) : hung(dueAt), start)
    const [lane] = await store.lanes({ now: start, limit: 5 })
    assert.equal(lane!.refused, 1)
    assert.equal(await store.openLane(lane!, start + second), 3)
    assert.deepEqual(keysOf(await store.claimPushes(lease(start + second))).sort(), ['a', 'b', 'c'])
  },
  async 'a lane of pushes is listed and opened by a person'(store) {
    await keep(store, ['a', 'b', 'c', 'd'])
    await failAll(store)
    const [lane] = await store.lanes({ now: start, limit: 5 })
    assert.deepEqual(lane, {
      ...{ kind: 'push', shopId: 'default', to: 'psp', failures: 4, waiting: 4, open: 0, refused: 0 },
      ...{ closedAt: start, probeAt: start + 5 * second, lastFailure: 'no answer within 2000 ms' },
      ...{ failingSince: start, dueAt: start + 5 * second, waitingSince: start, lastOutage: undefined },
    })
    assert.equal(await store.openLane({ ...lane!, shopId: 'other' }, start), undefined)
    // No lane of webhooks, although its name would be that of this one.
    assert.equal(
      await store.openLane({ kind: 'webhook', shopId: 'default', to: 'push psp' }, start),
      undefined,
    )
    assert.equal(await store.openLane(lane!, start + second), 4)
    assert.equal((await store.claimPushes(lease(start + second))).length, 4)
  },
  async 'a push about a reference that no attempt has waits until a start stores it, and is due then'(store) {
    const until = start + 72 * 60 * minute
    const outcome = { outcome: 'unmatched', detail: 'no payment of the shop has this reference' } as const
    const unmatched = { ...outcome, names: ['tr_1', 'x'], references: ['tr_1'] }
    await keep(store, ['k', 'other'])
    const [leased, other] = (await store.claimPushes(lease())).sort((a, b) => a.key.localeCompare(b.key))
    await store.parkPush(leased!, unmatched, until, start)
    await store.parkPush(other!, { ...unmatched, names: ['tr_2'], references: ['tr_2'] }, until, start)
    const [record] = await store.pushes({ outcome: 'unmatched', name: 'tr_1', limit: 5 })
    assert.deepEqual([record?.key, record?.dueAt, record?.outcome], ['k', until, 'unmatched'])
    assert.deepEqual(await store.claimPushes(lease(start + minute)), [])
    assert.deepEqual(await store.lanes({ now: start + minute, limit: 5 }), [])
    const pushes = (await store.countWaiting(start + minute)).find(({ kind }) => kind === 'push')
    assert.deepEqual([pushes?.open, pushes?.closed], [0, 0])
    // A person who opens the lane ends no such wait.
    assert.equal(await store.openLane({ kind: 'push', shopId: 'default', to: 'psp' }, start + minute), 0)

    const { attempt } = await store.openAttempt(open({ adapter: 'psp' }))
    await store.noteStart(attempt, redirect, times(5))
    const [due, none] = await store.claimPushes(lease(start + minute))
    assert.deepEqual([due?.key, none], ['k', undefined])
    await store.settlePush(due!, done, start + minute)

    // The start stored its reference while this one was processed.
    await keep(store, ['late'], { receivedAt: start + 2 * minute })
    const [late] = await store.claimPushes(lease(start + 2 * minute))
    await store.parkPush(late!, unmatched, until, start + 2 * minute)
    const [found] = await store.claimPushes(lease(start + 2 * minute))
    assert.equal(found?.key, 'late')
    await store.settlePush(found!, done, start + 2 * minute)
    assert.deepEqual(keysOf(await store.claimPushes(lease(until))), ['other'])
  },
}
