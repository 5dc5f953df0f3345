import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { createProvider } from '../../src/index.ts'
import type { StorePort } from '../../src/store-port.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { fillWith, House } from '../console/house.ts'
import { payment } from '../http/messages.ts'
import { connectTo, startPostgres } from '../postgres.ts'
import { production } from '../production-store.ts'
import { printResult } from '../results/line.ts'
import { temporaryFolder } from '../temporary.ts'
import { median, rounded, sorted } from './measure.ts'
import { type Served, serve } from './served.ts'

// Every page of the console over a store with so many payments, in milliseconds of server time; and the slowest of a hundred payment starts
// beside ten people in a console of its own process, as a multiple of those without anybody.

const pages = [
  ...['/', '/payments', '/payments?status=pending', '/payments?status=cancelled', '/payments?shop=filler7'],
  ...[
    '/payments?review=1',
    '/payments?since=86400',
    '/payments?q=N500',
    '/payments?q=120.00',
    '/payments?q=nothing',
  ],
  ...[
    '/payments/wren/20481',
    '/payments/filler1/F1',
    '/anomalies',
    '/webhooks',
    '/webhooks/loom/hooks.loom.example',
  ],
  ...['/rates', '/shops', '/shops/filler7', '/changes', '/audit', '/health', '/payments.csv'],
]

export async function run(quick: boolean): Promise<void> {
  const count = quick ? 100_000 : 1_000_000
  const now = Date.now()
  using folder = temporaryFolder()
  const file = folder.at('console.db')
  const server = await startPostgres()
  const postgres = await server.databaseWithTables()
  const stores: Record<string, [string, StorePort]> = {
    sqlite: [`sqlite:${file}`, sqliteStore({ file })],
    postgres: [postgres, postgresStore({ url: postgres })],
  }
  const client = await connectTo(postgres)
  const results: Record<string, object> = {}
  for (const [engine, [address, store]] of Object.entries(stores)) {
    // It makes the key with which the provider beside the console opens the store.
    const { shops } = createProvider({ ...production, store, rates: { name: 'door', quote: () => [] } })
    const { endpoint } = await shops.add('bench', { hosts: ['shop.example'] })
    await new House(store, now).fill()
    if (engine === 'postgres') for (const sql of fillWith(count, now)) await client.query(sql)
    else {
      using database = new DatabaseSync(file)
      for (const sql of fillWith(count, now)) database.exec(sql)
    }
    await store.close()
    // In a process of its own, so that neither the starts nor their clock wait for it.
    await using served = await serve(new URL('./console/console.ts', import.meta.url), {
      ...{ BENCH_DATABASE: address, BENCH_NOW: `${now}`, NODE_ENV: 'development' },
    })
    const [url] = served.urls
    const slowest = await measurePages(url!, quick ? 8 : 40)
    const { pathname } = new URL(endpoint)
    results[engine] = { ...slowest, ...(await measureStarts(address, pathname, url!, quick ? 3 : 7)) }
  }
  await client.end()
  await server.remove()
  printResult({ bench: 'console', payments: count, ...results })
}

const at = (times: readonly number[], share: number): number =>
  sorted(times)[Math.ceil(times.length * share) - 1]!

async function measurePages(url: string, visits: number) {
  const found: { page: string; p95: number }[] = []
  for (const page of pages) {
    const times: number[] = []
    // The first one reads what no page has read yet.
    for (let visit = 0; visit <= visits; visit++) times.push(await visited(`${url}${page}`))
    found.push({ page, p95: at(times.slice(1), 0.95) })
  }
  found.sort((one, other) => other.p95 - one.p95)
  for (const { page, p95 } of found) console.log(`${page.padEnd(40)} ${p95.toFixed(1)} ms`)
  return { slowest_page: found[0]!.page, p95_ms: rounded(found[0]!.p95, 1) }
}

async function visited(url: string): Promise<number> {
  const before = performance.now()
  const answer = await fetch(url, { redirect: 'manual' })
  await answer.text()
  if (answer.status >= 400) throw new Error(`${url} is answered ${answer.status}`)
  return performance.now() - before
}

const people = 10

/** Ten people look at a page every second, in another process than the starts. In turns with nobody there. */
async function measureStarts(database: string, path: string, url: string, rounds: number) {
  await using provider = await serve(new URL('./console/provider.ts', import.meta.url), {
    BENCH_DATABASE: database,
  })
  const alone: number[] = []
  const beside: number[] = []
  await starts(provider, path, 50)
  for (let round = 0; round < rounds; round++) {
    alone.push(at(await starts(provider, path, 100), 0.99))
    let isOver = false
    const visitors = Array.from({ length: people }, async (_, person) => {
      for (let visit = person; !isOver; visit++) {
        await visited(`${url}${pages[visit % pages.length]}`)
        await wait(1_000)
      }
    })
    beside.push(at(await starts(provider, path, 100), 0.99))
    isOver = true
    await Promise.all(visitors)
  }
  const ratio = median(beside) / median(alone)
  console.log(
    `start p99: ${median(alone).toFixed(1)} ms alone, ${median(beside).toFixed(1)} ms beside ten people`,
  )
  return { start_p99_ratio: rounded(ratio) }
}

let order = 0

/** Payment starts one after the other, with a pause as between customers, in milliseconds each. */
async function starts({ clients }: Served, path: string, count: number): Promise<number[]> {
  const times: number[] = []
  for (let start = 0; start < count; start++) {
    const body = JSON.stringify({
      ...payment({ id: ++order }),
      redirect_url: 'https://shop.example/return',
      webhook_url: 'https://shop.example/webhook',
    })
    const before = performance.now()
    const answer = await clients[0]!.request({
      ...{ method: 'POST', path: `${path}/payment`, body },
      headers: { 'content-type': 'application/json' },
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`a start is answered ${answer.statusCode}: ${text}`)
    times.push(performance.now() - before)
    await wait(20)
  }
  return times
}
