import assert from 'node:assert/strict'
import type { ServiceFailures } from '../../../src/store-port.ts'
import { endpoint, type StoreCases, start } from './store-case.ts'

const counted = (changes: Partial<ServiceFailures> = {}): ServiceFailures => ({
  ...{ kind: 'start', adapter: 'psp', shopId: 'red', firstAt: start, lastAt: start + 10 },
  ...{ okAt: undefined, calls: 3, failure: 'no answer within 4000 ms', ...changes },
})

/** The rules of every store for failures of payment services. */
export const serviceFailureCases: StoreCases = {
  async 'failures of a payment service are those that each node stored last'(store) {
    await store.noteServiceFailures('a', [counted(), counted({ shopId: 'blue', firstAt: start + 1 })])
    await store.noteServiceFailures('b', [counted({ firstAt: start + 2, calls: 1 })])
    const ended = counted({ lastAt: start + 20, okAt: start + 30, calls: 5, failure: 'Error' })
    await store.noteServiceFailures('a', [ended])
    const listed = (filter = {}) => store.serviceFailures({ kind: 'start', since: 0, ...filter })
    assert.deepEqual(await listed(), [
      ended,
      counted({ shopId: 'blue', firstAt: start + 1 }),
      counted({ firstAt: start + 2, calls: 1 }),
    ])
    assert.deepEqual(await listed({ since: start + 11 }), [ended])
    assert.equal((await listed({ shopId: 'blue' })).length, 1)
    assert.deepEqual(await listed({ adapter: 'other' }), [])
    assert.deepEqual(await listed({ kind: 'push' }), [])
  },
  async 'failures of a payment service are forgotten after their last one, and with their shop'(store) {
    await store.ensureShop('red', endpoint('red'))
    await store.noteServiceFailures('a', [counted(), counted({ shopId: 'blue', lastAt: start + 50 })])
    await store.forget(start + 20)
    const shops = async () =>
      (await store.serviceFailures({ kind: 'start', since: 0 })).map(({ shopId }) => shopId)
    assert.deepEqual(await shops(), ['blue'])
    await store.noteServiceFailures('a', [counted()])
    await store.removeShop('red', start)
    assert.deepEqual(await shops(), ['blue'])
  },
}
