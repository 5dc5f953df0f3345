import { equal } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { printResult } from '../results/line.ts'
import { ofConnection, type SentPage } from './pages/page.ts'
import { cpu, endAll, type Served, serve } from './served.ts'

// CPU time of the server process per visit of a payment page with a form, beside an Express that sends the same bytes and headers. Both
// run at once and are measured in turns, so that noise of the machine meets them alike.

export async function run(quick: boolean): Promise<void> {
  const visits = quick ? 600 : 4_000
  const rounds = 7
  const purveyor = await serve(new URL('./pages/purveyor.ts', import.meta.url))
  const page = await visit(purveyor)
  const express = await serve(new URL('./pages/express.ts', import.meta.url), {
    BENCH_PAGE: JSON.stringify(page),
  })
  const servers = { express, purveyor }
  try {
    equal((await visit(express)).body, page.body)
    for (const server of Object.values(servers)) await load(server, Math.max(visits * 3, 4_000))
    const results = { express: [] as number[], purveyor: [] as number[] }
    for (let round = 0; round < rounds; round++)
      for (const name of round % 2 === 0
        ? (['express', 'purveyor'] as const)
        : (['purveyor', 'express'] as const)) {
        const before = await cpu(servers[name])
        await load(servers[name], visits)
        results[name].push(((await cpu(servers[name])) - before) / visits)
      }
    print(results, page, visits, rounds)
  } finally {
    await endAll(Object.values(servers))
  }
}

async function visit({ clients, path }: Served): Promise<SentPage> {
  const { headers, body, statusCode } = await clients[0]!.request({ method: 'GET', path })
  equal(statusCode, 200)
  const own = Object.entries(headers).filter(([name]) => !ofConnection.includes(name))
  return { path, headers: Object.fromEntries(own), body: await body.text() }
}

async function load({ clients, path }: Served, visits: number): Promise<void> {
  let left = visits
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) {
        const { statusCode, body } = await client.request({ method: 'GET', path })
        await body.dump()
        equal(statusCode, 200)
      }
    }),
  )
}

const median = (list: number[]) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]!
const rounded = (microseconds: number) => Math.round(microseconds * 10) / 10

function print(
  results: { express: number[]; purveyor: number[] },
  { body }: SentPage,
  visits: number,
  rounds: number,
): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  console.log(
    `${rounds} rounds of ${visits} visits, Node ${process.versions.node}, ${availableParallelism()} cores, commit ${commit}`,
  )
  console.log(
    `${Buffer.byteLength(body)} bytes a page; CPU microseconds per visit (median, lowest - highest)`,
  )
  for (const [name, list] of Object.entries(results))
    console.log(
      `  ${name.padEnd(9)} ${median(list).toFixed(1).padStart(6)}   ${Math.min(...list).toFixed(1)} - ${Math.max(...list).toFixed(1)}`,
    )
  const [purveyor, express] = [median(results.purveyor), median(results.express)]
  printResult({
    bench: 'pages',
    bytes: Buffer.byteLength(body),
    us_per_visit: { purveyor: rounded(purveyor), express: rounded(express) },
    us_added: rounded(purveyor - express),
  })
}
