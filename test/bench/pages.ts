import { equal } from 'node:assert/strict'
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Client } from 'undici'
import { printResult } from '../results/line.ts'
import { ofConnection, type SentPage } from './pages/page.ts'

// CPU time of the server process per visit of a payment page with a form, beside an Express that sends the same bytes and headers. Both
// run at once and are measured in turns, so that noise of the machine meets them alike.

const connections = 16

interface Server {
  child: ChildProcess
  clients: Client[]
  path: string
}

export async function run(quick: boolean): Promise<void> {
  const visits = quick ? 600 : 4_000
  const rounds = 7
  const purveyor = await start('purveyor', {})
  const page = await visit(purveyor)
  const express = await start('express', { BENCH_PAGE: JSON.stringify(page) })
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
    for (const { child, clients } of Object.values(servers)) {
      await Promise.all(clients.map((client) => client.destroy()))
      if (child.connected) child.disconnect()
    }
  }
}

async function start(name: 'purveyor' | 'express', env: Record<string, string>): Promise<Server> {
  const child = fork(new URL(`./pages/${name}.ts`, import.meta.url), {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    ...(process.env.BENCH_PROFILE && {
      execArgv: ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`],
    }),
  })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the ${name} server ended with ${code} before it listened`)
  })
  const [{ url }] = (await Promise.race([once(child, 'message'), died])) as [{ url: string }]
  died.catch(() => {})
  const { origin, pathname } = new URL(url)
  return { child, path: pathname, clients: Array.from({ length: connections }, () => new Client(origin)) }
}

async function cpu({ child }: Server): Promise<number> {
  child.send('cpu')
  const [{ cpu: used }] = (await once(child, 'message')) as [{ cpu: number }]
  return used
}

async function visit({ clients, path }: Server): Promise<SentPage> {
  const { headers, body, statusCode } = await clients[0]!.request({ method: 'GET', path })
  equal(statusCode, 200)
  const own = Object.entries(headers).filter(([name]) => !ofConnection.includes(name))
  return { path, headers: Object.fromEntries(own), body: await body.text() }
}

async function load({ clients, path }: Server, visits: number): Promise<void> {
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
