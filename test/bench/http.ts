import { deepEqual, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Client } from 'undici'
import { printResult } from '../results/line.ts'
import { methods, quote } from './http/quote.ts'
import { cpu, endAll, type Served, serve } from './served.ts'

// CPU time of the server process per request, for one full checkout quote answered with five methods. All servers run at once
// and are measured in turns, so that noise of the machine meets them alike. `by-zod` is Purveyor without its reader of plain functions.

const names = ['raw', 'fastify', 'express', 'by-zod', 'purveyor'] as const
type Name = (typeof names)[number]
export async function run(quick: boolean): Promise<void> {
  const requests = quick ? 600 : 6_000
  const rounds = 5
  const servers = new Map<Name, Served>()
  for (const name of names) servers.set(name, await serve(new URL(`./http/${name}.ts`, import.meta.url)))
  try {
    for (const [name, server] of servers) await verify(name, server)
    // Long enough for every server's code to be compiled for good.
    for (const server of servers.values()) await load(server, Math.max(requests * 3, 4_000))

    const results = new Map<Name, number[]>(names.map((name) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(turn + round) % names.length]!
        const server = servers.get(name)!
        const before = await cpu(server)
        await load(server, requests)
        results.get(name)!.push(((await cpu(server)) - before) / requests)
      }
    }
    print(results, requests, rounds)
  } finally {
    await endAll(servers.values())
  }
}

const headers = { 'content-type': 'application/json', 'user-agent': 'WebshopappApi', 'x-shop-id': '4711' }
const ask = (client: Client, path: string, body: string) =>
  client.request({ method: 'POST', path, headers, body })

/** Every server gives the right answer, and all but the raw one refuse a body without a quote. */
async function verify(name: Name, { clients, path }: Served): Promise<void> {
  const answer = await ask(clients[0]!, path, quote)
  deepEqual([answer.statusCode, await answer.body.json()], [201, { shipment_methods: methods }], name)
  const { quote: _left, ...without } = JSON.parse(quote)
  const refused = await ask(clients[0]!, path, JSON.stringify(without))
  await refused.body.dump()
  ok(name === 'raw' || (refused.statusCode >= 400 && refused.statusCode < 500), `${name} refuses`)
}

async function load({ clients, path }: Served, requests: number): Promise<void> {
  let left = requests
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) {
        const { statusCode, body } = await ask(client, path, quote)
        await body.dump()
        if (statusCode !== 201) throw new Error(`answered ${statusCode}`)
      }
    }),
  )
}

const median = (list: number[]) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]!

function print(results: Map<Name, number[]>, requests: number, rounds: number): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  console.log(
    `${rounds} rounds of ${requests} requests, Node ${process.versions.node}, ${availableParallelism()} cores, commit ${commit}`,
  )
  console.log(
    `${quote.length} bytes asked, 5 methods answered; CPU microseconds per request (median, lowest - highest)`,
  )
  const medians = {} as Record<Name, number>
  for (const [name, list] of results) {
    medians[name] = Math.round(median(list) * 10) / 10
    console.log(
      `  ${name.padEnd(9)} ${medians[name].toFixed(1).padStart(6)}   ${Math.min(...list).toFixed(1)} - ${Math.max(...list).toFixed(1)}`,
    )
  }
  const versus = (name: Name) => Math.round((medians.purveyor / medians[name]) * 100) / 100
  printResult({
    bench: 'http',
    us_per_request: medians,
    vs_raw: versus('raw'),
    vs_fastify: versus('fastify'),
    vs_express: versus('express'),
    vs_by_zod: versus('by-zod'),
  })
}
