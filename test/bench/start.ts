// How long a provider takes from `listen` to its open port with 2,000 shops, on SQLite and on a PostgreSQL server that is 5 ms away;
// and how much of that goes by while its secret is changed. What a provider takes beside 10,000 shops and beside 100. And how long
// commands take.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createProvider, type ProviderOptions } from '../../src/index.ts'
import type { StorePort } from '../../src/store-port.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { seal } from '../../src/stores/seal.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { startPostgres } from '../postgres.ts'
import { printResult } from '../results/line.ts'
import { commandStarts } from './command-start.ts'
import { addShops, figuresOf } from './start/many-shops.ts'

const [old, fresh] = ['the old secret of these tests 123', 'the fresh secret of these tests 1']
/** To the server and back, in milliseconds. */
const distance = 5
const times = 5

export async function run(quick: boolean): Promise<void> {
  const shops = quick ? 200 : 2_000
  const many = quick ? 1_000 : 10_000
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-start-'))
  const server = await startPostgres()
  const far = await farAway(server.port)
  try {
    const near = await server.database()
    const url = new URL(near)
    url.port = String(far.port)
    const file = join(folder, 'store.db')
    await fill(sqliteStore({ file }), shops)
    await fill(postgresStore({ url: near }), shops)
    const onSqlite = () => sqliteStore({ file })
    const onPostgres = () => postgresStore({ url: url.href })
    printResult({
      bench: 'start',
      shops,
      ...(await commandStarts(quick ? 5 : 15, many)),
      sqlite_ms: await median(() => timeOf(onSqlite(), { secret: old })),
      postgres_ms: await median(() => timeOf(onPostgres(), { secret: old })),
      distance_ms: distance,
      sqlite_changed_secret_ms: await timeOf(onSqlite(), { secret: { current: fresh, previous: old } }),
      postgres_changed_secret_ms: await timeOf(onPostgres(), { secret: { current: fresh, previous: old } }),
      ...(await besideShops([100, many], (count) => `sqlite:${join(folder, `${count}.db`)}`, 'sqlite')),
      ...(await besideShops([100, many], () => server.database(), 'postgres', far.port)),
    })
  } finally {
    far.close()
    await server.remove()
    rmSync(folder, { recursive: true })
  }
}

/** The figures of a provider beside stores with so many shops. It reaches a server by `port`. */
async function besideShops(
  counts: readonly number[],
  storeFor: (count: number) => Promise<string> | string,
  name: string,
  port?: number,
): Promise<Record<string, Record<string, number>>> {
  const figures: [string, Record<string, number>][] = []
  for (const count of counts) {
    const store = await storeFor(count)
    const tokens = await addShops(store, old, count)
    const url = new URL(store)
    if (port !== undefined) url.port = String(port)
    const reached = port === undefined ? store : url.href
    figures.push([`${name}_${count}_shops`, await figuresOf(reached, old, tokens)])
  }
  return Object.fromEntries(figures)
}

/** Shops with an endpoint, hosts and the push address of an adapter each. */
async function fill(store: StorePort, shops: number): Promise<void> {
  const sealing = seal(old)
  await store.open()
  await timeOf(store, { secret: old })
  await store.open()
  const now = Date.now()
  await Promise.all(
    Array.from({ length: shops }, async (_, number) => {
      const [id, tokenHash] = [`shop-${number}`, `hash-${number}`]
      const sealed = (kind: 'endpoint' | 'push address', key: string) =>
        sealing.close('a token', { kind, key: `${key}.${tokenHash}` })
      await store.ensureShop(
        id,
        { tokenHash, sealedToken: sealed('endpoint', id), now },
        { hosts: [`${id}.example`, `www.${id}.example`] },
      )
      await store.ensurePushAddress(id, 'psp', {
        tokenHash,
        sealedToken: sealed('push address', `${id}.psp`),
        now,
      })
    }),
  )
  await store.close()
}

async function timeOf(store: StorePort, secrets: Pick<ProviderOptions, 'secret'>): Promise<number> {
  const provider = createProvider({
    store,
    port: 0,
    development: true,
    logger: pino({ level: 'silent' }),
    ...secrets,
    payments: {
      name: 'psp',
      methods: () => [],
      start: ({ id }) => ({ redirect: 'https://psp.example/1', reference: id }),
      push: { verify: () => true, read: () => [] },
    },
  })
  const from = performance.now()
  await provider.listen({ host: '127.0.0.1' })
  const took = Math.round(performance.now() - from)
  await provider.stop()
  return took
}

async function median(measure: () => Promise<number>): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < times; time++) taken.push(await measure())
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)]!
}

/** A way to the server that takes half the distance in each direction. */
async function farAway(port: number): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const way = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.setNoDelay()
      from.on('error', () => {}).on('close', () => to.destroy())
      from.on('data', (chunk) => setTimeout(() => to.write(chunk), distance / 2))
    }
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  return {
    port: (way.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy()
      way.close()
    },
  }
}
