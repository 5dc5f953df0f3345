import { expect, onTestFinished, test, vi } from 'vitest'
import { createProvider } from '../../src/index.ts'
import { runsHere } from '../../src/provider/node-runs.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { movableClock } from '../../src/testing/index.ts'
import { keptLog } from '../listening.ts'

const hour = 3_600_000

/** The clock of this machine is set, until the test ends. */
function setClock(ms: number): void {
  const real = Date.now
  const set = vi.spyOn(Date, 'now').mockImplementation(() => real() + ms)
  onTestFinished(() => void set.mockRestore())
}

test('a process notes how far its clock is ahead of the time that the providers use', () => {
  const now = Date.now()
  const runs = runsHere(() => now + 0.4)
  expect(Math.abs(runs.clockOffMs!)).toBeLessThan(1_000)
  setClock(2 * hour)
  expect(runs.clockOffMs).toBeGreaterThanOrEqual(2 * hour - 1)
  expect(Number.isInteger(runs.clockOffMs)).toBe(true)
  expect(runsHere().clockOffMs).toBeUndefined()
})

test.each([
  ['the time of its store', {}, 2 * hour],
  ['a clock of its own, which is no fault of the machine', { clock: movableClock() }, undefined],
])('a node that starts with a clock that is set is noted by %s', async (_what, options, off) => {
  const store = memoryStore()
  const provider = createProvider({
    ...{ store, development: true, logger: keptLog().logger, ...options },
    rates: { name: 'flat', quote: () => [] },
  })
  setClock(2 * hour)
  await provider.listen({ port: 0 })
  onTestFinished(() => provider.stop())
  const [node] = await store.nodes(0)
  const { clockOffMs } = node!.runs!
  expect(clockOffMs === undefined ? undefined : Math.round(clockOffMs / hour) * hour).toBe(off)
})
