import { pino } from 'pino'
import { createProvider, memoryStore } from 'purveyor'
import { afterEach, expect, test } from 'vitest'

const started: { stop(): Promise<void> }[] = []
afterEach(() => Promise.all(started.splice(0).map((provider) => provider.stop())))

test('a refused caller is counted every time and logged once a minute, with code and remedy', async () => {
  const lines: Record<string, unknown>[] = []
  const provider = createProvider({
    store: memoryStore(),
    port: 0,
    rates: { name: 'door', quote: () => [] },
    callers: { basic: { user: 'shop', password: 'right' } },
    logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  })
  started.push(provider)
  const { endpoint } = await provider.listen()
  for (let call = 0; call < 3; call++) {
    expect((await fetch(`${endpoint}/payment/1`)).status).toBe(404)
  }
  expect(await provider.metrics()).toContain('purveyor_refused_total{code="CALLER_REFUSED"} 3')
  const told = lines.filter(({ code }) => code === 'CALLER_REFUSED')
  expect(told).toMatchObject([{ shop: 'default', refused: 'user or password' }])
  expect(told[0]?.msg).toContain('rotate the endpoint')
})
