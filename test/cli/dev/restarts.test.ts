import { expect, onTestFinished, test, vi } from 'vitest'
import { Restarts, type RunState } from '../../../src/cli/dev/restarts.ts'
import type { Saves } from '../../../src/cli/dev/saves.ts'
import { ProviderFailed } from '../../../src/cli/provider/fault.ts'
import type { ProviderProcess, Ready } from '../../../src/cli/provider/process.ts'

const running = { url: 'http://127.0.0.1:1', endpoint: 'http://127.0.0.1:1/e/t' } as Ready
const failed = (message: string, code?: 'ENVIRONMENT_UNFIT') =>
  new ProviderFailed({ ...(code && { code }), message, lines: [], frames: [] })

/** Restarts of a provider whose starts are these promises, on a clock that stands still. `said` has what is printed. */
function restarting(
  starts: Promise<Ready>[],
  saves: Partial<Saves> = { next: async () => [], close: async () => {} },
  stop = async () => {},
) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const provider = { start: () => starts.shift()!, stop, close: async () => {} }
  const restarts = new Restarts(provider as unknown as ProviderProcess, saves as Saves)
  /** Shows the first start as one that hangs. */
  const hang = async () => {
    const first = restarts.start()
    await vi.advanceTimersByTimeAsync(10_100)
    await first
  }
  return { said, restarts, hang }
}

test('a start that hangs is shown in terminal and shop, and one that is only slow runs when it is ready', async () => {
  const started = Promise.withResolvers<Ready>()
  const { said, restarts } = restarting([started.promise])
  const states: RunState['is'][] = []
  const first = restarts.start()
  restarts.follow(({ is }) => void states.push(is))
  await vi.advanceTimersByTimeAsync(9_900)
  expect(states).toEqual(['starting'])
  await vi.advanceTimersByTimeAsync(200)
  await first
  expect(states).toEqual(['starting', 'not running'])
  expect(String(said.mock.calls)).toMatch(
    /still starting after 10 s[\s\S]*promise in its code does not settle/,
  )
  started.resolve(running)
  await vi.advanceTimersByTimeAsync(1)
  expect(states.at(-1)).toBe('running')
})

test('a start that was shown as one that hangs is given up at the next save, without waiting for it', async () => {
  const [hanging, repaired] = [Promise.withResolvers<Ready>(), Promise.withResolvers<Ready>()]
  const starts = [hanging.promise, repaired.promise]
  const saved = Promise.withResolvers<string[]>()
  const next = vi.fn(async () => (next.mock.calls.length === 1 ? saved.promise : []))
  const stop = async () => hanging.reject(failed('stopped'))
  const { restarts, hang } = restarting(starts, { next, close: async () => {} }, stop)
  await hang()
  void restarts.afterSaves()
  saved.resolve(['rates.ts'])
  await vi.advanceTimersByTimeAsync(1)
  expect(starts).toEqual([])
  repaired.resolve(running)
  await vi.advanceTimersByTimeAsync(1)
})

test('a fault of this machine ends it, also where it comes after the shop is open', async () => {
  const started = Promise.withResolvers<Ready>()
  const closed = Promise.withResolvers<string[]>()
  const saves = { next: () => closed.promise, close: async () => closed.resolve([]) }
  const { restarts, hang } = restarting([started.promise], saves)
  await hang()
  const serving = restarts.afterSaves()
  const fault = failed('Port 3000 is in use', 'ENVIRONMENT_UNFIT')
  started.reject(fault)
  await expect(serving).rejects.toBe(fault)
})
