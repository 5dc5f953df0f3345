import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { flatRate } from '../../src/adapters/index.ts'
import { createProvider } from '../../src/index.ts'
import { storeOf } from '../../src/stores/open.ts'
import { folderWith } from '../folder.ts'
import { opened } from '../stores/opened.ts'

test('a command that knows no port prints the address that runs, and its own one when nothing runs', async () => {
  const store = `sqlite:${join(folderWith(), 'data.db')}`
  const made = () => {
    const provider = createProvider({
      logger: pino({ level: 'silent' }),
      store,
      development: true,
      rates: flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0.21' }),
      resourceEvents: { orders() {} },
      payments: {
        name: 'psp',
        methods: () => [],
        start: () => ({ redirect: 'https://psp.example' }),
        push: { verify: () => true, read: () => [] },
      },
    })
    onTestFinished(() => provider.stop())
    return provider
  }
  const serving = made()
  const command = made()
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
  const made = (name: string) => {
    const provider = createProvider({
      logger: pino({ level: 'silent' }),
      store: `sqlite:${join(folder, name)}`,
      development: true,
      rates: flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0.21' }),
    })
    onTestFinished(() => provider.stop())
    return provider
  }
  const { port } = await made('other.db').listen({ port: 0 })
  const late = made('late.db')
  await expect(late.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const store = await opened(storeOf(`sqlite:${join(folder, 'late.db')}`))
  expect(await store.nodes(0)).toEqual([])
  const { endpoint } = await late.listen({ port: 0 })
  expect((await fetch(`${endpoint}/payment/1`)).status).toBe(404)
  expect(await store.nodes(0)).toHaveLength(1)
})
