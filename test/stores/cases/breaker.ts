import assert from 'node:assert/strict'
import { minute, type StoreCase, start } from './store-case.ts'

const second = 1_000
const opened = (adapter: string, shopId: string | undefined, since = start) => ({
  ...{ adapter, shopId, since, nextTry: since + 10 * second, lastFailure: 'no answer within 2500 ms' },
})

/** The rules of every store for the breakers of rate adapters, which other processes list and release. */
export const breakerCases: readonly StoreCase[] = [
  {
    name: 'breakers of several nodes are listed as one, and what a node notes replaces what it noted before',
    async run(store) {
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
      assert.deepEqual(await store.breakers({ now }), [
        { ...opened('courier', undefined, start + second), nodes: 1 },
      ])
    },
  },
  {
    name: 'a breaker that a person releases is closed by each node that has it, once',
    async run(store) {
      const all = opened('courier', undefined)
      const [red, blue] = [opened('courier', 'red'), opened('courier', 'blue')]
      await store.noteBreakers('a', [all], start)
      await store.noteBreakers('b', [red, blue, opened('bank', 'red')], start)
      assert.equal(await store.releaseBreakers({ adapter: 'courier', shopId: 'green' }, start), 0)
      assert.equal(await store.releaseBreakers({ adapter: 'courier', shopId: 'red' }, start, 'ada'), 1)
      const [last] = await store.auditTrail({ shopId: 'red', limit: 1 })
      assert.deepEqual([last?.action, last?.by], ['lane.opened', 'ada'])
      assert.deepEqual(await store.noteBreakers('b', [red, blue], start), [
        { adapter: 'courier', shopId: 'red' },
      ])
      assert.deepEqual(await store.noteBreakers('b', [blue], start), [])
      assert.equal(await store.releaseBreakers({ adapter: 'courier', shopId: undefined }, start), 2)
      assert.deepEqual(await store.breakers({ now: start }), [])
      for (const [node, one] of [['a', all] as const, ['b', blue] as const]) {
        const { adapter, shopId } = one
        assert.deepEqual(await store.noteBreakers(node, [one], start), [{ adapter, shopId }])
      }
      assert.deepEqual(await store.breakers({ now: start }), [])
    },
  },
  {
    name: 'breakers of a node that has died are listed no more after a minute, and are forgotten',
    async run(store) {
      await store.noteBreakers('a', [opened('courier', undefined)], start)
      assert.equal((await store.breakers({ now: start + minute })).length, 1)
      assert.deepEqual(await store.breakers({ now: start + minute + 1 }), [])
      const breaker = { adapter: 'courier', shopId: undefined }
      assert.equal(await store.releaseBreakers(breaker, start + minute + 1), 0)
      await store.noteBreakers('b', [], start + 2 * minute)
      assert.deepEqual(await store.breakers({ now: start }), [])
    },
  },
]
