import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider } from '../../src/index.ts'
import { checkoutBody } from '../../src/testing/index.ts'

/** A carrier that would keep an idle connection for ten minutes. */
async function carrier() {
  const open = new Set<Socket>()
  const server = createServer((_req, res) => void res.end('[]'))
  server.keepAliveTimeout = 600_000
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rates`, open }
}

const logger = pino({ level: 'silent' })

test('a provider that stopped leaves no connection to a carrier open', async () => {
  const { url, open } = await carrier()
  const provider = createProvider({
    logger,
    store: 'sqlite::memory:',
    development: true,
    rates: {
      name: 'carrier',
      async quote(_shipment, { fetch }) {
        await (await fetch(url)).text()
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

test('a start that fails leaves no connection open either', async () => {
  const { url, open } = await carrier()
  let prepared = 0
  const provider = createProvider({
    logger,
    // A folder is no store.
    store: `sqlite:${tmpdir()}`,
    development: true,
    rates: {
      name: 'carrier',
      async prepare({ fetch }) {
        await (await fetch(url)).text()
        prepared = open.size
      },
      quote: () => [],
    },
  })
  await expect(provider.listen({ port: 0 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(prepared).toBe(1)
  await expect.poll(() => open.size).toBe(0)
})
