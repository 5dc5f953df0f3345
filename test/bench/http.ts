import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Client } from 'undici'
import { printResult } from '../results/line.ts'
import { methods, quote } from './http/quote.ts'
import { median, printSpreads, rounded } from './measure.ts'
import { measureInTurns, type Served, serve } from './served.ts'

// CPU time of the server process per request, for one full checkout quote answered with five methods. `by-zod` is Purveyor without its
// reader of plain functions.

const names = ['raw', 'fastify', 'express', 'by-zod', 'purveyor'] as const
const rounds = 5

export async function run(quick: boolean): Promise<void> {
  const requests = quick ? 600 : 6_000
  await using ends = new AsyncDisposableStack()
  const servers: Record<string, Served> = {}
  for (const name of names)
    servers[name] = ends.use(await serve(new URL(`./http/${name}.ts`, import.meta.url)))
  for (const [name, server] of Object.entries(servers)) await verify(name, server)
  const results = await measureInTurns(servers, rounds, requests, async (client, path) => {
    const { statusCode, body } = await ask(client, path, quote)
    await body.dump()
    equal(statusCode, 201)
  })
  console.log(
    `${rounds} rounds of ${requests} requests, ${quote.length} bytes asked, 5 methods answered; CPU time of each:`,
  )
  printSpreads(results, 'us', 1)
  const medianOf = (name: string) => rounded(median(results[name]!), 1)
  const versus = (name: string) => rounded(medianOf('purveyor') / medianOf(name))
  printResult({
    bench: 'http',
    us_per_request: Object.fromEntries(names.map((name) => [name, medianOf(name)])),
    ...{ vs_raw: versus('raw'), vs_fastify: versus('fastify') },
    ...{ vs_express: versus('express'), vs_by_zod: versus('by-zod') },
  })
}

const headers = { 'content-type': 'application/json', 'user-agent': 'WebshopappApi', 'x-shop-id': '4711' }
const ask = (client: Client, path: string, body: string) =>
  client.request({ method: 'POST', path, headers, body })

/** Every server gives the right answer, and all but the raw one refuse a body without a quote. */
async function verify(name: string, { clients, path }: Served): Promise<void> {
  const answer = await ask(clients[0]!, path, quote)
  deepEqual([answer.statusCode, await answer.body.json()], [201, { shipment_methods: methods }], name)
  const { quote: _left, ...without } = JSON.parse(quote)
  const refused = await ask(clients[0]!, path, JSON.stringify(without))
  await refused.body.dump()
  ok(name === 'raw' || (refused.statusCode >= 400 && refused.statusCode < 500), `${name} refuses`)
}
