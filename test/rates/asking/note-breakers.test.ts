import { expect, test, vi } from 'vitest'
import { BreakerNotes } from '../../../src/rates/asking/note-breakers.ts'
import { StoreUnavailable } from '../../../src/store.ts'
import { movableWorld, providerIn } from '../../helpers/world.ts'

const second = 1_000

/** The notes of one node about an adapter that is called now and then. */
function noting() {
  const { world, move } = movableWorld()
  const workings = providerIn(world, {})
  const { store, rates } = workings
  const call = (ms: number, times = 1) => {
    for (let calls = 0; calls < times; calls++)
      rates.memory.slow.called('courier', { started: world.now(), now: world.now() + ms })
  }
  const breakers = () => store.breakers({ now: world.now() })
  return { world, move, store, rates, call, breakers, begun: world.now(), notes: new BreakerNotes(workings) }
}

test('an outage of a carrier ends when the carrier is well again, also while the store takes no writes', async () => {
  const { world, move, store, call, begun, notes } = noting()
  call(3 * second, 10)
  await notes.work()

  const full = new StoreUnavailable('the disk is full')
  const writing = vi.spyOn(store, 'noteBreakers').mockRejectedValue(full)
  await move(30 * second)
  call(second / 10, 10)
  for (let looks = 0; looks < 40; looks++) {
    await expect(notes.work()).rejects.toThrow('the disk is full')
    await move(5 * second)
  }
  writing.mockReset()
  await notes.work()
  const outages = await store.rateOutages({ since: 0 })
  expect(outages).toMatchObject([{ adapter: 'courier', beganAt: begun, endedAt: begun + 30 * second }])

  // One that began and ended while the store was away is kept too.
  writing.mockRejectedValue(full)
  await move(600 * second)
  const later = world.now()
  call(3 * second, 10)
  await expect(notes.work()).rejects.toThrow('the disk is full')
  await move(5 * second)
  call(second / 10, 10)
  await expect(notes.work()).rejects.toThrow('the disk is full')
  await move(100 * second)
  writing.mockReset()
  await notes.work()
  const last = { beganAt: later, endedAt: later + 5 * second }
  expect((await store.rateOutages({ since: 0 })).at(-1)).toMatchObject(last)
  expect(await notes.work()).toBe(5 * second)
  await notes.end()
  expect(await store.rateOutages({ since: 0 })).toHaveLength(2)
})

test('an adapter that is slow has one outage with the breaker that opens for all shops then', async () => {
  const { move, rates, call, breakers: listed, begun, notes } = noting()
  const noted = async () => {
    await notes.work()
    return (await listed()).map(({ shopId, since, nextTry }) => [
      shopId,
      since - begun,
      nextTry !== undefined,
    ])
  }
  call(3 * second, 10)
  expect(await noted()).toEqual([[undefined, 0, false]])
  const { breakers } = rates.memory
  await move(5 * second)
  for (const shop of ['red', 'blue', 'green', 'blue', 'green'])
    breakers.failed('courier', shop, { reason: 'x', ofCarrier: true })
  expect(await noted()).toEqual([[undefined, 0, true]])
})

test('an outage of an adapter that nobody asks any more ended a minute after its last call', async () => {
  const { move, store, call, breakers, begun, notes } = noting()
  call(3 * second, 10)
  await notes.work()
  expect(await breakers()).toHaveLength(1)
  for (let looks = 0; looks < 122; looks++) {
    await move(5 * second)
    await notes.work()
  }
  expect(await breakers()).toEqual([])
  expect(await store.rateOutages({ since: 0 })).toMatchObject([
    { beganAt: begun, endedAt: begun + 65 * second },
  ])
})
