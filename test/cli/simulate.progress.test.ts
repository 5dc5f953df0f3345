import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { command } from '../../src/cli/simulate.ts'

/** An endpoint that takes its time to answer that there is nothing. */
async function slowEndpoint(ms: number): Promise<string> {
  const server = createServer((_req, res) => {
    setTimeout(() => res.writeHead(201).end('{"shipment_methods":[],"payment_methods":[]}'), ms)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Plays two scenarios, and returns what is written to standard error. */
async function playedOn({ isTTY }: { isTTY: boolean }): Promise<string> {
  const written: string[] = []
  const { exitCode } = process
  const before = Object.getOwnPropertyDescriptors(process.stderr)
  Object.defineProperties(process.stderr, {
    isTTY: { value: isTTY, configurable: true, writable: true },
    columns: { value: 80, configurable: true, writable: true },
  })
  const spies = [
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0),
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true),
  ]
  vi.stubEnv('TERM', 'xterm')
  try {
    const endpoint = await slowEndpoint(700)
    await command.commands!.run!.run!({ names: ['letter', 'heavy'], endpoint, for: ['rates'] } as never)
  } finally {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
    for (const name of ['isTTY', 'columns'] as const) {
      const own = before[name]
      if (own) Object.defineProperty(process.stderr, name, own)
      else Reflect.deleteProperty(process.stderr, name)
    }
    process.exitCode = exitCode
  }
  return written.join('')
}

test('a terminal shows how many scenarios are done, and which one runs', async () => {
  expect(await playedOn({ isTTY: true })).toContain('Playing scenarios: 1 of 2, heavy')
})

test('without a terminal nothing is shown', async () => {
  expect(await playedOn({ isTTY: false })).toBe('')
})
