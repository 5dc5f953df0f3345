import { expect, test } from 'vitest'
import { SlowAdapters } from '../../../src/rates/asking/rate-memory.ts'
import { door, ratesWith } from '../../helpers/rates.ts'

const slow = 1_800
const quick = 40
const call = (ms: number, now: number, failure?: string) => ({ started: now - ms, now, failure })

test('an adapter most of whose calls take over 1 s is slow since the first of them, until most are quick again', () => {
  const adapters = new SlowAdapters()
  let now = 100_000
  const take = (ms: number, failure?: string) => {
    now += 5_000
    adapters.called('courier', call(ms, now, failure))
  }
  for (let time = 0; time < 100; time++) take(quick)
  const since = now + 5_000 - slow
  for (let time = 0; time < 9; time++) take(slow)
  expect(adapters.slow(now)).toEqual([])
  take(slow)
  expect(adapters.slow(now)).toEqual([{ adapter: 'courier', since, lastFailure: 'answered after 1.8 s' }])
  for (let time = 0; time < 9; time++) take(quick)
  take(2_500, 'no answer within 2500 ms')
  expect(adapters.slow(now)).toMatchObject([{ since, lastFailure: 'no answer within 2500 ms' }])
  take(quick)
  // A good call is one too.
  expect(adapters.slow(now + 60_000)).toHaveLength(1)
  expect(adapters.slow(now + 60_001)).toEqual([])
  take(quick)
  expect(adapters.slow(now)).toEqual([])
})

test('an adapter that fails now and then is not slow, nor one that nobody asks any more', () => {
  const adapters = new SlowAdapters()
  for (let time = 0; time < 1_000; time++)
    adapters.called('courier', call(time % 3 === 0 ? slow : quick, time * 1_000))
  expect(adapters.slow(1_000_000)).toEqual([])
  for (let time = 0; time < 20; time++) adapters.called('post', call(slow, 1_000_000))
  expect(adapters.slow(1_060_000)).toHaveLength(1)
  adapters.called('post', call(quick, 1_599_999))
  expect(adapters.slow(1_599_999)).toHaveLength(1)
  expect(adapters.slow(1_600_000)).toEqual([])
  adapters.called('post', call(slow, 1_600_000))
  expect(adapters.slow(1_600_000)).toEqual([])
})

test('quotes count, those that a carrier refuses for their shop do not', async () => {
  let answer = async () => [door]
  const { ask, move, slow } = ratesWith([{ name: 'courier', quote: () => answer() }])
  const refused = Object.assign(new Error('the key has expired'), { status: 401 })
  answer = () => Promise.reject(refused)
  for (let time = 0; time < 20; time++) await ask(undefined, `shop-${time}`)
  expect(slow()).toEqual([])
  answer = () => new Promise((resolve) => later.push(() => resolve([door])))
  const later: (() => void)[] = []
  for (let time = 0; time < 10; time++) {
    const asked = ask()
    await move(1_500)
    for (const resolve of later) resolve()
    expect((await asked).methods).toHaveLength(1)
  }
  expect(slow()).toMatchObject([{ adapter: 'courier', lastFailure: 'answered after 1.5 s' }])
})
