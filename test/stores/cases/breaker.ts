import assert from 'node:assert/strict'
import { minute, type StoreCases, start } from './store-case.ts'

const second = 1_000
const opened = (adapter: string, shopId: string | undefined, since = start) => ({
  ...{ adapter, shopId, since, nextTry: since + 10 * second, lastFailure: 'no answer within 2500 ms' },
})

const outage = (adapter: string, shopId: string | undefined, beganAt: number, endedAt: number) => ({
  ...{ adapter, shopId, beganAt, endedAt, failure: 'no answer within 2500 ms', calls: 0 },
})

/** The rules of every store for the breakers of rate adapters, which other processes list and release. */
export const breakerCases: StoreCases = {
  async 'breakers of several nodes are listed as one, and what a node notes replaces what it noted'(store) {
    await store.noteBreakers('a', [opened('courier', undefined), opened('bank', 'red')], start)
    await store.noteBreakers('b', [opened('courier', undefined, start + second)], start + second)
    const now = start + 2 * second
    assert.deepEqual(await store.breakers({ now }), [
      { ...opened('courier', undefined), nodes: 2 },
      { ...opened('bank', 'red'), nodes: 1 },
    ])
    assert.equal((await store.breakers({ now, shopId: 'blue' })).length, 1)
    assert.equal((await store.breakers({ now, shopId: 'red' })).length, 2)
    await store.noteBreakers('a', [], now)
    const one = { ...opened('courier', undefined, start + second), nodes: 1 }
    assert.deepEqual(await store.breakers({ now }), [one])
  },
  async 'a breaker that a person releases is closed by each node that has it, once'(store) {
    const all = opened('courier', undefined)
    const [red, blue] = [opened('courier', 'red'), opened('courier', 'blue')]
    await store.noteBreakers('a', [all], start)
    await store.noteBreakers('b', [red, blue, opened('bank', 'red')], start)
    assert.equal(await store.releaseBreakers({ adapter: 'courier', shopId: 'green' }, start), 0)
    assert.equal(await store.releaseBreakers({ adapter: 'courier', shopId: 'red' }, start, 'ada'), 1)
    const [last] = await store.auditTrail({ shopId: 'red', limit: 1 })
    assert.deepEqual([last?.action, last?.by], ['lane.opened', 'ada'])
    const released = [{ adapter: 'courier', shopId: 'red' }]
    assert.deepEqual(await store.noteBreakers('b', [red, blue], start), released)
    assert.deepEqual(await store.noteBreakers('b', [blue], start), [])
    assert.equal(await store.releaseBreakers({ adapter: 'courier', shopId: undefined }, start, 'ben'), 2)
    // That of all shops concerns no shop, and stands among the entries of all.
    const entry = { shop: '', at: start, by: 'ben', action: 'lane.opened', kind: 'rates', to: 'courier' }
    assert.deepEqual(await store.auditTrail({ shopId: '', limit: 9 }), [entry])
    assert.deepEqual((await store.searchAuditTrail({ action: 'lane', limit: 9 }))[0]?.entry, entry)
    assert.deepEqual(await store.breakers({ now: start }), [])
    for (const one of [all, blue]) {
      const { adapter, shopId } = one
      const found = await store.noteBreakers(one === all ? 'a' : 'b', [one], start)
      assert.deepEqual(found, [{ adapter, shopId }])
    }
    assert.deepEqual(await store.breakers({ now: start }), [])
  },
  async 'breakers of a node that has died are listed no more after a minute, and are forgotten'(store) {
    await store.noteBreakers('a', [opened('courier', undefined)], start)
    assert.equal((await store.breakers({ now: start + minute })).length, 1)
    assert.deepEqual(await store.breakers({ now: start + minute + 1 }), [])
    const breaker = { adapter: 'courier', shopId: undefined }
    assert.equal(await store.releaseBreakers(breaker, start + minute + 1), 0)
    await store.noteBreakers('b', [], start + 2 * minute)
    assert.deepEqual(await store.breakers({ now: start }), [])
    assert.deepEqual(await store.rateOutages({ since: 0 }), [outage('courier', undefined, start, start)])
  },
  async 'a slow rate adapter is listed without a next try, and no person can release it'(store) {
    const slow = { ...opened('courier', undefined), nextTry: undefined }
    await store.noteBreakers('a', [slow], start)
    assert.deepEqual(await store.breakers({ now: start }), [{ ...slow, nodes: 1 }])
    assert.equal(await store.releaseBreakers({ adapter: 'courier', shopId: undefined }, start), 0)
    await store.noteBreakers('b', [opened('courier', undefined)], start)
    assert.deepEqual(await store.breakers({ now: start }), [{ ...opened('courier', undefined), nodes: 2 }])
  },
  async 'an outage of a rate adapter that no node notes any more is kept once, for 30 days'(store) {
    const all = opened('courier', undefined)
    await store.noteBreakers('a', [all], start)
    assert.deepEqual(await store.rateOutages({ since: 0 }), [])
    const until = start + 10 * minute
    // Nodes note what they have every few seconds; one that does not has died.
    for (let now = start; now < until; now += minute) {
      await store.noteBreakers('a', [all, opened('bank', 'red')], now)
      await store.noteBreakers('b', [all], now)
    }
    await store.noteBreakers('a', [opened('bank', 'red')], until - second)
    await store.noteBreakers('b', [], until)
    const long = outage('courier', undefined, start, until)
    assert.deepEqual(await store.rateOutages({ since: start }), [long])
    assert.deepEqual(await store.rateOutages({ since: until + 1 }), [])

    // One that comes back within a minute is the same, with both reasons; a later one is another.
    const back = { ...opened('courier', undefined, until + 30 * second), lastFailure: 'status 503' }
    await store.noteBreakers('a', [back], until + 30 * second)
    await store.noteBreakers('a', [], until + 50 * second)
    const failure = 'no answer within 2500 ms; status 503'
    const longer = { ...outage('courier', undefined, start, until + 50 * second), failure }
    assert.deepEqual(await store.rateOutages({ since: start, shopId: 'blue' }), [longer])
    const later = until + 3 * minute
    await store.noteBreakers('a', [opened('courier', undefined, later)], later)
    await store.noteBreakers('a', [], later)
    const ofRed = outage('bank', 'red', start, until + 30 * second)
    assert.deepEqual(await store.rateOutages({ since: start, adapter: 'bank' }), [ofRed])
    const every = await store.rateOutages({ since: start, shopId: 'red' })
    assert.deepEqual(
      every.toSorted((one, other) => one.endedAt - other.endedAt),
      [ofRed, longer, outage('courier', undefined, later, later)],
    )
    await store.forget(later)
    assert.equal((await store.rateOutages({ since: 0 })).length, 1)
  },
  async 'a rate adapter that is slow after its breaker has closed keeps both reasons in its outage'(store) {
    const down = { ...opened('courier', undefined), lastFailure: 'status 503' }
    const slow = { ...down, nextTry: undefined, lastFailure: 'answered after 1.8 s' }
    for (const now of [start, start + second]) await store.noteBreakers('a', [down], now)
    for (const after of [2, 3, 4]) await store.noteBreakers('a', [slow], start + after * second)
    await store.noteBreakers('a', [], start + minute)
    const failure = 'status 503; answered after 1.8 s'
    const whole = { ...outage('courier', undefined, start, start + minute), failure }
    assert.deepEqual(await store.rateOutages({ since: 0 }), [whole])
  },
  async 'an outage of a rate adapter ended when the adapter was well, however late it is stored'(store) {
    await store.noteBreakers('a', [opened('courier', undefined)], start)
    // The store was away meanwhile, and never had the second one.
    const ended = [
      { ...opened('courier', undefined), endedAt: start + minute },
      { ...opened('bank', 'red', start + 2 * minute), endedAt: start + 3 * minute },
    ]
    const again = opened('courier', undefined, start + 5 * minute)
    await store.noteBreakers('a', [again], start + 10 * minute, ended)
    assert.deepEqual(await store.breakers({ now: start + 10 * minute }), [{ ...again, nodes: 1 }])
    assert.deepEqual(await store.rateOutages({ since: 0 }), [
      outage('courier', undefined, start, start + minute),
      outage('bank', 'red', start + 2 * minute, start + 3 * minute),
    ])
  },
}
