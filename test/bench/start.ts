// How long a provider takes from `listen` to its open port with 2,000 shops, on SQLite and on a PostgreSQL server that is 5 ms away;
// and how much of that goes by while its secret is changed. What a provider takes beside 10,000 shops and beside 100. And how long
// commands take.

import { pino } from 'pino'
import { createProvider, type ProviderOptions } from '../../src/index.ts'
import type { StorePort } from '../../src/store-port.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { seal } from '../../src/stores/seal.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { startPostgres } from '../postgres.ts'
import { startProxy } from '../proxy.ts'
import { printResult } from '../results/line.ts'
import { temporaryFolder } from '../temporary.ts'
import { commandStarts } from './command-start.ts'
import { median } from './measure.ts'
import { addShops, figuresOf } from './start/many-shops.ts'

const [old, fresh] = ['the old secret of these tests 123', 'the fresh secret of these tests 1']
/** To the server and back, in milliseconds. */
const distance = 5

export async function run(quick: boolean): Promise<void> {
  const shops = quick ? 200 : 2_000
  const many = quick ? 1_000 : 10_000
  using folder = temporaryFolder()
  await using server = await startPostgres()
  const far = await startProxy(server.port, { delay: distance })
  const near = await server.database()
  const file = folder.at('store.db')
  await fill(sqliteStore({ file }), shops)
  await fill(postgresStore({ url: near }), shops)
  const onSqlite = () => sqliteStore({ file })
  const onPostgres = () => postgresStore({ url: far.through(near) })
  const changed = { current: fresh, previous: old }
  /** The figures of a provider beside stores with so many shops. */
  const besideShops = async (name: string, storeOf: (count: number) => Promise<string> | string) => {
    const figures: Record<string, Record<string, number>> = {}
    for (const count of [100, many]) {
      const store = await storeOf(count)
      const tokens = await addShops(store, old, count)
      const reached = name === 'postgres' ? far.through(store) : store
      figures[`${name}_${count}_shops`] = await figuresOf(reached, old, tokens)
    }
    return figures
  }
  printResult({
    bench: 'start',
    shops,
    ...(await commandStarts(quick ? 5 : 15, many)),
    sqlite_ms: await medianOf(() => timeOf(onSqlite(), old)),
    postgres_ms: await medianOf(() => timeOf(onPostgres(), old)),
    distance_ms: distance,
    sqlite_changed_secret_ms: await timeOf(onSqlite(), changed),
    postgres_changed_secret_ms: await timeOf(onPostgres(), changed),
    ...(await besideShops('sqlite', (count) => `sqlite:${folder.at(`${count}.db`)}`)),
    ...(await besideShops('postgres', () => server.database())),
  })
  await far.close()
}

/** Shops with an endpoint, hosts and the push address of an adapter each. */
async function fill(store: StorePort, shops: number): Promise<void> {
  const sealing = seal(old)
  await store.open()
  await timeOf(store, old)
  await store.open()
  const now = Date.now()
  await Promise.all(
    Array.from({ length: shops }, async (_, number) => {
      const [id, tokenHash] = [`shop-${number}`, `hash-${number}`]
      const sealed = (kind: 'endpoint' | 'push address', key: string) =>
        sealing.close('a token', { kind, key: `${key}.${tokenHash}` })
      const token = { tokenHash, sealedToken: sealed('endpoint', id), now }
      await store.ensureShop(id, token, { hosts: [`${id}.example`, `www.${id}.example`] })
      const address = { tokenHash, sealedToken: sealed('push address', `${id}.psp`), now }
      await store.ensurePushAddress(id, 'psp', address)
    }),
  )
  await store.close()
}

async function timeOf(store: StorePort, secret: ProviderOptions['secret']): Promise<number> {
  const provider = createProvider({
    ...{ store, secret, port: 0, development: true, logger: pino({ level: 'silent' }) },
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

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < 5; time++) taken.push(await measure())
  return median(taken)
}
