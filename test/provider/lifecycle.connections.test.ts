import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider } from '../../src/index.ts'
import { checkoutBody } from '../../src/testing/index.ts'

test('a provider that stopped leaves no connection to a carrier open', async () => {
  const open = new Set<Socket>()
  const carrier = createServer((_req, res) => void res.end('[]'))
  // It would keep an idle connection for ten minutes.
  carrier.keepAliveTimeout = 600_000
  carrier.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  carrier.listen(0, '127.0.0.1')
  onTestFinished(() => void carrier.close())
  await once(carrier, 'listening')
  const { port } = carrier.address() as AddressInfo
  const provider = createProvider({
    logger: pino({ level: 'silent' }),
    store: 'sqlite::memory:',
    development: true,
    rates: {
      name: 'carrier',
      async quote(_shipment, { fetch }) {
        await (await fetch(`http://127.0.0.1:${port}/rates`)).text()
        return []
      },
    },
  })
  onTestFinished(() => provider.stop())
  const { endpoint } = await provider.listen({ port: 0 })
  const asked = await fetch(`${endpoint}/shipment_methods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(checkoutBody()),
  })
  expect(asked.status).toBe(201)
  expect(open.size).toBe(1)
  await provider.stop()
  await expect.poll(() => open.size).toBe(0)
})
