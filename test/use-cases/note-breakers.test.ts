import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/store.ts'
import { BreakerNotes } from '../../src/use-cases/note-breakers.ts'
import { movableWorld, providerIn } from './world.ts'

const second = 1_000

test('an outage of a carrier ends when the carrier is well again, also while the store takes no writes', async () => {
  const { world, move } = movableWorld()
  const workings = providerIn(world, {})
  const { store, rates } = workings
  const notes = new BreakerNotes(workings)
  const begun = world.now()
  const call = (ms: number) => {
    for (let calls = 0; calls < 10; calls++)
      rates.memory.slow.called('courier', { shop: 'default', ms, now: world.now() + ms })
  }
  call(3 * second)
  await notes.work()

  const noteBreakers = store.noteBreakers.bind(store)
  store.noteBreakers = () => Promise.reject(new StoreUnavailable('the disk is full'))
  await move(30 * second)
  call(second / 10)
  for (let looks = 0; looks < 40; looks++) {
    await expect(notes.work()).rejects.toThrow('the disk is full')
    await move(5 * second)
  }
  store.noteBreakers = noteBreakers
  await notes.work()
  const outages = await store.rateOutages({ since: 0 })
  expect(outages).toMatchObject([{ adapter: 'courier', beganAt: begun, endedAt: begun + 30 * second }])

  // One that began and ended while the store was away is kept too.
  store.noteBreakers = () => Promise.reject(new StoreUnavailable('the disk is full'))
  await move(600 * second)
  const later = world.now()
  call(3 * second)
  await expect(notes.work()).rejects.toThrow('the disk is full')
  await move(5 * second)
  call(second / 10)
  await expect(notes.work()).rejects.toThrow('the disk is full')
  await move(100 * second)
  store.noteBreakers = noteBreakers
  await notes.work()
  expect((await store.rateOutages({ since: 0 })).at(-1)).toMatchObject({
    ...{ beganAt: later, endedAt: later + 5 * second },
  })
  expect(await notes.work()).toBe(5 * second)
  await notes.end()
  expect(await store.rateOutages({ since: 0 })).toHaveLength(2)
})

test('an adapter that is slow for one shop is noted for this one, and not beside a breaker for all', async () => {
  const { world, move } = movableWorld()
  const workings = providerIn(world, {})
  const { store, rates } = workings
  const notes = new BreakerNotes(workings)
  const call = (shop: string, ms: number) =>
    rates.memory.slow.called('courier', { shop, ms, now: world.now() + ms })
  const begun = world.now()
  const noted = async () => {
    await notes.work()
    return (await store.breakers({ now: world.now() })).map(({ shopId, since }) => [shopId, since - begun])
  }
  for (let calls = 0; calls < 5; calls++) call('red', 3 * second)
  call('blue', second / 10)
  for (let calls = 0; calls < 6; calls++) call('red', 3 * second)
  expect(await noted()).toEqual([['red', 0]])
  const { breakers } = rates.memory
  await move(5 * second)
  for (let calls = 0; calls < 5; calls++) breakers.failed('courier', 'red', { reason: 'x', ofCarrier: true })
  expect(await noted()).toEqual([['red', 0]])
  for (const shop of ['blue', 'green', 'blue', 'green'])
    breakers.failed('courier', shop, { reason: 'x', ofCarrier: true })
  expect(await noted()).toEqual([[undefined, 5 * second]])
})

test('an outage of an adapter that nobody asks any more ended with its last call', async () => {
  const { world, move } = movableWorld()
  const workings = providerIn(world, {})
  const { store, rates } = workings
  const notes = new BreakerNotes(workings)
  const begun = world.now()
  const call = (ms: number) =>
    rates.memory.slow.called('courier', { shop: 'default', ms, now: world.now() + ms })
  for (let calls = 0; calls < 10; calls++) call(3 * second)
  await notes.work()
  expect(await store.breakers({ now: world.now() })).toMatchObject([{ lastCallAt: begun + 3 * second }])
  for (let looks = 0; looks < 122; looks++) {
    await move(5 * second)
    await notes.work()
  }
  expect(await store.breakers({ now: world.now() })).toEqual([])
  expect(await store.rateOutages({ since: 0 })).toMatchObject([
    { beganAt: begun, endedAt: begun + 3 * second },
  ])
})
