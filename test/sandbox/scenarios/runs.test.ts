import { describe, expect, test, vi } from 'vitest'
import { createProvider, memoryStore } from '../../../src/index.ts'
import { MovingClock } from '../../../src/sandbox/clock.ts'
import type { Scenario, ScenarioRun } from '../../../src/sandbox/index.ts'
import { type Playground, ScenarioRuns } from '../../../src/sandbox/scenarios/runs.ts'
import { testPayments } from '../../../templates/full/payments.ts'
import { postForm } from '../../http/post.ts'
import { listening } from '../../listening.ts'
import { openShop } from '../../platform/sandbox.ts'
import { saying, shopWith } from '../provider.ts'

const named = (name: string): Scenario => ({ name, title: `The scenario ${name}`, needs: [], steps: [] })

/** Runs in a playground whose scenarios end when the test says so. */
function runsWith(open?: () => Promise<Playground>) {
  const ends = new Map<string, () => void>()
  const closed: string[] = []
  let number = 0
  let orderId = 0
  const calls: { number: number; orderId: number }[] = []
  const playground: Playground = {
    calls: calls as never,
    run: ({ name, title }) =>
      new Promise((resolve) => {
        // The first call is a late one about the order of the scenario before.
        calls.push({ number: ++number, orderId: orderId++ }, { number: ++number, orderId })
        const run = { name, title, result: 'passed', reason: undefined, steps: [], orderId, ms: 1 }
        ends.set(name, () => resolve(run as ScenarioRun))
      }),
    async close() {
      closed.push('closed')
      for (const end of ends.values()) end()
    },
  }
  let changes = 0
  const runs = new ScenarioRuns(open ?? (async () => playground), () => changes++)
  const end = async (name: string) => {
    await expect.poll(() => ends.has(name)).toBe(true)
    ends.get(name)!()
    await expect.poll(() => runs.finished.has(name)).toBe(true)
  }
  const running = (name: string) => expect.poll(() => runs.progress?.current).toBe(name)
  const over = () => expect.poll(() => runs.progress).toBe(undefined)
  return { runs, end, running, over, closed, changes: () => changes }
}

describe('scenarios that run one after the other', () => {
  test('show which one runs and how many are done, and keep the calls of each', async () => {
    const { runs, end, over, closed, changes } = runsWith()
    runs.start([named('a'), named('b')])
    expect(runs.progress).toEqual({ current: undefined, done: 0, total: 2 })
    await expect.poll(() => runs.progress).toEqual({ current: 'a', done: 0, total: 2 })
    await end('a')
    await expect.poll(() => runs.progress).toEqual({ current: 'b', done: 1, total: 2 })
    await end('b')
    await over()
    const kept = [...runs.finished.values()].map(
      ({ name, calls }) => `${name} ${calls.map((one) => one.number)}`,
    )
    expect(kept).toEqual(['a 1,2', 'b 4'])
    expect(closed).toEqual(['closed'])
    expect(changes()).toBeGreaterThanOrEqual(4)
  })

  test('one that waits is not added twice; others are added to those that run', async () => {
    const { runs, end, running, over } = runsWith()
    const [a, b, c] = [named('a'), named('b'), named('c')]
    runs.start([a, b])
    await running('a')
    runs.start([a, b, c])
    expect(runs.progress?.total).toBe(3)
    for (const name of ['a', 'b', 'c']) await end(name)
    await over()
  })

  test('stop after the current one', async () => {
    const { runs, end, running, over } = runsWith()
    runs.start([named('a'), named('b')])
    await running('a')
    runs.stop()
    expect(runs.progress).toEqual({ current: 'a', done: 0, total: 1 })
    await end('a')
    await over()
    expect([...runs.finished.keys()]).toEqual(['a'])
  })

  test('a playground that does not open is a sentence, and the next run tries again', async () => {
    const open = vi.fn<() => Promise<Playground>>().mockRejectedValue(new Error('provider.ts:3: no.'))
    const { runs } = runsWith(open)
    runs.start([named('a')])
    await expect.poll(() => runs.failure).toBe('provider.ts:3: no.')
    expect(runs.progress).toBe(undefined)
    runs.start([named('a')])
    await expect.poll(() => open.mock.calls.length).toBe(2)
  })

  test('close ends the current one, and nothing is left', async () => {
    const { runs, running, closed } = runsWith()
    runs.start([named('a'), named('b')])
    await running('a')
    await runs.close()
    expect(runs.progress).toBe(undefined)
    expect(closed).toEqual(['closed'])
    expect(runs.finished.has('b')).toBe(false)
  })
})

test('scenarios of the page leave orders, switches, clock, calls and the provider’s payments as they were', async () => {
  const { provider, endpoint } = await listening({ payments: testPayments })
  let started = 0
  const sandbox = await openShop({
    endpoint,
    services: provider.services,
    moveProviders: async () => {},
    scenarioProvider: async () => {
      started++
      const clock = new MovingClock()
      const second = createProvider({ store: memoryStore(), payments: testPayments, clock })
      const { endpoint } = await second.listen({ port: 0 })
      const move = async (ms: number) => clock.move(ms)
      return { endpoint, services: second.services, move, stop: () => second.stop() }
    },
  })
  const order = await sandbox.checkout().placeOrder()
  await sandbox.returnToShop(order.id)
  sandbox.set({ webhook: 'gone' })
  await sandbox.advance('10m')
  const state = () => {
    const { orders, invoices, services, switches, calls } = sandbox
    return structuredClone({ orders, invoices, services, switches, calls })
  }
  const before = state()
  const ahead = sandbox.now() - Date.now()
  for (const name of ['paid', 'never-finished']) await postForm(`${sandbox.url}/scenarios`, { name })
  const page = async (path = '/scenarios') => (await fetch(sandbox.url + path)).text()
  await expect.poll(() => page()).toContain('2 passed')
  expect(state()).toEqual(before)
  expect(Math.abs(sandbox.now() - Date.now() - ahead)).toBeLessThan(5_000)
  expect((await sandbox.fetchStatus(order.id)).status).toBe('pending')
  expect(started).toBeGreaterThanOrEqual(1)
  const log = await page('/log?scenario=never-finished&call=2')
  expect(log).toContain('Log of scenario never-finished')
  expect(log).toMatch(/>Webhook<\/a>/)
  expect(await page('/log?scenario=cancelled')).toContain('This scenario has not been run.')
})

test('without a provider of their own they call that of the shop, whose clock is back afterwards', async () => {
  const moved: number[] = []
  const moveProviders = async (ms: number) => void moved.push(ms)
  const { sandbox } = await shopWith(
    saying(() => 'paid'),
    { moveProviders },
  )
  await sandbox.checkout().placeOrder()
  await postForm(`${sandbox.url}/scenarios`, { name: 'lists-kept' })
  const page = async () => (await fetch(`${sandbox.url}/scenarios`)).text()
  await expect.poll(page).toMatch(/\b1 (passed|skipped|failed)/)
  await expect.poll(() => moved).toHaveLength(2)
  expect(Math.abs(moved[0]! + moved[1]!)).toBeLessThan(5_000)
  expect(sandbox.orders).toHaveLength(1)
})
