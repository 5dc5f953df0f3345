import { expect, test } from 'vitest'
import { PointCache } from '../../../src/adapters/pickup-points/point-cache.ts'
import type { PickupPoint } from '../../../src/adapters/pickup-points/points.ts'

const kiosk: PickupPoint[] = [{ id: 'kiosk', name: 'Kiosk', zipcode: '1012AB', country: 'nl' }]

function caching(caching: ConstructorParameters<typeof PointCache>[0]) {
  const cache = new PointCache(caching)
  const state = { now: 0, notes: [] as string[], calls: 0 }
  const quote = (signal = new AbortController().signal) => ({
    now: () => state.now,
    explain: (note: string) => void state.notes.push(note),
    signal,
  })
  const of = (ask: () => Promise<PickupPoint[]>, signal?: AbortSignal) =>
    cache.of('key', quote(signal), () => {
      state.calls++
      return ask()
    })
  return { state, of }
}
const answering = async () => kiosk
const failing = () => Promise.reject(new Error('down'))

test('points are fresh for ttl, and used for staleFor longer while the API fails', async () => {
  const { state, of } = caching({ ttl: 100, staleFor: 50 })
  await of(answering)
  state.now = 99
  expect(await of(failing)).toBe(kiosk)
  expect(state).toMatchObject({ calls: 1, notes: [] })
  state.now = 149
  expect(await of(failing)).toBe(kiosk)
  expect(state.notes).toEqual(['points of an earlier call, because this one failed'])
  state.now = 150
  await expect(of(failing)).rejects.toThrow('down')
})

test('those who joined a call that fails ask once more, together; the one whose time is over does not', async () => {
  const { state, of } = caching({ ttl: 100 })
  const first = Promise.withResolvers<PickupPoint[]>()
  const over = AbortSignal.abort(new Error('over'))
  const asked = [of(() => first.promise), of(answering), of(answering), of(answering, over)]
  first.reject(new Error('the deadline of the first'))
  const ends = await Promise.allSettled(asked)
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'rejected'])
  expect(state.calls).toBe(2)
})
