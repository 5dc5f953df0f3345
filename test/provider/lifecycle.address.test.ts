import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider, type ProviderOptions } from '../../src/index.ts'
import { flatRate } from '../../src/rates/index.ts'
import { storeOf } from '../../src/stores/open.ts'
import { folderWith } from '../folder.ts'
import { opened } from '../stores/opened.ts'

/** A provider in development on this store. */
function made(file: string, more: Partial<ProviderOptions> = {}) {
  const rates = flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0.21' })
  const logger = pino({ level: 'silent' })
  const provider = createProvider({ logger, store: `sqlite:${file}`, development: true, rates, ...more })
  onTestFinished(() => provider.stop())
  return provider
}

test('a command that knows no port prints the address that runs, and its own one when nothing runs', async () => {
  const file = join(folderWith(), 'data.db')
  const push = { verify: () => true, read: () => [] }
  const start = () => ({ redirect: 'https://psp.example' })
  const more = { resourceEvents: { orders() {} }, payments: { name: 'psp', methods: () => [], start, push } }
  const serving = made(file, more)
  const command = made(file, more)
  const { url, endpoint } = await serving.listen({ port: 0 })
  const shown = await command.shops.show('default', { reveal: true })
  expect(shown.endpoints[0]!.url).toBe(endpoint)
  expect(shown.resourceAddress).toMatch(new RegExp(`^${url}/w/[\\w-]{43}$`))
  expect(shown.pushAddresses![0]!.url).toMatch(new RegExp(`^${url}/n/psp/`))
  expect((await command.shops.add('bikes')).endpoint).toMatch(new RegExp(`^${url}/e/`))
  await serving.stop()
  const { endpoints } = await command.shops.show('default', { reveal: true })
  expect(endpoints[0]!.url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/e\//)
})

test('a start whose port is in use leaves no node behind, and the provider can listen on another port', async () => {
  const folder = folderWith()
  const { port } = await made(join(folder, 'other.db')).listen({ port: 0 })
  const late = made(join(folder, 'late.db'))
  await expect(late.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const store = await opened(storeOf(`sqlite:${join(folder, 'late.db')}`))
  expect(await store.nodes(0)).toEqual([])
  const { endpoint } = await late.listen({ port: 0 })
  expect((await fetch(`${endpoint}/payment/1`)).status).toBe(404)
  expect(await store.nodes(0)).toHaveLength(1)
})

test('a provider that listens again has its console again', async () => {
  const provider = made(join(folderWith(), 'data.db'))
  for (let time = 0; time < 2; time++) {
    const { url } = await provider.listen({ port: 0 })
    expect((await fetch(`${url}/console/payments`)).status).toBe(200)
    await provider.stop()
  }
})

test('a start whose console port is in use leaves no node and no server behind', async () => {
  const folder = folderWith()
  const { port } = await made(join(folder, 'other.db')).listen({ port: 0 })
  const file = join(folder, 'late.db')
  const late = made(file, { console: { port, url: `http://127.0.0.1:${port}` } })
  await expect(late.listen({ port: 0 })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const store = await opened(storeOf(`sqlite:${file}`))
  expect(await store.nodes(0)).toEqual([])
})
