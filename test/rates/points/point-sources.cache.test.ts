import { expect, test } from 'vitest'
import { PointCache } from '../../../src/rates/points/point-sources.ts'
import type { PickupPoint } from '../../../src/rates/points/points.ts'

const kiosk: PickupPoint[] = [{ id: 'kiosk', name: 'Kiosk', zipcode: '1012AB', country: 'nl' }]

function caching(caching: ConstructorParameters<typeof PointCache>[0]) {
  const cache = new PointCache<object>(caching)
  const state = { now: 0, notes: [] as string[], calls: 0, settings: undefined as unknown }
  const of = (ask: () => Promise<object>, { zipcode = '1012AB' } = {}) => {
    const { settings, notes } = state
    const explain = (note: string) => void notes.push(note)
    const quote = { shop: { id: 'default' }, settings, now: () => state.now, explain }
    return cache.of({ country: 'nl', zipcode }, quote, () => {
      state.calls++
      return ask()
    })
  }
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

test.each<[string, unknown, unknown]>([
  ['a plain text', 'old', 'new'],
  ['text', { account: 'old' }, { account: 'new' }],
  ['a map', new Map([['account', 'old']]), new Map([['account', 'new']])],
  ['a number that is no JSON', { account: 1n }, { account: 2n }],
])('settings that changed are another question: %s', async (_, before, after) => {
  const { state, of } = caching({ ttl: 100, staleFor: 50 })
  state.settings = before
  await of(answering)
  await of(answering)
  expect(state.calls).toBe(1)
  state.settings = after
  await expect(of(failing)).rejects.toThrow('down')
  await of(answering)
  expect(state.calls).toBe(3)
})

test('the answer that there is none is not kept', async () => {
  const { state, of } = caching({ ttl: 100 })
  await of(async () => ({ none: 'closed today' }))
  await of(answering)
  expect(state.calls).toBe(2)
})

test('a zipcode is one question in every way to write it', async () => {
  const { of } = caching({ ttl: 100 })
  const asked: string[] = []
  for (const zipcode of ['1016GV', '1016 GV', '1016 gv', '1017GV'])
    await of(
      async () => {
        asked.push(zipcode)
        return kiosk
      },
      { zipcode },
    )
  expect(asked).toEqual(['1016GV', '1017GV'])
})
