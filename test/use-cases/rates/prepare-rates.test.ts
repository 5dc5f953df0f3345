import { expect, test } from 'vitest'
import { DeadlinePassed } from '../../../src/use-cases/deadline.ts'
import { prepareRates } from '../../../src/use-cases/rates/prepare-rates.ts'
import { fileFaults } from '../../../src/use-cases/rates/watch-files.ts'
import type { AnyRateAdapter } from '../../../src/use-cases/workings.ts'
import type { AdapterCall } from '../../../src/world.ts'
import { ratesWith } from '../rates.ts'

function preparing(prepare: AnyRateAdapter['prepare'], more: Partial<AnyRateAdapter> = {}) {
  const { workings, world, lines, move } = ratesWith([{ name: 'tariff', quote: () => [], prepare, ...more }])
  const calls: AdapterCall[] = []
  world.observer = {
    ...world.observer,
    adapterCall(about, work) {
      calls.push(about)
      return work()
    },
  }
  return { workings, world, lines, move, calls }
}

test('prepare of an adapter is a call of it: observed, and named if it blocks the event loop', async () => {
  const { workings, world, lines, calls } = preparing(async () => {
    now += 60
  })
  let now = 0
  world.now = () => now
  await prepareRates(workings)
  expect(calls).toEqual([{ adapter: 'tariff', call: 'prepare', shop: undefined }])
  expect(lines.map(({ fields, message }) => [fields, message])).toEqual([
    [{ adapter: 'tariff', ms: 60 }, 'an adapter blocked the event loop'],
  ])
})

test('it has 10 s, and its signal is aborted then', async () => {
  let signal: AbortSignal | undefined
  const { workings, move } = preparing((ctx) => {
    signal = ctx.signal
    return new Promise<never>(() => {})
  })
  const failed = prepareRates(workings).catch((error: unknown) => error)
  await move(9_999)
  expect(signal?.aborted).toBe(false)
  await move(1)
  expect(await failed).toBeInstanceOf(DeadlinePassed)
  expect(signal?.aborted).toBe(true)
})

test('a look at the faults of files is such a call too', async () => {
  const files = { look: async () => {}, list: () => [], close: async () => {} }
  const { workings, calls } = preparing(async () => {}, { files })
  expect(await fileFaults(workings)).toEqual([])
  expect(calls).toEqual([{ adapter: 'tariff', call: 'prepare', shop: undefined }])
})
