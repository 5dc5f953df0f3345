import { expect, onTestFinished, test, vi } from 'vitest'
import { Restarts, type RunState } from '../../../src/cli/dev/restarts.ts'
import type { Saves } from '../../../src/cli/dev/saves.ts'
import { ProviderFailed } from '../../../src/cli/provider/fault.ts'
import type { ProviderProcess, Ready } from '../../../src/cli/provider/process.ts'

test('a start that hangs is shown in terminal and shop, and one that is only slow runs when it is ready', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const started = Promise.withResolvers<Ready>()
  const provider = { start: () => started.promise, stop: async () => {}, close: async () => {} }
  const saves = { next: async () => [], close: async () => {} }
  const restarts = new Restarts(provider as unknown as ProviderProcess, saves as unknown as Saves)
  const states: RunState['is'][] = []
  const first = restarts.start()
  restarts.follow(({ is }) => void states.push(is))
  await vi.advanceTimersByTimeAsync(9_900)
  expect(states).toEqual(['starting'])
  await vi.advanceTimersByTimeAsync(200)
  await first
  expect(states).toEqual(['starting', 'not running'])
  expect(String(said.mock.calls)).toMatch(/still starting after 10 s[\s\S]*promise that does not settle/)
  started.resolve({ url: 'http://127.0.0.1:1', endpoint: 'http://127.0.0.1:1/e/t' } as Ready)
  await vi.advanceTimersByTimeAsync(1)
  expect(states.at(-1)).toBe('running')
})

test('a start that was shown as one that hangs is given up at the next save, without waiting for it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const [hanging, repaired] = [Promise.withResolvers<Ready>(), Promise.withResolvers<Ready>()]
  const starts = [hanging.promise, repaired.promise]
  const stop = async () => hanging.reject(new ProviderFailed({ message: 'stopped', lines: [], frames: [] }))
  const provider = { start: () => starts.shift(), stop, close: async () => {} }
  const saved = Promise.withResolvers<string[]>()
  const next = vi.fn(async () => (next.mock.calls.length === 1 ? saved.promise : []))
  const saves = { next, close: async () => {} }
  const restarts = new Restarts(provider as unknown as ProviderProcess, saves as unknown as Saves)
  const first = restarts.start()
  await vi.advanceTimersByTimeAsync(10_100)
  await first
  void restarts.afterSaves()
  saved.resolve(['rates.ts'])
  await vi.advanceTimersByTimeAsync(1)
  expect(starts).toEqual([])
  repaired.resolve({ url: 'http://127.0.0.1:1', endpoint: 'http://127.0.0.1:1/e/t' } as Ready)
  await vi.advanceTimersByTimeAsync(1)
})

test('a fault of this machine ends it, also where it comes after the shop is open', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const started = Promise.withResolvers<Ready>()
  const closed = Promise.withResolvers<string[]>()
  const provider = { start: () => started.promise, stop: async () => {}, close: async () => {} }
  const saves = { next: () => closed.promise, close: async () => closed.resolve([]) }
  const restarts = new Restarts(provider as unknown as ProviderProcess, saves as unknown as Saves)
  const first = restarts.start()
  await vi.advanceTimersByTimeAsync(10_100)
  await first
  const serving = restarts.afterSaves()
  const fault = new ProviderFailed({
    code: 'ENVIRONMENT_UNFIT',
    message: 'Port 3000 is in use',
    lines: [],
    frames: [],
  })
  started.reject(fault)
  await expect(serving).rejects.toBe(fault)
})
