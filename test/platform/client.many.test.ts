import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createPlatformClient } from '../../src/platform/index.ts'
import { listening } from '../listening.ts'
import { openNameServer } from '../network/name-server.ts'
import { openServer } from '../serve-origin.ts'

const many = 20
const account = { language: 'nl', key: 'key', secret: 'secret' }

/** A platform that has three of everything, and counts its connections. */
async function platform() {
  const server = createServer((_req, res) => res.end('{"count":3}'))
  let connections = 0
  server.on('connection', () => connections++)
  return { port: (await openServer(server)).port, connections: () => connections }
}

test('the clients of a provider look names up by its name servers, in one thread', async () => {
  const names = await openNameServer(() => ({ addresses: ['127.0.0.1'] }))
  onTestFinished(() => names.close())
  const { port } = await platform()
  const { provider } = await listening({
    rates: { name: 'table', quote: () => [] },
    network: { nameServers: [names.address] },
  })
  let threads = 0
  const count = () => threads++
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))

  for (let shop = 0; shop < many; shop++) {
    const id = `shop-${shop}`
    await provider.shops.add(id)
    await provider.shops.connect(id, { ...account, baseUrl: `http://api-${shop}.platform.example:${port}` })
    const client = await provider.platform(id)
    expect(await client.resource('products').count()).toBe(3)
  }
  expect(threads).toBe(1)
  expect(names.asked.size).toBe(many)
  expect(await provider.metrics()).toMatch(/purveyor_name_lookups_total\{[^}]*answered[^}]*\} 20/)
})

test('clients that are made without a provider share their connections', async () => {
  const { port, connections } = await platform()
  for (let shop = 0; shop < many; shop++) {
    const baseUrl = `http://127.0.0.1:${port}`
    const client = createPlatformClient({ ...account, baseUrl, allowLoopback: true })
    expect(await client.resource('products').count()).toBe(3)
  }
  // A call may begin before the connection of the one before is free.
  expect(connections()).toBeLessThan(5)
})
