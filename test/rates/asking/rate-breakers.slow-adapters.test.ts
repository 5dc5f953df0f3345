import { expect, test } from 'vitest'
import { SlowAdapters } from '../../../src/rates/asking/rate-breakers.ts'
import { door, ratesWith } from '../../helpers/rates.ts'

const slow = { ms: 1_800 }
const quick = { ms: 40 }

test('an adapter most of whose calls take over 1 s is slow since the first of them, until most are quick again', () => {
  const adapters = new SlowAdapters()
  let now = 100_000
  const call = (one: { ms: number; failure?: string }) => {
    now += 5_000
    adapters.called('courier', { ...one, now })
  }
  for (let time = 0; time < 100; time++) call(quick)
  const since = now + 5_000 - slow.ms
  for (let time = 0; time < 9; time++) call(slow)
  expect(adapters.slow(now)).toEqual([])
  call(slow)
  expect(adapters.slow(now)).toEqual([{ adapter: 'courier', since, lastFailure: 'answered after 1.8 s' }])
  for (let time = 0; time < 9; time++) call(quick)
  call({ ...slow, ms: 2_500, failure: 'no answer within 2500 ms' })
  expect(adapters.slow(now)).toMatchObject([{ since, lastFailure: 'no answer within 2500 ms' }])
  call(quick)
  // A good call is one too.
  expect(adapters.slow(now + 60_000)).toHaveLength(1)
  expect(adapters.slow(now + 60_001)).toEqual([])
  call(quick)
  expect(adapters.slow(now)).toEqual([])
})

test('an adapter that fails now and then is not slow, nor one that nobody asks any more', () => {
  const adapters = new SlowAdapters()
  for (let time = 0; time < 1_000; time++)
    adapters.called('courier', { ...(time % 3 === 0 ? slow : quick), now: time * 1_000 })
  expect(adapters.slow(1_000_000)).toEqual([])
  for (let time = 0; time < 20; time++) adapters.called('post', { ...slow, now: 1_000_000 })
  expect(adapters.slow(1_060_000)).toHaveLength(1)
  adapters.called('post', { ...quick, now: 1_599_999 })
  expect(adapters.slow(1_599_999)).toHaveLength(1)
  expect(adapters.slow(1_600_000)).toEqual([])
  adapters.called('post', { ...slow, now: 1_600_000 })
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
