import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import supertest from 'supertest'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createProvider } from '../../src/index.ts'
import type { StorePort } from '../../src/store-port.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { folderWith } from '../folder.ts'
import { keptLog, listening } from '../listening.ts'
import { production } from '../production-store.ts'
import { payment, shopUrls } from './messages.ts'

const payments = { name: 'psp', methods: () => [], start: () => ({ redirect: 'https://psp.example/1' }) }

/** A provider on a file, whose disk the test makes full and empty again. */
async function onDisk() {
  const folder = folderWith()
  const databases = new Set<DatabaseSync>()
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    sql,
  ) {
    databases.add(this)
    return prepared.call(this, sql)
  })
  const { lines, logger } = keptLog('info')
  const { port, endpoint } = await listening({
    ...production,
    ...{ payments, logger, http: { metricsToken: 'a-token-of-the-tests' } },
    store: `sqlite:${join(folder, 'store.db')}`,
  })
  onTestFinished(() => prepare.mockRestore())
  const origin = `http://127.0.0.1:${port}`
  const pages = (most: number) => {
    for (const database of databases) if (database.isOpen) database.exec(`pragma max_page_count = ${most}`)
  }
  let orders = 0
  return {
    lines,
    setFull: () => pages(1),
    setEmpty: () => pages(1_000_000),
    start: () =>
      supertest(origin)
        .post(`${new URL(endpoint).pathname}/payment`)
        .send({ ...payment({ id: ++orders }), ...shopUrls }),
    ready: () => supertest(origin).get('/health/ready'),
    async up() {
      const asked = supertest(origin).get('/metrics').set('authorization', 'Bearer a-token-of-the-tests')
      return /^purveyor_store_up (\d)/m.exec((await asked).text)?.[1]
    },
  }
}
const prepared = DatabaseSync.prototype.prepare

test('a disk that is full is not ready and not up, by its own name in the log, and heals', async () => {
  const { start, ready, up, setFull, setEmpty, lines } = await onDisk()
  expect((await start()).status).toBe(201)
  await ready().expect(200)
  expect(await up()).toBe('1')

  setFull()
  await expect.poll(async () => (await start()).status, { interval: 0 }).toBe(503)
  const unavailable = { status: 'unavailable', store: 'takes no writes' }
  await expect.poll(async () => (await ready()).body).toEqual(unavailable)
  await expect.poll(up).toBe('0')
  expect(JSON.stringify(lines)).toContain('(SQLITE_FULL, 13: database or disk is full)')

  setEmpty()
  await expect.poll(async () => (await ready()).status).toBe(200)
  expect((await start()).status).toBe(201)
  await expect.poll(up).toBe('1')
})

test('a disk that is full is found by who asks, before a shop finds it', async () => {
  const { ready, setFull } = await onDisk()
  setFull()
  await ready().expect(503)
})

test('a process that stops is not ready, and says when to ask again', async () => {
  const provider = createProvider({
    store: memoryStore(),
    development: true,
    logger: pino({ level: 'silent' }),
    payments,
  })
  const ready = () => supertest(provider.router).get('/health/ready')
  await provider.start()
  await ready().expect(200)
  await provider.stop()
  const { status, body, headers } = await ready()
  expect([status, body, headers['retry-after']]).toEqual([503, { status: 'stopping' }, '5'])
})

test('a store that takes long for each answer is not ready all along, and ready once it is quick again', {
  timeout: 120_000,
}, async () => {
  const store = memoryStore()
  let slow = false
  let probes = 0
  const { url } = await listening({
    store: {
      ...store,
      async shopByEndpoint(...given) {
        probes++
        if (slow) await new Promise((resolve) => setTimeout(resolve, 1_500))
        return store.shopByEndpoint(...given)
      },
    } as StorePort,
    payments,
  })
  const ready = async () => (await supertest(url).get('/health/ready')).status
  expect(await ready()).toBe(200)
  slow = true
  await expect.poll(ready).toBe(503)
  // Over several probes, and between them.
  const answers = new Set<number>()
  const before = probes
  await expect
    .poll(async () => {
      answers.add(await ready())
      return probes
    })
    .toBeGreaterThanOrEqual(before + 3)
  expect(answers).toEqual(new Set([503]))
  slow = false
  await expect.poll(ready).toBe(200)
})

test('a health check is found in any case and with a slash at its end', async () => {
  const { url } = await listening({ rates: { name: 'a', quote: () => [] } })
  for (const path of ['live/', 'ready/', 'Ready', 'READY/rates/'])
    expect((await fetch(`${url}/health/${path}`)).status, path).toBe(200)
  expect((await fetch(`${url}/Health/live`)).status).toBe(200)
})
