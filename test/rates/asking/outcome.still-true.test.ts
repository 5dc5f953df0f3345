import { expect, test } from 'vitest'
import type { OfferedShipmentMethod } from '../../../src/adapters/offered-methods.ts'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import type { RateContext } from '../../../src/rates/adapter.ts'
import { combine } from '../../../src/rates/adapters/combine.ts'
import { placesOf } from '../../../src/rates/asking/outcome.ts'
import { door, ratesWith } from '../../helpers/rates.ts'

const own: AnyRateAdapter = { name: 'own', quote: () => [{ ...door, id: 'own' }] }

type Offers = (ctx: RateContext) => OfferedShipmentMethod[]

function counting(offers: Offers, more: Partial<AnyRateAdapter> = {}) {
  let calls = 0
  const adapter: AnyRateAdapter = {
    name: 'carrier',
    async quote(_request, ctx) {
      calls++
      return offers(ctx)
    },
    ...more,
  }
  return { adapter, calls: () => calls }
}

const method = (id: string, goodUntil?: number) => ({ ...door, id, ...(goodUntil && { goodUntil }) })

test('a method that has passed when it is handed over costs no other method and no further call', async () => {
  const { adapter, calls } = counting(({ now }) => [method('a', now() - 1_000), method('b')], {
    cache: { ttl: 600_000 },
  })
  const { ask, ids } = ratesWith([combine('both', [adapter, own])])
  expect(await ids()).toEqual(['b', 'own'])
  const [explained] = (await ask()).adapters
  expect(explained).toMatchObject({
    result: 'methods',
    leftOut: [{ place: 1, id: 'a', reason: 'carrier: its goodUntil has passed' }],
  })
  expect(calls()).toBe(1)
})

test('goodUntil in seconds is named as what it is', async () => {
  const { adapter } = counting(({ now }) => [method('a', Math.floor(now() / 1_000) + 3_600)])
  const { ask } = ratesWith([adapter])
  const reason = 'its goodUntil has passed: give milliseconds since 1970, not seconds'
  expect((await ask()).adapters[0]!.leftOut).toEqual([{ place: 1, id: 'a', reason }])
})

/** Answers after 500 ms, so that what came before has to wait. */
const slow = (wait: (ms: number) => Promise<void>): AnyRateAdapter => ({
  name: 'slow',
  async quote() {
    await wait(500)
    return [{ ...door, id: 'slow' }]
  },
})

test('a method that passes while others are awaited is asked for again, and only it is left out', async () => {
  let renews = true
  let fails = false
  const first = new Set<string>()
  const { adapter, calls } = counting(({ now }) => {
    if (fails && first.size > 0) throw new Error('down')
    const end = first.size > 0 && !renews ? now() : now() + 100
    first.add('asked')
    return [method('a', end), method('b')]
  })
  const wait = (ms: number) => new Promise<void>((resolve) => void moved.world.after(ms, resolve))
  const moved = ratesWith([adapter, slow(wait)])
  const asked = async () => {
    first.clear()
    const before = calls()
    const answer = moved.ask()
    await moved.move(500)
    const { methods, adapters } = await answer
    return { ids: methods.map(({ id }) => id), calls: calls() - before, leftOut: adapters[0]!.leftOut }
  }
  expect(await asked()).toEqual({ ids: ['a', 'b', 'slow'], calls: 2, leftOut: [] })
  renews = false
  const leftOut = [{ place: 1, id: 'a', reason: 'its goodUntil has passed' }]
  expect(await asked()).toEqual({ ids: ['b', 'slow'], calls: 2, leftOut })
  fails = true
  expect(await asked()).toEqual({ ids: ['b', 'slow'], calls: 2, leftOut })
})

test('an older answer of a carrier that is down has the methods that still hold', async () => {
  let fails = false
  const { adapter } = counting(
    ({ now }) => {
      if (fails) throw new Error('down')
      return [method('a', now() + 1_000), method('b')]
    },
    { cache: { ttl: 60_000, staleFor: 60_000 } },
  )
  const { ask, ids, move } = ratesWith([adapter])
  expect(await ids()).toEqual(['a', 'b'])
  fails = true
  await move(1_000)
  const { methods, adapters } = await ask()
  expect(methods.map(({ id }) => id)).toEqual(['b'])
  expect(adapters[0]).toMatchObject({ cache: 'stale', result: 'methods' })
})

test('the answer itself has no goodUntil: only its explanation does', async () => {
  const { ask, world } = ratesWith([counting(({ now }) => [method('a', now() + 1_000)]).adapter])
  const { methods, adapters } = await ask()
  expect(methods[0]).not.toHaveProperty('goodUntil')
  expect(adapters[0]!.methods[0]).toHaveProperty('goodUntil', world.now() + 1_000)
})

test('the place of a method counts those that were left out before it, and none of an inner adapter', () => {
  const methods = ['a', 'b', 'c'].map((id) => ({ id })) as never
  const leftOut = [
    { place: 1, reason: 'no title' },
    { place: 3, reason: 'no price' },
    { place: 2, reason: 'inner: no price', inside: 'inner' },
  ]
  expect(placesOf({ methods, leftOut })).toEqual([2, 4, 5])
})
