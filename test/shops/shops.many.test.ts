import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider } from '../../src/index.ts'
import type { StorePort } from '../../src/store-port.ts'
import { memoryStore } from '../../src/stores/memory.ts'

/** A store that notes each of its calls. */
function noting(): { store: StorePort; calls: string[] } {
  const inner = memoryStore()
  const calls: string[] = []
  const commands = Object.entries(inner).map(([name, command]) => [
    name,
    typeof command !== 'function'
      ? command
      : (...args: never[]) => {
          calls.push([name, ...args.filter((one) => typeof one === 'number')].join(' '))
          return (command as (...args: never[]) => unknown).apply(inner, args)
        },
  ])
  return { store: Object.fromEntries(commands) as StorePort, calls }
}

async function providerWith(shops: number) {
  const { store, calls } = noting()
  const provider = createProvider({
    store,
    development: true,
    logger: pino({ level: 'silent' }),
    rates: { name: 'table', quote: () => [] },
    clock: { now: () => 1_000, after: () => () => {} },
  })
  onTestFinished(() => provider.stop())
  await provider.shops.addAll(Array.from({ length: shops }, (_, number) => ({ id: `shop${number}` })))
  /** The calls of some work. */
  const during = async (work: () => Promise<unknown>) => {
    calls.length = 0
    await work()
    return calls.filter((call) => !/^(open|close|key|watch|copyMarks)/.test(call))
  }
  return { provider, during }
}

test('a list of shops takes as many calls of the store for 300 shops as for one', async () => {
  for (const shops of [1, 300]) {
    const { provider, during } = await providerWith(shops)
    expect(await during(() => provider.shops.list())).toEqual(['shops', 'liveEndpoints 1000'])
    const list = await provider.shops.list()
    expect(list).toHaveLength(shops)
    expect(list[0]).toEqual(await provider.shops.show('shop0'))
  }
})

test('a start reads one shop of many', async () => {
  const { provider, during } = await providerWith(300)
  const calls = await during(() => provider.listen({ port: 0 }))
  expect(calls).toContain('shops 1')
  expect(calls).not.toContain('shops')
})
